"""Python values into the bytes of a known type: the one arbiter of what fits, rounds, or is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ArgumentError, Mismatch, value_words
from ...layouts import compute, difference
from ...layouts.dialects import find_dialect
from ...types import (
    Aligned,
    Array,
    Atomic,
    CArray,
    Const,
    Enum,
    Handle,
    Named,
    Object,
    Owner,
    Pointer,
    Scalar,
    Struct,
    Tuple,
    Type,
    Vector,
    Void,
)
from ..codecs import codec
from .base import RULES, Packed, convert, register
from .carrays import convert_carray
from .converted import CONVERTED
from .enums import convert_enum
from .handles import claim, conflict, convert_handle, convert_object, convert_owner
from .numbers import number
from .packing import pack, type_of, unpack
from .structs import convert_field, convert_struct, convert_vector, pack_fields, put_field
from .structured import dtype_difference

__all__ = [
    "RULES",
    "Packed",
    "claim",
    "conflict",
    "convert",
    "convert_field",
    "convert_handle",
    "dtype_fits",
    "pack",
    "pack_fields",
    "put_field",
    "register",
    "same_layout",
    "type_of",
    "unpack",
]


def same_layout(a: Type, b: Type, dialect: str = "cxx") -> bool:
    """Whether two types mean the same bytes and field names; names of structs do not matter."""
    return not difference(a, b, find_dialect(dialect))


def dtype_fits(type_: Type, dtype: np.dtype[Any], dialect: str = "cxx") -> bool:
    """Whether elements of a NumPy dtype, structured ones included, are the bytes of a type."""
    return not dtype_difference(type_, dtype, find_dialect(dialect))


def _pointer(type_: Pointer, value: Any, dialect: str) -> Packed:
    data = codec(type_, dialect).pack(value)
    if data is None:
        raise Mismatch(ArgumentError, str(type_), value_words(value), "Pass None or a Pointer")
    return Packed(data, (value,))


def _void(type_: Void, value: Any, dialect: str) -> Packed:
    if value is not None:
        raise Mismatch(ArgumentError, "None", value_words(value))
    return Packed(bytes(compute(type_, find_dialect(dialect)).size))


def _aligned(type_: Aligned, value: Any, dialect: str) -> Packed:
    inner = convert(type_.type, value, dialect)
    return Packed(inner.data.ljust(compute(type_, find_dialect(dialect)).size, b"\0"), inner.owners)


def _unknown(type_: Type, value: Any, dialect: str) -> Packed:
    raise Mismatch(ArgumentError, f"a pointer to {type_}", value_words(value), "Its layout is not known")


for _kind, _rule in {
    Scalar: lambda type_, value, dialect: Packed(number(type_, value)),
    Enum: convert_enum,
    Struct: convert_struct,
    Handle: convert_handle,
    Object: convert_object,
    Owner: convert_owner,
    Tuple: convert_struct,
    Aligned: _aligned,
    Atomic: lambda type_, value, dialect: convert(type_.type, value, dialect),
    Vector: convert_vector,
    CArray: convert_carray,
    Pointer: _pointer,
    Void: _void,
    Named: _unknown,
    Array: _unknown,
    Const: lambda type_, value, dialect: convert(type_.type, value, dialect),
    **CONVERTED,
}.items():
    register(_kind, _rule)
