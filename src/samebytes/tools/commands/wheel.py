"""The command ``samebytes wheel``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import header_options, package_options, package_settings, request, warnings_shown
from .output import console, json_option, write_json


@click.command("wheel")
@header_options
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("dist"), show_default=True,
    help="The folder of the wheel.",
)  # fmt: skip
@click.option("--version", default="0.1.0", show_default=True, help="The wheel's version.")
@click.option(
    "--distribution", help="The name that pip installs; without it the package's, with '-' for each '_'."
)
@click.option(
    "--readme", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The text that a package index shows, in Markdown or reStructuredText.",
)  # fmt: skip
@package_options
@json_option
def command(
    header: str | None,
    out: Path,
    version: str,
    distribution: str | None,
    readme: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Write one wheel for HEADER that every Python and many systems can install.

    Its tag says which systems: those whose glibc and libstdc++ have what the compiled library needs. Without HEADER, it
    is the configuration's Entry Point.
    """
    from ..wheels import plain_metadata, write_wheel

    where = console(stderr=as_json)
    with warnings_shown(where):
        settings = package_settings(options)
        asked = request(header, options)
        metadata = plain_metadata(
            distribution or asked.name.replace("_", "-"), version, Path(asked.main or "").name, readme
        )
        wheel = write_wheel(asked, metadata, out, **settings)
    if as_json:
        write_json({"wheel": wheel.path, "platform": wheel.platform.tag, "reasons": wheel.platform.reasons})
        return
    where.print(str(wheel.path), highlight=False, markup=False, soft_wrap=True)
    _say_platform(wheel.platform)


def _say_platform(platform: Any) -> None:
    if platform.portable:
        glibc = ".".join(platform.tag.split("_")[1:3])
        click.echo(f"It serves Linux on x86-64 with glibc {glibc} or newer: {platform.reasons[0]}.")
        return
    click.echo("It is for systems like this one, and package indexes refuse it:")
    for reason in platform.reasons:
        click.echo(f"  {reason}")
