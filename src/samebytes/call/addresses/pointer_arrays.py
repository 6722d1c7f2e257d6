"""Lists, and arrays of several dimensions, for pointers to pointers: an array of the addresses of what they hold."""

from __future__ import annotations

import struct
from typing import Any

from ... import _native
from ...arrays.protocols import view
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, value_words
from ...types import CArray, Enum, Function, Pointer, Scalar
from ...values.conversion import Packed, convert
from ...values.conversion.base import at
from ...values.conversion.converted import aligned_copy
from .needs import overlap_words
from .write_back import ListArray

_ADDRESS = struct.Struct("P")


def pointer_array(type_: Pointer, obj: Any, dialect: str, words: str) -> Packed | None:
    """An array of addresses, a null behind, for a ``T**``: of a list's or tuple's items, or of an array's rows.

    Where C++ may write addresses into it, a list gets them after the call; see :class:`ListArray`.

    Returns
    -------
    Packed or None
        None for anything else.

    Raises
    ------
    Mismatch
        For an item that is no such ``T*``, or too few of them.
    """
    inner = type_.target
    if not isinstance(inner, Pointer) or isinstance(inner.target, Function):
        return None
    if type_.adapter or type_.memory or inner.memory:
        return None
    listed = isinstance(obj, list | tuple)
    if not listed and not _has_rows(inner, obj):
        return None
    if not listed:
        _check_apart(inner, obj, words)
    items = tuple(obj)  # as they are now: what is asked of one may run code that changes the list
    if len(items) < type_.least:
        advice = f"It has {len(items)}, and {type_.least} are declared"
        raise Mismatch(ArrayError, words, value_words(obj), advice)
    found = []
    for i, item in enumerate(items):
        with at(f"[{i}]"):
            found.append(_item(inner, item, dialect))
    data = b"".join(bytes(one.data) for one in found)
    address, room = aligned_copy(data + bytes(_ADDRESS.size), _ADDRESS.size)
    owners = tuple(owner for one in found for owner in one.owners)
    if type_.const:
        return Packed(_ADDRESS.pack(address), (room, *owners))
    start = address - room.__array_interface__["data"][0]
    slots = room[start : start + len(data)]
    return Packed(_ADDRESS.pack(address), (ListArray(obj, items, slots, type_), *owners))


def _has_rows(inner: Pointer, obj: Any) -> bool:
    """Whether an object is an array of arrays of what the addresses lead to."""
    if not isinstance(inner.target, Scalar | Enum | Pointer) or isinstance(obj, _native.Pointer):
        return False
    if isinstance(obj, str | bytes | bytearray | _native.Record | _native.Value):
        return False
    return getattr(obj, "ndim", 0) >= 2 and hasattr(type(obj), "__getitem__")


def _check_apart(inner: Pointer, obj: Any, words: str) -> None:
    """Rows that C++ writes to lie apart."""
    while isinstance(inner.target, Pointer):
        inner = inner.target
    try:
        overlap = "" if inner.const else overlap_words(view(obj))
    except ProtocolError:
        return  # the rows say what they are
    if overlap:
        advice = f"C++ may write to it, and {overlap}: pass an array whose elements lie apart"
        raise Mismatch(ArrayError, words, value_words(obj), advice)


def _item(inner: Pointer, item: Any, dialect: str) -> Packed:
    listed = isinstance(item, list | tuple)
    if isinstance(inner.target, Pointer) and not inner.const and (listed or _has_rows(inner.target, item)):
        advice = "C++ may write addresses there, which would be lost: pass an array of addresses"
        raise Mismatch(ArgumentError, f"the address of {inner.target}", value_words(item), advice)
    if listed and inner.const and isinstance(inner.target, Scalar | Enum):
        row = convert(CArray(inner.target, (len(item),)), item, dialect) if item else Packed(bytes(8))
        address, room = aligned_copy(bytes(row.data), 16)
        return Packed(_ADDRESS.pack(address), (room,))
    return convert(inner, item, dialect)
