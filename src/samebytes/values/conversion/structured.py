"""Whether two types, or a type and NumPy's structured dtypes, are the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...layouts import Table, compute
from ...layouts.dialects import find_dialect
from ...layouts.differences import difference
from ...types import Aligned, Atomic, CArray, Enum, Scalar, Struct, Type, Vector, unqualified


def same_layout(a: Type, b: Type, dialect: str = "cxx") -> bool:
    """Whether two types mean the same bytes and field names; names of structs do not matter."""
    return not difference(a, b, find_dialect(dialect))


def dtype_fits(type_: Type, dtype: np.dtype[Any], dialect: str = "cxx") -> bool:
    """Whether elements of a NumPy dtype, structured ones included, are the bytes of a type."""
    return not dtype_difference(type_, dtype, find_dialect(dialect))


def dtype_difference(type_: Type, dtype: np.dtype[Any], table: Table, path: str = "") -> str:
    """The first way in which a dtype's elements are not the bytes of a type; empty if they are.

    Names, offsets and formats of all fields must agree, and the size of the whole; padding may hold anything.
    """
    type_ = unqualified(type_)
    if isinstance(type_, Enum):
        type_ = type_.underlying
    if isinstance(type_, Atomic):
        type_ = type_.type
    where = f"field {path.lstrip('.')}" if path else "the dtype"
    if dtype.itemsize != compute(type_, table).size:
        return f"{where} has {dtype.itemsize} bytes, not {compute(type_, table).size}"
    if isinstance(type_, Aligned):
        return _padded(type_, dtype, table, path, where)
    if isinstance(type_, Scalar):
        same = dtype.isnative and dtype == type_.dtype
        return "" if same else f"{where} is {dtype}, not {type_}"
    if isinstance(type_, Struct) or (isinstance(type_, Vector) and dtype.names):
        return _fields(type_, dtype, table, path, where)
    extents, element = _parts(type_)
    base, shape = dtype.subdtype or (dtype, ())
    if not extents or shape[: len(extents)] != extents:
        return f"{where} is {dtype}, not {type_}"
    inner = shape[len(extents) :]
    return dtype_difference(element, np.dtype((base, inner)) if inner else base, table, f"{path}[0]")


_IN_ORDER = " in this order"


def layout_words(type_: Struct, dtype: np.dtype[Any], dialect: str = "cxx") -> str:
    """In what a structured dtype is not a struct, and what is; empty: it is the struct."""
    table = find_dialect(dialect)
    found = dtype_difference(type_, dtype, table)
    if not found or not dtype.names:
        return found
    if not dtype_difference(type_, _aligned(dtype), table):
        return f"{found}. numpy.dtype(..., align=True) lays fields out as C++ does"
    known = getattr(type_.python, "dtype", None) if type_.python else None
    return f"{found}. {type_.short_name}.dtype is the struct's" if isinstance(known, np.dtype) else found


def _aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A dtype as ``align=True`` makes it of the same fields, those of structs inside, too."""
    if dtype.subdtype:
        return np.dtype((_aligned(dtype.base), dtype.shape))
    if not dtype.names:
        return dtype
    formats: Any = dtype.fields
    return np.dtype([(name, _aligned(formats[name][0])) for name in dtype.names], align=True)


def _padded(type_: Aligned, dtype: np.dtype[Any], table: Table, path: str, where: str) -> str:
    """A wrapper's dtype has the fields of what it wraps, or one of any name that is it; and a larger size."""
    inner, size = unqualified(type_.type), compute(type_.type, table).size
    if dtype.itemsize == size:
        return dtype_difference(inner, dtype, table, path)
    if (
        dtype.names
        and isinstance(inner, Struct | Vector)
        and len(dtype.names) == len(compute(inner, table).fields)
    ):
        return _fields(inner, dtype, table, path, where)
    if not dtype.names or len(dtype.names) != 1:
        return f"{where} is {dtype}, not {type_}"
    held, offset = dtype.fields[dtype.names[0]][:2]  # type: ignore[index]
    return f"{where} is {dtype}, not {type_}" if offset else dtype_difference(inner, held, table, path)


def _parts(type_: Type) -> tuple[tuple[int, ...], Type]:
    if isinstance(type_, CArray):
        return type_.shape, type_.element
    return ((type_.size,), type_.element) if isinstance(type_, Vector) else ((), type_)


def _fields(type_: Type, dtype: np.dtype[Any], table: Table, path: str, where: str) -> str:
    places = compute(type_, table).fields
    names = tuple(p.name for p in places)
    if not dtype.names or dtype.names != names:
        shown = f"has the fields {', '.join(dtype.names)}" if dtype.names else "has no fields"
        return f"{where} {shown}, and not {', '.join(names)}" + _IN_ORDER * (
            set(dtype.names or ()) == set(names)
        )
    for place in places:
        inner, offset = dtype.fields[place.name][:2]  # type: ignore[index]
        if place.bit_width or offset != place.offset:
            return f"field {f'{path}.{place.name}'[1:]} lies at byte {offset}, not {place.offset}"
        if found := dtype_difference(place.type, inner, table, f"{path}.{place.name}"):
            return found
    return ""
