"""Whether two types mean the same bytes, and where they first do not."""

from __future__ import annotations

from dataclasses import replace

from ..types import (
    SCALARS,
    Array,
    CArray,
    Enum,
    Pointer,
    Struct,
    Type,
    unqualified,
    unspelled,
)
from .model import Table
from .namesakes import class_difference, enumeration_difference
from .rules import compute


def difference(expected: Type, got: Type, table: Table, path: str = "") -> str:
    """The first way in which two types do not mean the same bytes and field names; empty if they do.

    Names of structs do not matter, names of their fields do. An enumeration is its integer format, but no other one
    of its name, and ``char`` is int8.
    """
    if found := _other_enumerators(unqualified(expected), unqualified(got)):
        return f"{path or 'it'} is another {unqualified(got)}: {found}"
    expected, got = _plain(expected), _plain(got)
    if isinstance(expected, Struct) and isinstance(got, Struct):
        return _struct_difference(expected, got, table, path)
    if isinstance(expected, CArray) and isinstance(got, CArray) and expected.shape == got.shape:
        return difference(expected.element, got.element, table, path + "[0]")
    if isinstance(expected, Array) and isinstance(got, Array):  # where it lies is no matter of its bytes
        got = replace(got, memory=expected.memory)
    same = expected == got or (isinstance(expected, Pointer) and isinstance(got, Pointer))
    return "" if same else f"{path or 'it'} is {got}, expected {expected}"


def _other_enumerators(expected: Type, got: Type) -> str:
    if not isinstance(expected, Enum) or not isinstance(got, Enum) or expected.name != got.name:
        return ""
    return enumeration_difference(expected, got)


def _plain(type_: Type) -> Type:
    type_ = unqualified(type_)
    if isinstance(type_, Enum):
        return type_.underlying
    return SCALARS["int8"] if type_ == SCALARS["char"] else unspelled(type_)


def _struct_difference(expected: Struct, got: Struct, table: Table, path: str) -> str:
    if expected.spelling and got.spelling and expected.name == got.name:
        found = class_difference(expected, got)
        return f"{path or 'it'} is another {got.name}: {found}" if found else ""
    want, have = compute(expected, table), compute(got, table)
    names = [f.name for f in want.fields], [f.name for f in have.fields]
    if names[0] != names[1]:
        return f"{path or 'it'} has the fields {', '.join(names[1])}, expected {', '.join(names[0])}"
    for a, b in zip(want.fields, have.fields, strict=True):
        where = f"{path}.{a.name}"
        if (a.offset, a.bit_offset, a.bit_width) != (b.offset, b.bit_offset, b.bit_width):
            return f"{where} lies at byte {b.offset}, expected {a.offset}"
        if found := difference(a.type, b.type, table, where):
            return found
    if want.size != have.size:
        return f"{path or 'it'} has {have.size} bytes, expected {want.size}"
    return ""
