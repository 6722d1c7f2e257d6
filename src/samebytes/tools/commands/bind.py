"""The command ``samebytes bind``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import header_options, request, warnings_shown
from .output import console, json_option, write_json


@click.command("bind")
@header_options
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="Where the package's own directory is made.",
)  # fmt: skip
@click.option("--name", help="The package's name; without it the Output Name, or the header's.")
@click.option(
    "--arch", multiple=True,
    help="Of device code: the oldest GPU that it is for; of kernels each; without it the GPU Arch, or sm_75.",
)  # fmt: skip
@click.option(
    "--gil/--no-gil", default=None,
    help="Keep the GIL in every call, or release it; without either, each function's own code decides.",
)  # fmt: skip
@json_option
@click.option(
    "--check", is_flag=True, help="With --style: a status other than zero raises, and is not given back."
)
def command(
    header: str | None,
    out: Path,
    gil: bool | None,
    arch: tuple[str, ...],
    check: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Write a Python package for HEADER that needs neither the header nor a compiler where it is used.

    Without HEADER, it is the configuration's Entry Point.
    """
    from ...call.gil import AUTO
    from ...make.config import load
    from ..packages import OLDEST, write_package

    where = console(stderr=as_json)
    with warnings_shown(where):
        asked = request(header, options)
        said = load(options["config"])["GPU Arch"]
        files = write_package(
            asked,
            out,
            nogil=AUTO if gil is None else not gil,
            check=check,
            arch=arch or tuple(said) or (OLDEST,),
        )
    if as_json:
        write_json({"package": asked.name, "files": files})
        return
    for file in files:
        where.print(str(file), highlight=False, markup=False, soft_wrap=True)
