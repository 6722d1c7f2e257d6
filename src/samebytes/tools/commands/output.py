"""What commands write to: a terminal, a pipe, or a program that reads JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


def console(stderr: bool = False) -> Console:
    """Where a command writes; without a terminal there is no width to keep to."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr) if stream.isatty() else Console(stderr=stderr, width=120)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--json``, as the parameter ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Plain facts for programs.")(command)


def write_json(facts: object) -> None:
    """The facts, as text for programs."""
    click.echo(json.dumps(facts, indent=2, ensure_ascii=False, default=str))
