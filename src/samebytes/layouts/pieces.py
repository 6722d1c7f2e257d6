"""The bytes of a type that mean something: where they lie, and how they move to another dialect's layout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..types import (
    CArray,
    Enum,
    Pointer,
    Scalar,
    Struct,
    Type,
    unqualified,
)
from .model import Table
from .rules import compute


@lru_cache(maxsize=4096)
def overlapping(struct: Struct, table: Table) -> frozenset[str]:
    """The fields that share bytes with others: those of a union, and of anonymous unions inside a struct."""
    if struct.fixed is None:
        return frozenset()
    spans = [(f.bits.start, f.bits.stop, f.name) for f in compute(struct, table).fields]
    found: set[str] = set()
    reach, holder = 0, ""
    for start, end, name in sorted(spans):
        if start < reach:
            found |= {name, holder}
        if end > reach:
            reach, holder = end, name
    return frozenset(found)


def _is_run(type_: CArray) -> bool:
    """Whether the elements are numbers without gaps: then the whole array is one piece in every dialect."""
    element = unqualified(type_.element)
    return _is_run(element) if isinstance(element, CArray) else isinstance(element, Scalar | Enum | Pointer)


def leaves(type_: Type, table: Table, base: int = 0) -> Iterator[tuple[int, int]]:
    """Offset and size in bytes of every number and pointer inside, in order; padding is in none of them.

    A struct with members that Python does not see is one piece.
    """
    type_ = unqualified(type_)
    layout = compute(type_, table)
    if (isinstance(type_, Struct) and not type_.complete) or (isinstance(type_, CArray) and _is_run(type_)):
        yield base, layout.size
    elif isinstance(type_, CArray):
        step = compute(type_.element, table).size
        for i in range(type_.count):
            yield from leaves(type_.element, table, base + i * step)
    elif not layout.fields:
        yield base, layout.size
    else:
        for field in layout.fields:
            if field.bit_width:
                yield base + field.offset, field.touched
            else:
                yield from leaves(field.type, table, base + field.offset)


@lru_cache(maxsize=1024)
def moves(type_: Type, source: Table, target: Table) -> tuple[tuple[int, int, int], ...] | None:
    """How to bring a value from one dialect's layout to another's.

    Returns
    -------
    tuple of (source offset, target offset, size) in bytes, or None where both layouts are the same.
    """
    if source is target:  # the usual case; a large struct has as many leaves as it likes
        return None
    old, new = tuple(leaves(type_, source)), tuple(leaves(type_, target))
    if old == new and compute(type_, source).size == compute(type_, target).size:
        return None
    return tuple((a, b, size) for (a, size), (b, _) in zip(old, new, strict=True))


def repack(data: bytes, type_: Type, source: Table, target: Table) -> bytes:
    """The bytes of a value in another dialect's layout, padding zeroed."""
    plan = moves(type_, source, target)
    if plan is None:
        return data
    out = bytearray(compute(type_, target).size)
    for start, to, size in plan:
        out[to : to + size] = data[start : start + size]
    return bytes(out)


def without_padding(data: bytes, type_: Type, table: Table) -> bytes:
    """The same value with zero in all padding."""
    out = bytearray(len(data))
    for start, size in leaves(type_, table):
        out[start : start + size] = data[start : start + size]
    return bytes(out)
