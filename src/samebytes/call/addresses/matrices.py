"""Matrices of C++'s libraries: the descriptor of an array whose shape and strides the class can have or show."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...arrays.view import ArrayView
from ...errors import ArrayError, Mismatch, ProtocolError, value_words
from ...types import ArrayRule, Matrix
from ...values.conversion import Packed, convert
from .needs import Need, checked_view, got_words

_WIRE = struct.Struct("PQq4q")


def matrix_rule(type_: Matrix, obj: Any, dialect: str) -> Packed:
    """The wire of a matrix: the elements where they are, or a copy where C++ would make one to show it."""
    words = f"{type_} in host memory ({type_.words})"
    reads = type_.shows != "writes"
    if isinstance(obj, list | tuple) and type_.shows in ("", "copies"):
        obj = _array_of(type_, obj, words, dialect)
    ndim = 1 if type_.columns and _is_vector(obj, dialect) else type_.ndim
    rule = replace(ArrayRule.of(type_), ndim=ndim)
    seen = checked_view(Need(rule, dialect, words), obj)
    reason = "; ".join(filter(None, (_wrong_shape(type_, seen), _wrong_strides(type_, seen))))
    if reason and type_.shows == "copies" and not _wrong_shape(type_, seen):
        lying = np.asarray(seen, order="F" if type_.order == "F" else "C")
        seen = checked_view(Need(ArrayRule.of(type_), dialect, words), lying)
        reason = _wrong_strides(type_, seen)
    if reason:
        raise Mismatch(ArrayError, words, got_words(obj, seen), reason)
    rows, columns, down, right = _both(type_, seen)
    packed = _WIRE.pack(seen.ptr, seen.size, 1, rows, columns, down, right)
    return Packed(packed, (_native.unwritten(seen) if reads else seen,))


def _is_vector(obj: Any, dialect: str) -> bool:
    try:
        return view(obj, dialect=dialect).ndim == 1
    except ProtocolError:
        return False  # why it is no array is said where it is asked again


def _array_of(
    type_: Matrix, rows: list[Any] | tuple[Any, ...], words: str, dialect: str
) -> np.ndarray[Any, Any]:
    """The array of a list, or of lists that are rows; each number is converted by itself."""
    numbers: list[Any] = list(rows)
    shape: tuple[int, ...] = (len(numbers),)
    if type_.ndim == 2:
        lengths = {len(row) if isinstance(row, list | tuple) else -1 for row in numbers}
        if len(lengths) != 1 or -1 in lengths:
            raise Mismatch(
                ArrayError, words, value_words(rows), "a list of rows, lists of the same length, serves"
            )
        shape = (len(numbers), *lengths)
        numbers = [number for row in numbers for number in row]
    data = b"".join(convert(type_.element, number, dialect).data for number in numbers)
    return np.frombuffer(data, type_.element.dtype).reshape(shape)


def _both(type_: Matrix, seen: ArrayView) -> tuple[int, int, int, int]:
    """Rows, columns, and their strides; those of one row or one column as one."""
    if seen.ndim == 2:
        (rows, columns), (down, right) = seen.shape, seen.strides
        return rows, columns, down, right
    (extent,), (stride,) = seen.shape, seen.strides
    return (
        (1, extent, extent, stride) if type_.order == "C" and type_.ndim == 1 else (extent, 1, stride, extent)
    )


def _wrong_shape(type_: Matrix, seen: ArrayView) -> str:
    shape = (*seen.shape, 1)[: type_.ndim]  # an array of one dimension may be one column
    fixed = all(n in (None, m) for n, m in zip(type_.extents, shape, strict=True))
    letters = [letter if n is None else str(n) for letter, n in zip("nm", type_.extents, strict=False)]
    return "" if fixed else f"the shape must be [{', '.join(letters)}]"


def _wrong_strides(type_: Matrix, seen: ArrayView) -> str:
    """Why the class cannot show the elements where they are; empty: it can, or has its own."""
    if not type_.shows or seen.size == 0:
        return ""
    rows, columns, down, right = _both(type_, seen)
    lines = [(rows, down), (columns, right)] if type_.order == "F" else [(columns, right), (rows, down)]
    (neighbours, inner), (count, outer) = lines
    near = inner if neighbours > 1 else type_.inner or 1
    asked = type_.outer or (neighbours * near if type_.outer == 0 else None)
    line, other = ("column", "row") if type_.order == "F" else ("row", "column")
    if neighbours > 1 and (near <= 0 or type_.inner not in (None, near)):
        what = "its elements" if type_.ndim == 1 else f"the elements of a {line}"
        return _words(type_, what, "next to each other" if type_.inner == 1 else _apart(type_.inner))
    if count > 1 and (outer <= 0 or asked not in (None, outer)):
        what = f"its {line}s" if inner == type_.inner else f"its {line}s, not its {other}s,"
        return _words(type_, what, "one after another" if type_.outer == 0 else _apart(asked))
    return ""


def _apart(stride: int | None) -> str:
    return f"{stride} elements apart" if stride else "in ascending order"


def _words(type_: Matrix, what: str, how: str) -> str:
    """What a class that shows elements where they are asks for, and how to give it that."""
    words = f"{what} must lie {how} in memory, for {type_.words} shows them where they are"
    if type_.shows == "writes":
        return f"{words}, and what C++ wrote to a copy would be lost"
    copy = "asfortranarray" if type_.order == "F" and type_.ndim == 2 else "ascontiguousarray"
    return f"{words}; numpy.{copy}(x) makes such a copy"
