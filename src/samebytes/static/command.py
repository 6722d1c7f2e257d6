"""The command ``samebytes bind``."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ..asking import header_request
from ..errors import BindWarning
from . import write_package

_DIRECTORY = click.Path(exists=True, file_okay=False)


@click.command("bind")
@click.argument("header", required=False)
@click.option("-c", "--config", type=click.Path(exists=True, dir_okay=False), help="A configuration in YAML.")
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="Where the package's own directory is made.",
)  # fmt: skip
@click.option("--name", help="The package's name; without it the Output Name, or the header's.")
@click.option("-I", "include_dirs", multiple=True, type=_DIRECTORY, help="Where to look for headers.")
@click.option("-D", "defines", multiple=True, help="A macro, NAME or NAME=VALUE.")
@click.option("-l", "libraries", multiple=True, help="A library to link.")
@click.option("-L", "library_dirs", multiple=True, type=_DIRECTORY, help="Where to look for libraries.")
@click.option(
    "--source", "sources", multiple=True, type=click.Path(exists=True), help="A file to compile and link in."
)
@click.option("--expose", multiple=True, help="A pattern of further files or names to bind.")
@click.option("--flag", "flags", multiple=True, help="A flag for the compiler.")
@click.option("--std", help="The language standard, c++20.")
@click.option("--language", type=click.Choice(["c", "c++"]), help="Overrides what the header says.")
@click.option("--gil/--no-gil", default=False, help="Keep the GIL in every call; without it, it is released.")
def command(
    header: str | None, out: Path, gil: bool, config: str | None, name: str | None, std: str | None,
    language: str | None, **lists: Any,
) -> None:  # fmt: skip
    """Write a Python package for HEADER that needs neither the header nor a compiler where it is used.

    Without HEADER, it is the configuration's Entry Point.
    """
    console = Console() if sys.stdout.isatty() else Console(width=120)
    with _warnings_shown(console):
        request = header_request(header, config=config, name=name, std=std, language=language, **lists)
        files = write_package(request, out, nogil=not gil)
    for file in files:
        console.print(str(file), highlight=False, markup=False, soft_wrap=True)


@contextmanager
def _warnings_shown(console: Console) -> Iterator[None]:
    """Warnings as sentences; a user of the command has no line of Python that they could point to."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BindWarning)
        yield
    for warning in caught:
        console.print(str(warning.message), style="yellow", highlight=False, markup=False, soft_wrap=True)
