"""Reads what the compiled core does not: None, arrays held by a value, elements of a larger alignment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _native
from ..layouts import compute
from ..layouts.dialects import find_dialect
from ..types import Aligned, Array, Atomic, ByKind, CArray, Const, Pointer, Scalar, Struct, Tuple, Type, Void
from .codecs import WHERE, codec

# reader(type, bytes in dialect cxx, offset of the value, what keeps the targets of its pointers alive)
Reader = Callable[[Any, Any, int, Any], Any]

# What a value of each kind has inside; pointees and array elements lie elsewhere.
_INSIDE: ByKind[Callable[[Any], tuple[Type, ...]]] = ByKind(
    "values: what a value has inside",
    {
        CArray: lambda t: (t.element,),
        Struct: lambda t: () if t.python else tuple(f.type for f in t.fields),
        Tuple: lambda t: t.elements,
        Const: lambda t: (t.type,),
        Atomic: lambda t: (t.type,),
    },
    others="pointees and elements lie elsewhere",
)
_FOREIGN = (Void, Array, Aligned)


def is_native(type_: Type) -> bool:
    """Whether the compiled core reads values of a type by itself."""
    if isinstance(type_, Pointer) and type_.memory:
        return False
    inside = _INSIDE.get(type(type_), lambda _: ())(type_)
    return not isinstance(type_, _FOREIGN) and all(map(is_native, inside))


def read(type_: Type, data: Any, offset: int = 0, owner: Any = None) -> Any:
    """The value at an offset (bytes) of a buffer in dialect ``cxx``.

    ``owner`` keeps alive what the value's pointers point into.
    """
    reader = READERS.get(type(type_))
    return codec(type_).unpack(data, offset) if reader is None else reader(type_, data, offset, owner)


def piece(data: Any, offset: int, size: int) -> bytes:
    """Some bytes of a buffer, whatever its elements are."""
    return np.frombuffer(data, np.uint8, size, offset).tobytes()


def _number(type_: Scalar, data: Any, offset: int, owner: Any) -> Any:
    native = codec(type_)
    value = native.unpack(data, offset)
    raw = piece(data, offset, type_.size)
    if type_.kind not in ("float", "complex") or native.pack(value) == raw:
        return value
    # A NaN's payload, or an infinity that would saturate: only a number of the format itself has these bytes.
    return np.frombuffer(raw, type_.dtype)[0]


def _void(type_: Void, data: Any, offset: int, owner: Any) -> None:
    return None


def _pointer(type_: Pointer, data: Any, offset: int, owner: Any) -> Any:
    # Text stays an address: nothing says that these bytes, whoever made them, point to any.
    address = int.from_bytes(piece(data, offset, 8), "little")
    if type_.memory:
        return WHERE[0].read_pointer(address, owner, type_.levels[0])
    return _native.Pointer._behind(address, owner, type_.levels[0])


def _carray(type_: CArray, data: Any, offset: int, owner: Any, axis: int = 0) -> Any:
    if axis == len(type_.shape):
        return read(type_.element, data, offset, owner)
    step = compute(CArray(type_.element, type_.shape[axis + 1 :]), find_dialect("cxx")).size
    items = (_carray(type_, data, offset + i * step, owner, axis + 1) for i in range(type_.shape[axis]))
    return tuple(items)


def _struct(type_: Struct, data: Any, offset: int, owner: Any) -> Any:
    if type_.python:
        made: Any = codec(type_).unpack(data, offset)
        return made
    places = compute(type_, find_dialect("cxx")).fields
    if any(place.bit_width for place in places):
        return codec(type_).unpack(data, offset)
    return tuple(read(place.type, data, offset + place.offset, owner) for place in places)


READERS: ByKind[Reader] = ByKind(
    "values: how Python reads a value",
    {
        Scalar: _number,
        Void: _void,
        Pointer: _pointer,
        CArray: _carray,
        Struct: _struct,
        Tuple: _struct,
        Const: lambda type_, data, offset, owner: read(type_.type, data, offset, owner),
        Aligned: lambda type_, data, offset, owner: read(type_.type, data, offset, owner),
        Atomic: lambda type_, data, offset, owner: read(type_.type, data, offset, owner),
    },
    others="the core reads it: values/codecs.py",
)


class PythonField:
    """A descriptor for a field that :func:`read` reads; writing goes through the native one.

    ``shown`` is the native one that reads where an object of a class, which has no bytes, holds the field.
    """

    __slots__ = ("_field", "_offset", "_shown", "_type")

    def __init__(
        self, field: _native.Field, type_: Type, offset: int, shown: _native.Field | None = None
    ) -> None:
        self._field = field
        self._type = type_
        self._offset = offset
        self._shown = shown

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if self._shown is not None and isinstance(instance, _native.Handle):
            return self._shown.__get__(instance, owner)
        return self if instance is None else read(self._type, instance, self._offset, instance)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)
