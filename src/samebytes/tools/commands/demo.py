"""The command ``samebytes demo``."""

from __future__ import annotations

from pathlib import Path

import click

from .output import console


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default=Path("hillshade.png"),
    show_default=True,
    help="The PNG file to write.",
)
def command(out: Path) -> None:
    """Shade real mountains in C++, called with every array library found."""
    from ..demo import run

    if not run(out, console()):
        raise SystemExit(1)
