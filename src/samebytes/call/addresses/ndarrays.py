"""Arrays of any rank and elements: the descriptor of an array that a class of C++'s copies, or shows where it lies."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

from ... import _native
from ...arrays.protocols import view
from ...arrays.view import ArrayView
from ...errors import ArrayError, Mismatch, ProtocolError
from ...types import ArrayRule, NdArray, unqualified
from ...values.conversion import Packed
from .needs import Need, checked_view, got_words

_WIRE = struct.Struct(f"PQq{2 + 2 * NdArray.MOST}q")


def ndarray_rule(type_: NdArray, obj: Any, dialect: str) -> Packed:
    """The descriptor of the elements where they are, which C++ copies unless it writes to them."""
    words = f"{type_} in host memory ({type_.words})"
    seen = checked_view(_need(type_, obj, dialect, words), obj)
    reason = "; ".join(filter(None, (_wrong_rank(type_, seen), _wrong_strides(type_, seen))))
    if reason:
        raise Mismatch(ArrayError, words, got_words(obj, seen), reason)
    rest = (0,) * (NdArray.MOST - seen.ndim)
    place = next(
        i for i, element in enumerate(type_.elements) if seen.type and element == unqualified(seen.type)
    )
    size = seen.size * type_.elements[place].dtype.itemsize
    packed = _WIRE.pack(seen.ptr, size, 1, seen.ndim, place, *seen.shape, *rest, *seen.byte_strides, *rest)
    return Packed(packed, (seen if type_.writes else _native.unwritten(seen),))


def _need(type_: NdArray, obj: Any, dialect: str, words: str) -> Need:
    """What is asked of the very elements of an array, if these are among those that the class may have."""
    element = type_.elements[0]
    if len(type_.elements) > 1:
        try:
            found = view(obj, dialect=dialect)
        except ProtocolError:
            found = None  # the words are found where it is asked again
        if found is not None and found.type is not None:
            kind = unqualified(found.type)
            if kind not in type_.elements:
                listed = ", ".join(map(str, type_.elements))
                reason = f"the elements must be one of {listed}"
                raise Mismatch(ArrayError, words, got_words(obj, found), reason)
            element = kind
    return Need(replace(ArrayRule.of(type_), element=element), dialect, words)


def _wrong_rank(type_: NdArray, seen: ArrayView) -> str:
    if type_.least <= seen.ndim <= type_.most:
        return ""
    several = f"{type_.least} to {type_.most}" if type_.least < type_.most else f"{type_.most}"
    return f"it must be of {several} dimensions, not {seen.ndim}"


def _wrong_strides(type_: NdArray, seen: ArrayView) -> str:
    """Why C++ cannot write to the elements where they are; empty: it can, or has its own."""
    if not type_.writes or not type_.order or seen.size == 0:
        return ""
    axes = list(zip(seen.shape, seen.byte_strides, strict=True))
    expected = seen.dtype.itemsize
    for extent, stride in axes if type_.order == "F" else axes[:0:-1]:
        if extent > 1 and stride != expected:
            return _words(type_, seen)
        expected *= extent
    extent, stride = axes[0]
    return _words(type_, seen) if type_.order == "C" and extent > 1 and stride < expected else ""


def _words(type_: NdArray, seen: ArrayView) -> str:
    """What a class that shows elements where they are asks for."""
    first = "first index" if type_.order == "F" else "last index"
    gaps = "" if type_.order == "F" else ", with gaps between the rows at most,"
    return (
        f"its elements must lie one after another, the {first} fastest{gaps} for {type_.words} shows them where they "
        f"are, and what C++ wrote to a copy would be lost"
    )
