"""Span parameters: the descriptor of an array whose strides and extents the C++ class can show."""

from __future__ import annotations

import struct
from math import prod
from typing import Any

from ... import _native
from ...arrays.mdspan.checks import c_order
from ...arrays.view import ArrayView
from ...errors import ArrayError, Mismatch
from ...layouts.dialects import layout
from ...types import ArrayRule, Scalar, Span, Type
from ...values.conversion import Packed
from . import device_pointers
from .needs import Need, checked_view, got_words, shape_words


def _object(type_: Span, obj: Any, dialect: str) -> Packed:
    """The bytes of the mdspan itself, for a kernel: the address, free extents, and the strides that it holds."""
    rule = ArrayRule.of(type_)
    words = f"{type_.element}{shape_words(rule)} in {device_pointers.place(type_)} ({type_})"
    seen = checked_view(Need(rule, dialect, words), obj)
    if reason := _beyond(type_, seen):
        raise Mismatch(ArrayError, words, got_words(obj, seen), reason)
    device_pointers.await_array(type_, seen)
    # layout_stride wants positive numbers also where a stride is never used.
    dense = c_order(tuple(max(n, 1) for n in seen.shape))
    strides = [s if n > 1 and s > 0 else d for s, n, d in zip(seen.strides, seen.shape, dense, strict=True)]
    free = [n for n, fixed in zip(seen.shape, type_.extents, strict=True) if fixed is None]
    held = {"extents": free, "strides": strides}
    names = [field.name for field in type_.image.fields if field.name in held]
    code = _letter(type_.index)
    places = {place.name: place.offset for place in layout(type_, dialect).fields}
    data = bytearray(layout(type_, dialect).size)
    struct.pack_into("P", data, 0, seen.ptr)
    for name in names:
        struct.pack_into(f"={len(held[name])}{code}", data, places[name], *held[name])
    return Packed(bytes(data), (_native.unwritten(seen) if type_.const else seen,))


def _beyond(type_: Span, seen: ArrayView) -> str:
    """That the mdspan's integers cannot count the elements (ISO C++ [mdspan.layout], preconditions)."""
    assert isinstance(type_.index, Scalar)
    bits = 8 * type_.index.size - (type_.index.kind == "int")
    shows = type_.layout == "stride"
    reach = seen.size
    if shows and seen.size:
        reach = 1 + sum((n - 1) * s for n, s in zip(seen.shape, seen.strides, strict=True))
    most = max([reach, prod(max(n, 1) for n in seen.shape), *seen.shape])
    if most < 1 << bits:
        return ""
    return f"its elements are too many for {type_.index}, by which the mdspan counts them"


def _letter(index: Type | None) -> str:
    assert isinstance(index, Scalar)
    return str(index.dtype.char) if index.size < 8 else "q" if index.kind == "int" else "Q"


def span_rule(type_: Span, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array for a span: address, shape, and strides in elements."""
    if type_.memory:
        return _object(type_, obj, dialect)
    rule = ArrayRule.of(type_)
    words = f"{type_.element}{shape_words(rule)} in host memory ({type_})"
    seen = checked_view(Need(rule, dialect, words), obj)
    held = _native.unwritten(seen) if type_.const else seen
    return Packed(struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides), (held,))
