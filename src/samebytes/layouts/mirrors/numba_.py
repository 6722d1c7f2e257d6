"""Mirror numba: numbers and records of Numba's, made from NumPy's dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import LayoutError, MissingDependency
from ...types import CArray, Type, as_type
from .. import compute
from ..dialects import Dialect
from .base import Mirror, refused, unreadable


def _numba() -> Any:
    try:
        import numba
    except ImportError:
        raise MissingDependency("Numba is not installed: pip install 'samebytes[numba]'") from None
    return numba


def _dtype(type_: Type, dialect: Dialect) -> np.dtype[Any]:
    # Plug-ins do not know each other; NumPy's is asked by name, as anyone would.
    from . import find_mirror

    try:
        made: np.dtype[Any] = find_mirror("numpy").make(type_, dialect)
    except LayoutError as error:
        raise refused(
            "numba", type_, str(error).rpartition(": ")[2].replace("NumPy", "Numba's record")
        ) from None
    return made


def make(type_: Type, dialect: Dialect) -> Any:
    """Numba's type: a number, or a record; a C array only inside a record."""
    numba, dtype = _numba(), _dtype(type_, dialect)
    if isinstance(type_, CArray):
        raise refused("numba", type_, "Numba has C arrays inside records only")
    wide = compute(type_, dialect).align
    if wide > dtype.alignment:
        raise refused("numba", type_, f"Numba aligns it to {dtype.alignment} bytes, not {wide}")
    try:
        return numba.from_dtype(dtype)
    except (numba.core.errors.NumbaError, NotImplementedError, AttributeError):
        raise refused("numba", type_, f"Numba does not know {dtype}") from None


def measure(made: Any) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    """Size, alignment, and the fields' names and offsets, as Numba says them."""
    if not hasattr(made, "fields"):
        dtype = np.dtype(_numba().np.numpy_support.as_dtype(made))
        return dtype.itemsize, dtype.alignment, ()
    ordered = sorted(made.fields.items(), key=lambda item: item[1].offset)
    return made.size, _alignment(made), tuple((name, field.offset) for name, field in ordered)


def _alignment(made: Any) -> int:
    """Of a number, a record, or an array inside a record; Numba itself knows the first only."""
    if hasattr(made, "fields"):
        return max(_alignment(field.type) for field in made.fields.values()) if made.aligned else 1
    if hasattr(made, "dtype"):
        return _alignment(made.dtype)
    return int(np.dtype(_numba().np.numpy_support.as_dtype(made)).alignment)


def read(hint: Any) -> Type | None:
    """The type of one of Numba's types, through NumPy."""
    numba = _numba()
    if not isinstance(hint, numba.types.Type):
        return None
    try:
        dtype = np.dtype(numba.np.numpy_support.as_dtype(hint))
    except (NotImplementedError, TypeError):
        raise unreadable(hint, "NumPy has no dtype of it") from None
    return as_type(dtype)


MIRROR = Mirror("numba", ("numba",), make, read, measure)
