"""Members that C++ declares const: they are read, and nothing can be written through them."""

from __future__ import annotations

from typing import Any

from .. import _native
from ..types import CArray, Struct, Type, unqualified
from .array_views import unwritable
from .building import field_names
from .conversion.structs import address_of
from .pointed import Pointed


class _Constant:
    """A member that C++ declares const: it is read, and what it holds cannot be written to either."""

    __slots__ = ("_field", "_name")

    def __init__(self, field: Any, name: str) -> None:
        self._field = field
        self._name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value = self._field.__get__(instance, owner)
        return value if isinstance(self._field, Pointed) else unwritable(value, _native.mark_const)

    def __set__(self, instance: Any, value: object) -> None:
        raise AttributeError(f"{type(instance).__name__}.{self._name} is const in C++ and cannot be changed")

    __delete__ = __set__


class _Unassigned(_Constant):
    """A member whose class has no ``operator=`` that everyone may use: what it holds is set part by part."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else self._field.__get__(instance, owner)

    def __set__(self, instance: Any, value: object) -> None:
        own = self._field.__get__(instance)
        if (
            isinstance(value, _native.Record)
            and type(value) is type(own)
            and address_of(value) == address_of(own)
        ):
            return  # what `x.member += y` assigns once C++ has done it
        raise unassigned(f"{type(instance).__name__}.{self._name}")

    __delete__ = __set__


def unassigned(place: str) -> AttributeError:
    """The error of an assignment to an object that C++ lets nobody assign."""
    what = "its class has no operator= in C++ that everyone may use"
    return AttributeError(f"{place} cannot be assigned: {what}. Set its members")


def is_unassigned(type_: Type) -> bool:
    """Whether C++ assigns no object of a class, or no array of such, to another."""
    bare = unqualified(type_)
    while isinstance(bare, CArray):
        bare = unqualified(bare.element)
    return isinstance(bare, Struct) and not bare.assignable


def guarded(struct: Struct, fields: dict[str, Any]) -> dict[str, Any]:
    """The descriptors of a struct's fields, by their Python names, with those of const members read-only."""
    names = field_names(struct)
    found = dict(fields)
    for field in struct.fields:
        kind = _Constant if field.constant else _Unassigned if is_unassigned(field.type) else None
        if kind is not None and names[field.name] in found:
            found[names[field.name]] = kind(found[names[field.name]], field.name)
    return found
