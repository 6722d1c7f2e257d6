"""Pointers to objects of classes in fields and variables: descriptors that show the object that lies there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _native
from ..types import CArray, Named, Pointer, Struct, Type, unqualified
from .building import field_names
from .conversion import structs

# The class of a record or a handle by its name in C++; None for what is none of the library.
Records = Callable[[str], Any]


class Pointed:
    """Reads pointers, each as a view of what it points to, None for null; writes them through the native field.

    Parameters
    ----------
    field : descriptor
        Reads a pointer, or tuples of them.
    type_ : Pointer
    records : callable
    """

    __slots__ = ("_field", "_records", "_type")

    def __init__(self, field: Any, type_: Pointer, records: Records) -> None:
        self._field = field
        self._type = type_
        self._records = records

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return object_at(self._field.__get__(instance, owner), self._type, self._records)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


def object_at(pointer: Any, type_: Pointer, records: Records) -> Any:
    """The object that a pointer points to, of its real class, or the very one that was assigned; None for null.

    Of each pointer in tuples; the address where Python has no such class. What C++ shows as const refuses to be
    written to.
    """
    if isinstance(pointer, tuple):
        return tuple(object_at(one, type_, records) for one in pointer)
    cls = records(type_.target.name)  # type: ignore[attr-defined]
    if cls is None:
        return pointer
    handle = issubclass(cls, _native.Handle)
    if not pointer:
        return None
    assigned = _itself(pointer, cls)
    if assigned is not None and not (handle and type_.const):
        return assigned
    view = cls.__samebytes_view__(pointer.address, pointer, *((type_.const,) if handle else ()))
    return _native.mark_const(view) if type_.const and not (handle or type_.viewed) else view


def _itself(pointer: _native.Pointer, cls: Any) -> Any:
    """The object that was assigned, if the pointer still points there."""
    owners = pointer.owner if isinstance(pointer.owner, tuple) else (pointer.owner,)
    return next((r for r in owners if isinstance(r, cls) and structs.address_of(r) == pointer.address), None)


def pointer_to_object(type_: Type) -> Pointer | None:
    """The type of the pointers to objects of a class that a field or a variable is made of; None if it is of none.

    Arrays of pointers stay that in C, where these may be lists of anything.
    """
    inner = unqualified(type_)
    while isinstance(inner, CArray):
        inner = unqualified(inner.element)
    if not isinstance(inner, Pointer) or not isinstance(inner.target, Named | Struct) or inner.memory:
        return None  # what lies in a device's memory is no object here
    return None if inner.viewed and isinstance(unqualified(type_), CArray) else inner


def pointed_fields(struct: Struct, fields: dict[str, Any], records: Records) -> dict[str, Any]:
    """Descriptors of fields that point to an object, in the place of the native ones, by their Python names."""
    names = field_names(struct)
    found = {}
    for field in struct.fields:
        if (type_ := pointer_to_object(field.type)) is not None:
            found[names[field.name]] = Pointed(fields[names[field.name]], type_, records)
    return found
