"""Whether NumPy's structured dtypes are the bytes of a struct."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..layout import Table, compute
from ..types import CArray, Enum, Scalar, Struct, Type, Vector, unqualified


def dtype_difference(type_: Type, dtype: np.dtype[Any], table: Table, path: str = "") -> str:
    """The first way in which a dtype's elements are not the bytes of a type; empty if they are.

    Names, offsets and formats of all fields must agree, and the size of the whole; padding may hold anything.
    """
    type_ = unqualified(type_)
    if isinstance(type_, Enum):
        type_ = type_.underlying
    where = f"field {path.lstrip('.')}" if path else "the dtype"
    if dtype.itemsize != compute(type_, table).size:
        return f"{where} has {dtype.itemsize} bytes, not {compute(type_, table).size}"
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


def _parts(type_: Type) -> tuple[tuple[int, ...], Type]:
    if isinstance(type_, CArray):
        return type_.shape, type_.element
    return ((type_.size,), type_.element) if isinstance(type_, Vector) else ((), type_)


def _fields(type_: Type, dtype: np.dtype[Any], table: Table, path: str, where: str) -> str:
    places = compute(type_, table).fields
    if not dtype.names or dtype.names != tuple(p.name for p in places):
        return f"{where} has no fields {', '.join(p.name for p in places)}"
    for place in places:
        inner, offset = dtype.fields[place.name][:2]  # type: ignore[index]
        if place.bit_width or offset != place.offset:
            return f"field {f'{path}.{place.name}'[1:]} lies at byte {offset}, not {place.offset}"
        if found := dtype_difference(place.type, inner, table, f"{path}.{place.name}"):
            return found
    return ""
