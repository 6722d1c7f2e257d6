"""The table of a layout for a terminal: every field and every stretch of padding, parts below their wholes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from ...types import as_type, unqualified
from ..dialects import find_dialect
from .cells import Cell, cells, count

_STYLES = {"padding": "dim", "unseen": "dim italic"}
_COLUMNS = (("offset", "right"), ("size", "right"), ("align", "right"), ("name", "left"), ("type", "left"))


def table(T: Any, dialect: str = "cxx") -> Table:  # noqa: N803
    """Offset, size and alignment in bytes of all that a type is made of.

    Parameters
    ----------
    T : type or Type
    dialect : str

    Returns
    -------
    rich.table.Table
        One row per field, element and stretch of padding; a bit-field says its bits.
    """
    root = cells(unqualified(as_type(T)), find_dialect(dialect))
    made = Table(title=Text(f"{root.type} in dialect {dialect}", "bold"), title_justify="left", box=None)
    for name, justify in _COLUMNS:
        made.add_column(name, justify=justify, header_style="bold", no_wrap=True)  # type: ignore[arg-type]
    for depth, cell in _walk(root, 0):
        made.add_row(*_row(depth, cell), style=_STYLES.get(cell.kind, ""))
    return made


def _walk(cell: Cell, depth: int) -> Iterator[tuple[int, Cell]]:
    yield depth, cell
    for part in cell.parts:
        yield from _walk(part, depth + 1)


def _row(depth: int, cell: Cell) -> tuple[Text, ...]:
    offset = str(cell.start // 8)
    if cell.bit_field or cell.start % 8:
        offset += f" bit {cell.start % 8}"
    size = str(cell.size) if cell.length % 8 == 0 and not cell.bit_field else count(cell.length, "bit")
    align = str(cell.align) if cell.align else ""
    name = "  " * (depth - 1) + cell.name if depth else ""
    return Text(offset), Text(size), Text(align), Text(name), Text(cell.type)
