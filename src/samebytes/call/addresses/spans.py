"""Span parameters: the descriptor of an array whose strides and extents the C++ class can show."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import prod
from typing import Any

from ... import _native
from ...arrays.mdspan.checks import c_order, f_order
from ...arrays.view import ArrayView
from ...errors import ArrayError, Mismatch
from ...layouts.dialects import layout
from ...types import Scalar, Span, Type
from ...values.conversion import Packed
from . import device_pointers
from .needs import Need, checked_view, got_words


def _letters(type_: Span) -> str:
    letters = [
        ("nmkl"[d] if d < 4 else f"n{d}") if n is None else str(n) for d, n in enumerate(type_.extents)
    ]
    return "[" + ", ".join(letters) + "]"


def _wrong_extents(type_: Span, seen: ArrayView) -> str:
    fixed = all(n in (None, m) for n, m in zip(type_.extents, seen.shape, strict=True))
    return "" if fixed else f"the shape must be {_letters(type_)}"


def _used(seen: ArrayView) -> list[tuple[int, int, int]]:
    """Extent, stride and the stride of Fortran order of each dimension whose stride counts."""
    if seen.size == 0:
        return []
    rows = zip(seen.shape, seen.strides, f_order(seen.shape), strict=True)
    return [row for row in rows if row[0] > 1]


def _not_left(seen: ArrayView) -> str:
    if all(stride == dense for _, stride, dense in _used(seen)):
        return ""
    return "it is not contiguous in Fortran order; numpy.asfortranarray(x) makes such a copy"


def _not_positive(seen: ArrayView) -> str:
    if all(stride > 0 for _, stride, _ in _used(seen)):
        return ""
    return "its strides are not all positive, which layout_stride asks for"


# What the layout itself asks for, beside what every array parameter asks for.
_STRIDES: dict[str, Callable[[ArrayView], str]] = {
    "right": lambda seen: "",
    "left": _not_left,
    "stride": _not_positive,
    "relaxed": lambda seen: "",
}


def _object(type_: Span, obj: Any, dialect: str) -> Packed:
    """The bytes of the mdspan itself, for a kernel: the address, free extents, and the strides that it holds."""
    words = f"{type_.element}{_letters(type_)} in {device_pointers.place(type_)} ({type_})"
    need = Need(
        type_.element, type_.ndim, type_.const, type_.layout == "right", dialect, words, memory=type_.memory
    )
    seen = checked_view(need, obj)
    told = (_wrong_extents(type_, seen), _STRIDES[type_.layout](seen), _beyond(type_, seen))
    if reason := "; ".join(filter(None, told)):
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
    reach = 1 + sum((n - 1) * s for n, s, _ in _used(seen)) if shows and seen.size else seen.size
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
    words = f"{type_.element}{_letters(type_)} in host memory ({type_})"
    need = Need(type_.element, type_.ndim, type_.const, type_.layout == "right", dialect, words)
    seen = checked_view(need, obj)
    if reason := "; ".join(filter(None, (_wrong_extents(type_, seen), _STRIDES[type_.layout](seen)))):
        raise Mismatch(ArrayError, words, got_words(obj, seen), reason)
    held = _native.unwritten(seen) if type_.const else seen
    return Packed(struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides), (held,))
