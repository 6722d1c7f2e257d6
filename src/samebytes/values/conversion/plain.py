"""Pointers, nothing, and what has no rule of its own but that of the type inside."""

from __future__ import annotations

from typing import Any

from ...errors import ArgumentError, Mismatch, value_words
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import Aligned, Atomic, Const, Pointer, Type, Void
from ..codecs import codec
from .base import Packed, convert


def convert_pointer(type_: Pointer, value: Any, dialect: str) -> Packed:
    """The address of a Pointer, or none."""
    data = codec(type_, dialect).pack(value)
    if data is None:
        raise Mismatch(ArgumentError, str(type_), value_words(value), "Pass None or a Pointer")
    return Packed(data, (value,))


def convert_void(type_: Void, value: Any, dialect: str) -> Packed:
    """No value."""
    if value is not None:
        raise Mismatch(ArgumentError, "None", value_words(value))
    return Packed(bytes(compute(type_, find_dialect(dialect)).size))


def convert_aligned(type_: Aligned, value: Any, dialect: str) -> Packed:
    """The value inside, padded as its alignment asks for."""
    inner = convert(type_.type, value, dialect)
    return Packed(inner.data.ljust(compute(type_, find_dialect(dialect)).size, b"\0"), inner.owners)


def convert_inner(type_: Atomic | Const, value: Any, dialect: str) -> Packed:
    """The value inside."""
    return convert(type_.type, value, dialect)


def refuse_unknown(type_: Type, value: Any, dialect: str) -> Packed:
    """Raise for a type of which only pointers are known."""
    raise Mismatch(ArgumentError, f"a pointer to {type_}", value_words(value), "Its layout is not known")
