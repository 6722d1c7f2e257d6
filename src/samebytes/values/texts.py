"""Texts in records that a number beside them measures, ``const char* data; size_t size``: so many bytes, and no NUL."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from .. import _native
from ..layouts import compute, overlapping
from ..layouts.dialects import find_dialect
from ..types import Pointer, Scalar, Struct, Type, unqualified
from ..types import length_parameters as lengths
from .building import field_names
from .codecs import Resolve, codec
from .conversion import structs

Kind = TypeVar("Kind", bound=Struct)
# How many of something else, or how much there may be: a text that ends with a NUL may stand beside them.
_OTHER = re.compile(r"(?i)max|min|cap|limit|alloc|count|cnt|num|nr")


def with_lengths(struct: Kind) -> Kind:
    """The struct, whose texts know by which field they are measured; the types of its fields are the same."""
    roles = [_role(f.name, f.type) for f in struct.fields]
    if lengths.Role.DATA not in roles or lengths.Role.NUMBER not in roles:
        return struct
    shared = overlapping(struct, find_dialect("cxx"))
    roles = [
        lengths.Role.OTHER if f.name in shared else role for f, role in zip(struct.fields, roles, strict=True)
    ]
    names, fields = [f.name for f in struct.fields], list(struct.fields)
    for i, numbers in lengths.measured(names, roles, sure=True).items():
        type_ = unqualified(fields[i].taken or fields[i].type)
        if len(numbers) == 1 and isinstance(type_, Pointer):
            fields[i] = replace(fields[i], taken=replace(type_, measured=names[numbers[0]]))
    return replace(struct, fields=tuple(fields))


def _role(name: str, type_: Type) -> lengths.Role:
    type_ = unqualified(type_)
    if isinstance(type_, Pointer) and type_.is_string:
        return lengths.Role.DATA
    if _OTHER.search(name):
        return lengths.Role.OTHER
    return (
        lengths.Role.NUMBER
        if isinstance(type_, Scalar) and type_.kind in ("int", "uint")
        else lengths.Role.OTHER
    )


class Measured:
    """Reads a text as the bytes that a number says; writes its address, and leaves the number alone."""

    __slots__ = ("_field", "_length", "_offset")

    def __init__(self, field: Any, length: Any, offset: int) -> None:
        self._field = field
        self._length = length
        self._offset = offset

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        pointer = self._field.__get__(instance, owner)
        if not pointer:
            return None
        size = self.size(instance)
        return ctypes.string_at(pointer.address, -1 if size is None else size)

    def size(self, instance: Any) -> int | None:
        """The bytes of the text; None: it ends with a NUL."""
        length: int = self._length.__get__(instance)
        if not 0 <= length <= sys.maxsize:
            return None
        most = _there(instance, self._offset, self._field.__get__(instance)) if length else None
        return length if most is None else min(length, most)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


def _there(instance: Any, offset: int, pointer: _native.Pointer) -> int | None:
    """The bytes of a text that Python gave, and that an instance holds for a field; None for any other."""
    owners = _owners(instance, offset, pointer)
    flat = [one for owner in owners for one in (owner if isinstance(owner, tuple) else (owner,))]
    places = (_PLACES[type(one)](one) for one in flat if type(one) in _PLACES)
    return next((size for place, size in places if place == pointer.address), None)


def _owners(instance: Any, offset: int, pointer: _native.Pointer) -> list[Any]:
    """What an instance holds for a field; of an object of C++ all that it holds for the pointer."""
    if isinstance(instance, _native.Handle):
        return [pointer.owner]
    kept = structs.snapshot(instance)[1].items()
    return [owner for (at, size), owner in kept if at <= offset < at + size]


def _of_text(text: str) -> tuple[int, int]:
    size = ctypes.c_ssize_t()
    return _utf8(text, ctypes.byref(size)), size.value + 1


def _of_view(view: memoryview) -> tuple[int, int]:
    """A NUL follows the bytes of a ``bytes`` object."""
    return _address(np.frombuffer(view, np.uint8)), view.nbytes + isinstance(view.obj, bytes)


def _address(array: Any) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


_UTF8 = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
_utf8 = _UTF8(("PyUnicode_AsUTF8AndSize", ctypes.pythonapi))
# The address and the bytes of what a text was made of.
_PLACES: dict[type, Callable[[Any], tuple[int, int]]] = {
    np.ndarray: lambda array: (_address(array), array.nbytes),
    memoryview: _of_view,
    str: _of_text,
}


def measured_fields(struct: Struct, fields: dict[str, Any], resolve: Resolve | None) -> dict[str, Any]:
    """Descriptors of such texts, in the place of the native ones, by their Python names."""
    names, found = field_names(struct), {}
    places = {place.name: place for place in compute(struct, find_dialect("cxx")).fields}
    for field in struct.fields:
        if isinstance(field.taken, Pointer) and field.taken.measured:
            address = codec(field.taken, "cxx", resolve)
            offset = places[field.name].offset
            native = _native.Field(field.name, address, offset)
            found[names[field.name]] = Measured(native, fields[names[field.taken.measured]], offset)
    return found
