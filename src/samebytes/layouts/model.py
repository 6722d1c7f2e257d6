"""What a layout says: size, alignment and the places of fields; and what the engine asks of a dialect."""

from __future__ import annotations

from typing import Protocol

from ..frozen import frozen
from ..types import Extent, Type


class Table(Protocol):
    """What the engine asks of a dialect."""

    @property
    def name(self) -> str:
        """The dialect's name."""

    @property
    def apart(self) -> frozenset[str]:
        """The numbers of C++ that devices and the host lay out differently."""

    def extent(self, name: str) -> Extent:
        """Size and alignment in bytes of a scalar, a vector or ``"pointer"``."""

    def __hash__(self) -> int:
        """Layouts are cached by dialect."""


@frozen
class FieldLayout:
    """Where one field lies.

    Attributes
    ----------
    name : str
    type : Type
    offset, size, align : int
        Bytes; of a bit-field: of the storage unit that holds it.
    bit_offset, bit_width : int
        Bits from the least significant one of the storage unit; width 0 means no bit-field.
    """

    name: str
    type: Type
    offset: int
    size: int
    align: int
    bit_offset: int = 0
    bit_width: int = 0

    @property
    def bits(self) -> range:
        """Which bits of the struct the field has."""
        start = 8 * self.offset + self.bit_offset
        return range(start, start + (self.bit_width or 8 * self.size))

    @property
    def touched(self) -> int:
        """Of a bit-field: the bytes from ``offset`` that hold its bits; in a packed record more than the unit's."""
        return -(-(self.bit_offset + self.bit_width) // 8)


@frozen
class Fact:
    """One number that a compiler can confirm.

    Attributes
    ----------
    kind : str
        ``"size"``, ``"align"`` or ``"offset"``.
    field : str
        The field it is about; empty: the whole type.
    value : int
        Bytes.
    """

    kind: str
    field: str
    value: int


@frozen
class Layout:
    """How a type sits in memory: ``size`` and ``align`` in bytes, and its fields in order.

    Vectors have their components as fields, array descriptors ``data``, ``shape`` and ``strides``;
    numbers, pointers and C arrays have none.
    """

    size: int
    align: int
    fields: tuple[FieldLayout, ...] = ()

    @property
    def offsets(self) -> tuple[int, ...]:
        """Bytes from the start to each field."""
        return tuple(f.offset for f in self.fields)

    def facts(self) -> tuple[Fact, ...]:
        """Size, alignment, and of each field its offset and size; a bit-field's are those of its storage unit."""
        own = (Fact("size", "", self.size), Fact("align", "", self.align))
        return own + tuple(
            fact
            for f in self.fields
            for fact in (Fact("offset", f.name, f.offset), Fact("size", f.name, f.size))
        )
