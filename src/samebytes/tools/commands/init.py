"""The command ``samebytes init``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("init")
@click.argument("name")
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), show_default="here",
    help="Where the project's folder is made.",
)  # fmt: skip
def command(name: str, out: Path) -> None:
    """Write a new project of bindings: header, source, tests, pyproject.toml and a CI file.

    Two commands, which it prints, build and check it.
    """
    from ..projects import write_project

    for path in write_project(name, out):
        click.echo(str(path))
    click.echo(
        f"\nTwo commands build and check it:\n\n  cd {out / name}\n"
        "  python -m pip install --no-build-isolation .\n  python -m unittest discover -s tests"
    )
