"""A layout as a tree of cells that leaves no bit out: fields, elements, and the padding between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from ...frozen import frozen
from ...types import (
    Aligned,
    Atomic,
    ByKind,
    CArray,
    Const,
    Enum,
    Pointer,
    Scalar,
    Struct,
    Type,
    Void,
    unqualified,
)
from .. import FieldLayout, Table, compute

# A C array of more elements, or of more parts in all, is one cell: its elements all look alike.
MOST_ELEMENTS, MOST_PARTS = 16, 64


@frozen
class Cell:
    """A stretch of memory with one meaning.

    Attributes
    ----------
    name : str
        The field's name, an element's index ``[2]``, or ``"padding"``.
    type : str
        The type as messages spell it; empty for padding.
    kind : str
        ``"bool"``, ``"int"``, ``"uint"``, ``"float"``, ``"complex"``, ``"pointer"``, ``"other"``, ``"padding"``, or
        ``"unseen"`` for bytes of members that Python does not see.
    start, length : int
        Bits from the start of the outermost type.
    align : int
        Bytes; 0 for padding and bit-fields, which have none of their own.
    parts : tuple of Cell
        What it is made of, in order and without gaps; empty for a leaf.
    bit_field : bool
    """

    name: str
    type: str
    kind: str
    start: int
    length: int
    align: int = 0
    parts: tuple[Cell, ...] = ()
    bit_field: bool = False

    @property
    def size(self) -> int:
        """Bytes, of what is no bit-field."""
        return self.length // 8

    @property
    def end(self) -> int:
        """The first bit after it."""
        return self.start + self.length

    @property
    def gap(self) -> bool:
        """Whether it is padding, or bytes that Python does not see."""
        return self.kind in ("padding", "unseen")

    def leaves(self) -> Iterator[Cell]:
        """The cells without parts, in order."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


def cells(type_: Type, table: Table, name: str = "", start: int = 0) -> Cell:
    """The cells of a type in a dialect; ``start`` in bits."""
    type_ = unqualified(type_)
    layout = compute(type_, table)
    if isinstance(type_, CArray):
        parts = _elements(type_, table, start)
    else:
        gap = "unseen" if isinstance(type_, Struct) and not type_.complete else "padding"
        parts = _filled([_field(f, table, start) for f in layout.fields], start, 8 * layout.size, gap)
        if isinstance(type_, Atomic | Aligned) and len(parts) == 1:
            parts = parts[0].parts  # a wrapper without padding is the same cell
    return Cell(name, str(type_), _kind(type_), start, 8 * layout.size, layout.align, parts)


_KIND: ByKind[Callable[[Any], str]] = ByKind(
    "layouts: the colour of a type in a picture",
    {
        Scalar: lambda t: t.kind,
        Pointer: lambda t: "pointer",
        Void: lambda t: "pointer",
        Enum: lambda t: _kind(t.underlying),
        Const: lambda t: _kind(t.type),
        CArray: lambda t: _kind(t.element),
        Aligned: lambda t: _kind(t.type),
        Atomic: lambda t: _kind(t.type),
    },
    others="it is drawn as what it is made of",
)


def _kind(type_: Type) -> str:
    return _KIND[type(type_)](type_) if type(type_) in _KIND else "other"


def _field(field: FieldLayout, table: Table, base: int) -> Cell:
    start = base + 8 * field.offset
    if not field.bit_width:
        return replace(cells(field.type, table, field.name, start), align=field.align)
    return Cell(
        field.name,
        str(field.type),
        _kind(field.type),
        start + field.bit_offset,
        field.bit_width,
        bit_field=True,
    )


def _elements(array: CArray, table: Table, start: int) -> tuple[Cell, ...]:
    if not 0 < array.count <= MOST_ELEMENTS:
        return ()
    first = cells(array.element, table)
    if array.count * sum(1 for _ in first.leaves()) > MOST_PARTS:
        return ()
    return tuple(
        cells(array.element, table, f"[{', '.join(map(str, index))}]", start + i * first.length)
        for i, index in enumerate(product(*map(range, array.shape)))
    )


def _filled(fields: Iterable[Cell], start: int, length: int, gap: str) -> tuple[Cell, ...]:
    """The fields in order of place, with the gaps between and after them as cells of their own."""
    parts: list[Cell] = []
    end = start
    for field in sorted(fields, key=lambda cell: cell.start):
        if field.start > end:
            parts.append(Cell(gap, "", gap, end, field.start - end))
        parts.append(field)
        end = max(end, field.end)
    if parts and end < start + length:
        parts.append(Cell(gap, "", gap, end, start + length - end))
    return tuple(parts)


def count(number: int, unit: str) -> str:
    """``1 bit``, ``3 bits``."""
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def amount(bits: int) -> str:
    """A number of bits in words, in bytes where it is whole ones."""
    return count(bits, "bit") if bits % 8 else count(bits // 8, "byte")
