"""The command ``samebytes layout``."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from .output import console, json_option, write_json


def find(name: str) -> Any:
    """What ``module:Type`` names; modules are also looked for in the working directory.

    Raises
    ------
    click.ClickException
        If there is no such module or attribute; the message says which of the two.
    """
    module_name, colon, path = name.partition(":")
    if not (module_name and colon and path):
        raise click.ClickException(f"{name!r} is not of the form module:Type, as samebytes:float32x3 is")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module_name)
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"no module {error.name!r} in {Path.cwd()} or among those installed"
        ) from None
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise click.ClickException(f"{module_name} has no {path!r}") from None
    return found


_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.command("layout")
@click.argument("name", metavar="MODULE:TYPE")
@click.option("--dialect", default="cxx", show_default=True, help="The language whose compiler decides.")
@click.option("--svg", "svg_path", type=_FILE, help="Write the picture to this SVG file.")
@click.option("--png", "png_path", type=_FILE, help="Write the picture to this PNG file.")
@json_option
def command(name: str, dialect: str, svg_path: Path | None, png_path: Path | None, as_json: bool) -> None:
    """Show where a type's bytes lie: offsets, sizes, alignment and padding."""
    from ...layouts.picture import svg, write_png
    from ...layouts.picture.table import table

    type_, where = find(name), console()
    try:
        if as_json:
            write_json(_facts(type_, dialect))
        else:
            where.print(table(type_, dialect))
        if svg_path:
            svg_path.write_text(svg(type_, dialect), encoding="utf-8")
        if png_path:
            write_png(type_, png_path, dialect)
    except TypeError as error:
        raise click.ClickException(f"{name}: {error}") from None
    for path in filter(None, (svg_path, png_path)):
        click.echo(f"The picture is in {path}.", err=as_json)


def _facts(type_: Any, dialect: str) -> dict[str, Any]:
    """Size, alignment and fields, in bytes."""
    from ...layouts.dialects import layout

    found = layout(type_, dialect)
    fields = [{"name": f.name, "type": str(f.type), "offset": f.offset, "size": f.size} for f in found.fields]
    return {"dialect": dialect, "size": found.size, "align": found.align, "fields": fields}
