"""The options that every command about a header has, and its request."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ...make.options import OPTIONS, Option, completed

if TYPE_CHECKING:
    from rich.console import Console

    from ...make.request import Request

_FILES = {"file": click.Path(exists=True, dir_okay=False), "folder": click.Path(exists=True, file_okay=False)}


def spelled(name: str, option: Option) -> Callable[..., Any]:
    """What gives a command one option."""
    known: Any = option.among
    return click.option(
        *option.command,
        name,
        multiple=option.is_list,
        default=None if option.is_list else option.default,
        show_default=bool(option.default),
        type=_FILES.get(known) if isinstance(known, str) else click.Choice(known) if known else None,
        help=option.help,
    )


def header_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what decides a request: the header, its configuration, where to look, what to link."""
    for name, option in reversed(OPTIONS.items()):
        if option.command:
            command = spelled(name, option)(command)
    return click.argument("header", required=False)(command)


def package_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what decides a package beside its request; :func:`package_settings` reads it."""
    for option in reversed(_OF_PACKAGES):
        command = option(command)
    return command


_OF_PACKAGES = (
    click.option("--name", help="The package's name; without it the Output Name, or the header's."),
    click.option(
        "--arch", multiple=True,
        help="Of device code: the oldest GPU that it is for; of kernels each (gfx90a of HIP); else GPU Arch, or sm_75.",
    ),
    click.option(
        "--used-by", type=click.Path(exists=True, dir_okay=False),
        help="Run this program of Python's, and bind what it uses of the header alone.",
    ),
    click.option(
        "--gil/--no-gil", default=None,
        help="Keep the GIL in every call, or release it; without either, each function's own code decides.",
    ),
    click.option(
        "--check", is_flag=True,
        help="With --style: a status other than zero raises, and is not given back.",
    ),
)  # fmt: skip


def package_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Takes out of a command's options what ``write_package`` is told; the name stays, as a request has it."""
    from ...call.gil import AUTO
    from ..packages import architectures

    gil, arch = options.pop("gil"), architectures(options.pop("arch"), options)
    return {"nogil": AUTO if gil is None else not gil, "check": options.pop("check"), "arch": arch}


def request(header: str | None, given: dict[str, Any]) -> Request:
    """The request of such a command."""
    from ...api.requests import header_request

    program = given.pop("used_by", None)
    asked = header_request(header, completed("bind", OPTIONS, given))
    return asked if program is None else replace(asked, used=_used_by(program, asked))


def _used_by(program: str, asked: Request) -> tuple[str, ...]:
    """What a program of Python's asks of the header, when it runs.

    Raises
    ------
    BindError
        If it fails, or asks nothing.
    """
    import subprocess
    import tempfile

    from ...errors import BindError
    from ...loading.recording import VARIABLE, recorded

    with tempfile.TemporaryDirectory(prefix="samebytes-") as folder:
        done = subprocess.run(
            [sys.executable, program],
            env={**os.environ, VARIABLE: folder},
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            raise BindError(f"--used-by: {program} ended with {done.returncode}")
        names = recorded(folder).get(os.path.realpath(asked.main or ""), set())
    if not names:
        raise BindError(f"--used-by: {program} asks nothing of a library that sb.bind({asked.main!r}) gives")
    return tuple(sorted(names))


@contextmanager
def warnings_shown(where: Console) -> Iterator[None]:
    """Warnings as sentences; a user of a command has no line of Python that they could point to."""
    from ...errors import BindWarning
    from .words import spoken

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BindWarning)
        yield
    for warning in caught:
        words = spoken(str(warning.message))
        where.print(words, style="yellow", highlight=False, markup=False, soft_wrap=True)
