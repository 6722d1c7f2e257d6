"""Span parameters: the descriptor of an array whose strides and extents the C++ class can show."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ... import _native
from ...arrays.mdspan.checks import f_order
from ...arrays.view import ArrayView
from ...errors import ArrayError, Mismatch
from ...types import Span
from ...values.conversion import Packed
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


def span_rule(type_: Span, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array for a span: address, shape, and strides in elements."""
    words = f"{type_.element}{_letters(type_)} in host memory ({type_})"
    need = Need(type_.element, type_.ndim, type_.const, type_.layout == "right", dialect, words)
    seen = checked_view(need, obj)
    if reason := "; ".join(filter(None, (_wrong_extents(type_, seen), _STRIDES[type_.layout](seen)))):
        raise Mismatch(ArrayError, words, got_words(obj, seen), reason)
    held = _native.unwritten(seen) if type_.const else seen
    return Packed(struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides), (held,))
