"""The command ``samebytes bind``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import header_options, package_options, package_settings, request, warnings_shown
from .output import console, json_option, write_json


@click.command("bind")
@header_options
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="Where the package's own directory is made.",
)  # fmt: skip
@package_options
@json_option
def command(header: str | None, out: Path, as_json: bool, **options: Any) -> None:
    """Write a Python package for HEADER that needs neither the header nor a compiler where it is used.

    Without HEADER, it is the configuration's Entry Point.
    """
    from ..packages import write_package

    where = console(stderr=as_json)
    with warnings_shown(where):
        settings = package_settings(options)
        asked = request(header, options)
        files = write_package(asked, out, **settings)
    if as_json:
        write_json({"package": asked.name, "files": files})
        return
    for file in files:
        where.print(str(file), highlight=False, markup=False, soft_wrap=True)
