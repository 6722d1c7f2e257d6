"""Pointers in classes to several things, which a member counts (``counts=``): tuples, or arrays of numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from .. import _native
from ..errors import count_error
from ..layouts import compute
from ..layouts.dialects import find_dialect
from ..types import Const, Enum, Named, Pointer, Scalar, Struct, Type, unqualified
from .building import field_names
from .codecs import codec
from .conversion import structs
from .pointed import Records, object_at, pointer_to_object

_ADDRESS = ctypes.sizeof(ctypes.c_void_p)
# Reads so many at an address, which an object keeps.
_Reader = Callable[[int, int, Any], Any]


class Counted:
    """Reads what a pointer points to, as many as a member says; writes the address through the native field.

    Parameters
    ----------
    field : descriptor
        The native one, of the address.
    count : descriptor
        Of the member that counts.
    place : (int, str, str)
        Bytes from the start of the object to the pointer, and the names of both members.
    read : callable
    """

    __slots__ = ("_count", "_field", "_place", "_read")

    def __init__(self, field: Any, count: Any, place: tuple[int, str, str], read: _Reader) -> None:
        self._field, self._count, self._place, self._read = field, count, place, read

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        count = self._count.__get__(instance)  # which says so of an object that is gone
        offset, name, counting = self._place
        if count < 0:
            raise count_error(f"{type(instance).__name__}.{name}", counting, count)
        address = _address_in(structs.address_of(instance) + offset)
        if not address:
            return None if count else ()
        return self._read(address, count, instance)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


class _Numbers:
    """Memory that NumPy shows, and what keeps it."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, address: int, count: int, dtype: np.dtype[Any], const: bool, owner: Any) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3, "shape": (count,), "typestr": dtype.str, "data": (address, const),
        }  # fmt: skip


def _address_in(place: int) -> int:
    found: int = ctypes.c_size_t.from_address(place).value
    return found


def _numbers(dtype: np.dtype[Any], const: bool) -> _Reader:
    def read(address: int, count: int, owner: Any) -> Any:
        # What NumPy has no letter for, as halves of other kinds, has the bytes of unsigned numbers in the interface.
        plain = dtype if dtype.kind in "biufc" else np.dtype(f"u{dtype.itemsize}")
        array = np.asarray(_Numbers(address, count, plain, const, owner))
        return array if plain is dtype else array.view(dtype)

    return read


def _objects(type_: Struct | Named, const: bool, records: Records) -> _Reader:
    """Of objects one behind another."""

    def read(address: int, count: int, owner: Any) -> Any:
        cls = records(type_.name)
        step = compute(cls.__samebytes_type__, find_dialect("cxx")).size
        places = range(address, address + count * step, step)
        if issubclass(cls, _native.Handle):
            return tuple(cls.__samebytes_view__(place, owner, const) for place in places)
        views = (cls.__samebytes_view__(place, owner) for place in places)
        return tuple(_native.mark_const(copy(view)) for view in views) if const else tuple(views)

    return read


def _pointers(type_: Pointer, records: Records) -> _Reader:
    """Of pointers: texts and objects of classes as these, others as addresses."""
    to_object = pointer_to_object(type_)
    text = codec(type_) if type_.is_text else None
    const, _ = type_.levels

    def read(address: int, count: int, owner: Any) -> Any:
        places = range(address, address + count * _ADDRESS, _ADDRESS)
        if text is not None:
            return tuple(text.unpack(ctypes.string_at(place, _ADDRESS)) for place in places)
        found = tuple(_native.Pointer._behind(_address_in(place), owner, const) for place in places)
        return found if to_object is None else object_at(found, to_object, records)

    return read


def _reader(type_: Pointer, records: Records) -> _Reader:
    pointee: Type = unqualified(type_.pointee)
    const = isinstance(type_.pointee, Const)
    if isinstance(pointee, Pointer):
        return _pointers(pointee, records)
    if isinstance(pointee, Struct | Named):
        return _objects(pointee, const, records)
    scalar = pointee.underlying if isinstance(pointee, Enum) else pointee
    assert isinstance(scalar, Scalar)  # what else there is was refused when the class was read
    return _numbers(scalar.dtype, const)


def counted_fields(struct: Struct, fields: dict[str, Any], records: Records) -> dict[str, Any]:
    """Descriptors of such pointers, in the place of the native ones, by their Python names."""
    names, found = field_names(struct), {}
    places = {place.name: place.offset for place in compute(struct, find_dialect("cxx")).fields}
    for field in struct.fields:
        if field.counted:
            type_, python = unqualified(field.type), names[field.name]
            assert isinstance(type_, Pointer)
            place = places[field.name], python, names[field.counted]
            found[python] = Counted(
                fields[python], fields[names[field.counted]], place, _reader(type_, records)
            )
    return found
