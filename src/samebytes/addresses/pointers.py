"""Pointer parameters: what may stand for an address, and who keeps the memory behind it."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .. import _native
from ..conversion import Packed, convert, register
from ..conversion.structs import address_of, snapshot
from ..dialects import layout
from ..errors import ArgumentError, ArrayError, Mismatch, value_words
from ..types import VOID, CArray, Function, Named, Pointer, Struct, Type
from ..view import ArrayView
from .needs import Need, checked_view, got_words

_ADDRESS = struct.Struct("P")


def pointer_rule(type_: Pointer, obj: Any, dialect: str) -> Packed:
    """The address that an argument stands for.

    Text for ``const char*``; else a ``Pointer``, a record, one value for a pointer to const, an array, or None.
    """
    if obj is None:
        return Packed(_ADDRESS.pack(0))
    if isinstance(type_.target, Function):
        return convert(type_.target, obj, dialect)
    if isinstance(obj, _native.Pointer):
        return Packed(_ADDRESS.pack(obj.address), (obj,))
    if type_.is_string:
        return _text(obj)
    if isinstance(obj, _native.Record) and _is_record_of(type_.target, obj):
        return Packed(_ADDRESS.pack(address_of(obj)), (obj, *snapshot(obj)[1].values()))
    words = _words(type_)
    if type_.const and type_.target != VOID:
        held = _one_value(type_.target, obj, dialect)
        if held is not None:
            return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held,))
    for kinds, advice in _REFUSED:
        if isinstance(obj, kinds) and not (kinds is np.generic and type_.const):
            raise Mismatch(ArgumentError, words, value_words(obj), advice)
    if isinstance(type_.target, Pointer | Named):
        raise Mismatch(ArgumentError, words, value_words(obj))
    return _array(type_, obj, dialect, words)


# What is no address, though one might think so.
_REFUSED: tuple[tuple[Any, str], ...] = (
    (int, "sb.Pointer(address) says that a number is an address"),
    (_native.Value, "C++ may write through it, and the value is immutable: pass a record"),
    (
        np.generic,
        "A NumPy scalar is a value without a place of its own: pass an array, x[i:i + 1] of one element",
    ),
)


def _words(type_: Pointer) -> str:
    spelled = f"{'const ' if type_.const else ''}{type_.target}*"
    if isinstance(type_.target, Struct | Named):
        return f"a record {type_.target}, a Pointer or None ({spelled})"
    elements = "bytes" if type_.target == VOID else f"{type_.target}[n]"
    return f"contiguous {elements} in host memory, a Pointer or None ({spelled})"


def _array(type_: Pointer, obj: Any, dialect: str, words: str) -> Packed:
    target = type_.target
    element = target.element if isinstance(target, CArray) else target
    seen = checked_view(Need(element, None, type_.const, True, dialect, words), obj)
    if isinstance(target, CArray):
        _check_rows(target, seen, obj, words)
    return Packed(_ADDRESS.pack(seen.ptr), (seen,))


def _check_rows(target: CArray, seen: ArrayView, obj: Any, words: str) -> None:
    if seen.shape[-len(target.shape) :] != target.shape:
        rows = "[n, " + ", ".join(map(str, target.shape)) + "]"
        raise Mismatch(ArrayError, words, got_words(obj, seen), f"the shape must be {rows}")


def _is_record_of(target: Type, record: Any) -> bool:
    described = type(record).__samebytes_type__
    if target == VOID:
        return True
    if isinstance(target, Named):  # a record may point to itself, or to one that is declared later
        return bool(described.name == target.name)
    return isinstance(target, Struct) and bool(described == target)


def _one_value(target: Type, obj: Any, dialect: str) -> np.ndarray[Any, Any] | None:
    """Storage with one converted value, if the object is one value of the target type."""
    if isinstance(obj, np.ndarray) and obj.ndim:
        return None
    try:
        data = convert(target, obj, dialect).data
    except Mismatch:
        return None
    facts = layout(target, dialect)
    room = np.zeros(facts.size + facts.align, np.uint8)
    start = -room.__array_interface__["data"][0] % facts.align
    held = room[start : start + facts.size]
    held[:] = np.frombuffer(data, np.uint8)
    return held


def _text(text: Any) -> Packed:
    """Text that lives through the call: UTF-8, and bytes that a result decoded by ``surrogateescape`` as they were."""
    words = "text (str or bytes), a Pointer or None (const char*)"
    if not isinstance(text, str | bytes):
        advice = "bytes(x) makes text of it" if isinstance(text, bytearray | memoryview) else ""
        raise Mismatch(ArgumentError, words, value_words(text), advice)
    try:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise Mismatch(
            ArgumentError, words, value_words(text), f"It is no Unicode text: {error.reason}"
        ) from None
    if b"\0" in data:
        raise Mismatch(ArgumentError, words, value_words(text), "C++ would see it end at its NUL character")
    held = np.frombuffer(data + b"\0", np.uint8)
    return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held,))


register(Pointer, pointer_rule)
