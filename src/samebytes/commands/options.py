"""The options that every command about a header has, and its request."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console

from ..errors import BindWarning
from ..make.request import TARGETS

_DIRECTORY = click.Path(exists=True, file_okay=False)
_OPTIONS = (
    click.argument("header", required=False),
    click.option(
        "-c", "--config", type=click.Path(exists=True, dir_okay=False), help="A configuration in YAML."
    ),
    click.option("-I", "include_dirs", multiple=True, type=_DIRECTORY, help="Where to look for headers."),
    click.option("-D", "defines", multiple=True, help="A macro, NAME or NAME=VALUE."),
    click.option("-l", "libraries", multiple=True, help="A library to link."),
    click.option("-L", "library_dirs", multiple=True, type=_DIRECTORY, help="Where to look for libraries."),
    click.option(
        "--source",
        "sources",
        multiple=True,
        type=click.Path(exists=True),
        help="A file to compile and link in.",
    ),
    click.option("--expose", multiple=True, help="A pattern of further files or names to bind."),
    click.option("--instantiate", multiple=True, help="An instantiation of a template, 'twice<int>'."),
    click.option("--flag", "flags", multiple=True, help="A flag for the compiler."),
    click.option("--std", help="The language standard, c++20."),
    click.option("--library", help="The shared library in which functions are looked up on first use."),
    click.option(
        "--style", type=click.Choice(["c_api"]), help="Results as HIP Python's: the status, then the outputs."
    ),
    click.option(
        "--unchecked-format",
        "unchecked_formats",
        multiple=True,
        help="A function with '...' that is held to no format; '*' means all.",
    ),
    click.option("--language", type=click.Choice(["c", "c++"]), help="Overrides what the header says."),
    click.option(
        "--target",
        type=click.Choice(TARGETS),
        default="host",
        show_default=True,
        help="Who calls: Python; also Numba's @njit; kernels of numba.cuda.",
    ),
)


def header_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what decides a request: the header, its configuration, where to look, what to link."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def console() -> Console:
    """Where a command writes; without a terminal there is no width to keep to."""
    return Console() if sys.stdout.isatty() else Console(width=120)


@contextmanager
def warnings_shown(where: Console) -> Iterator[None]:
    """Warnings as sentences; a user of a command has no line of Python that they could point to."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BindWarning)
        yield
    for warning in caught:
        where.print(str(warning.message), style="yellow", highlight=False, markup=False, soft_wrap=True)
