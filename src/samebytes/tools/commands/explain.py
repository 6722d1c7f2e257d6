"""The command ``samebytes explain``."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from .options import header_options, request
from .output import console, json_option


@click.command("explain")
@header_options
@click.argument("function", required=False)
@click.option("--arch", help="Of kernels: the architecture, sm_90; without it, that of the device in use.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write all of it as one page that needs nothing else and can be searched, with each struct's picture.",
)  # fmt: skip
@json_option
def command(
    header: str | None,
    function: str | None,
    arch: str | None,
    page: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show what is bound of HEADER and how: signatures, intents, conversions, costs, and what is skipped and why.

    With FUNCTION (f, ns::f, Struct.method) only that.
    """
    from ...api.bind import for_its_caller
    from ...api.recipes import Recipe
    from ...api.registry import library
    from ...call.gil import AUTO
    from ...errors import BindWarning
    from ...loading.explaining import explain
    from .words import spoken

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BindWarning)  # the report says it all
        asked = for_its_caller(request(header, options | {"arch": arch}), arch)
        bound = library(Recipe(asked, (), AUTO))
    found = explain(bound, function)
    said = tuple(replace(one, reason=spoken(one.reason)) for one in found.skipped)
    found = replace(found, skipped=said)
    if page is not None:
        from ...loading.explaining.page import page_text

        page.write_text(page_text(found, bound.__records__), encoding="utf-8")
        click.echo(f"The page is {page}.", err=as_json)
    if as_json:
        click.echo(found.json())
    elif page is None:
        console().print(found)
