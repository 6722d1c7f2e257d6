"""The command ``samebytes explain``."""

from __future__ import annotations

import warnings
from typing import Any

import click

from ...api.bind import for_its_caller
from ...api.recipes import Recipe
from ...api.registry import library
from ...call.gil import AUTO
from ...errors import BindWarning
from ...loading.explaining import explain
from .options import console, header_options, request


@click.command("explain")
@header_options
@click.argument("function", required=False)
@click.option("--arch", help="Of kernels: the architecture, sm_90; without it, that of the device in use.")
@click.option("--json", "as_json", is_flag=True, help="Plain facts for programs.")
def command(
    header: str | None, function: str | None, arch: str | None, as_json: bool, **options: Any
) -> None:
    """Show what is bound of HEADER and how: signatures, intents, conversions, costs, and what is skipped and why.

    With FUNCTION (f, ns::f, Struct.method) only that.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BindWarning)  # the report says it all
        asked = for_its_caller(request(header, options), {"arch": arch, "nogil": AUTO})
        bound = library(Recipe(asked, (), True))
    found = explain(bound, function)
    if as_json:
        click.echo(found.json())
    else:
        console().print(found)
