"""Sequences, arrays and text into C arrays held by value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _native
from ...errors import OVERWHELMED, ArgumentError, ArrayError, Mismatch, RangeError, value_words
from ...layouts.dialects import find_dialect
from ...types import CHAR, SCALARS, CArray, Type, Vector
from .base import Packed, at, convert
from .structured import dtype_difference


def convert_carray(type_: CArray, value: Any, dialect: str) -> Packed:
    """The elements in C order: of a tuple or list, or of an array of the same shape; text into ``char[n]``."""
    if type_.element == CHAR and isinstance(value, str | bytes | bytearray):
        return _text(type_, value)
    array = _host_array(_bytes_as(type_.element, value))
    if array is not None:
        return _from_array(type_, array, value, dialect)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        raise Mismatch(
            ArgumentError, str(type_), value_words(value), "Pass a list, a tuple or an array of its elements"
        )
    return _sequence(type_, type_.shape, tuple(value), dialect)


_BYTES = (SCALARS["uint8"], SCALARS["int8"], CHAR)


def _bytes_as(element: Type, value: Any) -> Any:
    """Bytes, which have no type of their own, as elements of one byte; anything else as it is."""
    untyped = isinstance(value, bytes | bytearray | memoryview) and memoryview(value).format in ("B", "c")
    if not untyped or element not in _BYTES:
        return value
    return np.frombuffer(value, np.uint8).view(element.numpy)


def _text(type_: CArray, value: str | bytes | bytearray) -> Packed:
    data = value.encode() if isinstance(value, str) else bytes(value)
    if len(type_.shape) != 1 or len(data) > type_.count:
        raise Mismatch(RangeError, f"at most {type_.count} bytes of text ({type_})", value_words(value))
    return Packed(data.ljust(type_.count, b"\0"))


def _host_array(value: Any) -> np.ndarray[Any, Any] | None:
    """An array in host memory, or what shows one by the buffer protocol; None for anything else."""
    if isinstance(value, np.ma.MaskedArray):
        raise Mismatch(
            ArrayError, "an array without a mask", value_words(value), "x.filled(...) decides what is masked"
        )
    if isinstance(value, np.ndarray):
        return value
    try:
        if not isinstance(value, str | bytes | bytearray | _native.Record | _native.Value):
            return np.asarray(memoryview(value))
    except (TypeError, ValueError, BufferError):
        pass  # no buffer, or one whose format NumPy does not read
    try:
        on_host = value.__dlpack_device__()[0] == 1
        return np.asarray(value) if on_host else None
    except OVERWHELMED:
        raise
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError):
        return None


def _from_array(type_: CArray, array: np.ndarray[Any, Any], value: Any, dialect: str) -> Packed:
    table = find_dialect(dialect)
    outer, inner = array.shape[: len(type_.shape)], array.shape[len(type_.shape) :]
    if outer == type_.shape and not dtype_difference(type_.element, np.dtype((array.dtype, inner)), table):
        return Packed(array.tobytes())
    if outer != type_.shape or (inner and not isinstance(type_.element, Vector)):
        got = f"shape {list(array.shape)} of {array.dtype} ({type(value).__name__})"
        raise Mismatch(ArrayError, f"{type_} of shape {list(type_.shape)}", got)
    return _sequence(type_, type_.shape, array, dialect)


def _sequence(type_: CArray, shape: tuple[int, ...], value: Any, dialect: str) -> Packed:
    if not shape:
        return convert(type_.element, value, dialect)
    is_sequence = isinstance(value, tuple | list | np.ndarray)
    if not is_sequence or len(value) != shape[0]:
        got = f"{len(value)}: {value_words(value)}" if is_sequence else value_words(value)
        raise Mismatch(ArgumentError, f"{shape[0]} element{'s' if shape[0] != 1 else ''} ({type_})", got)
    data, owners = list[bytes](), list[Any]()
    # To convert an element may run any code, which may lengthen or shorten a list that was counted.
    for i, item in enumerate(tuple(value) if isinstance(value, list) else value):
        with at(f"[{i}]"):
            packed = _sequence(type_, shape[1:], item, dialect)
        data.append(packed.data)
        owners += packed.owners
    return Packed(b"".join(data), tuple(owners))
