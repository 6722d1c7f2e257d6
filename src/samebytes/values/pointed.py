"""Pointers to records in records of C: descriptors that show the record that lies there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _native
from ..types import Named, Pointer, Struct, unqualified
from .building import field_names
from .conversion.structs import address_of

# The class of a record by its name in C; None for what is no record of the library.
Records = Callable[[str], Any]


class Pointed:
    """Reads a pointer as a view of the record that it points to, None for null; writes it through the native field."""

    __slots__ = ("_field", "_name", "_records")

    def __init__(self, field: Any, name: str, records: Records) -> None:
        self._field = field
        self._name = name
        self._records = records

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        pointer = self._field.__get__(instance, owner)
        cls = self._records(self._name)
        if cls is None:
            return pointer
        if not pointer:
            return None
        assigned = _itself(pointer, cls)
        return cls._view(pointer.address, pointer) if assigned is None else assigned

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


def _itself(pointer: _native.Pointer, cls: Any) -> Any:
    """The record that was assigned, if the pointer still points there."""
    kept = pointer.owner if isinstance(pointer.owner, tuple) else (pointer.owner,)
    return next((r for r in kept if isinstance(r, cls) and address_of(r) == pointer.address), None)


def pointed_fields(struct: Struct, fields: dict[str, Any], records: Records) -> dict[str, Any]:
    """Descriptors of fields that point to a record, in the place of the native ones, by their Python names."""
    names = field_names(struct)
    found = {}
    for field in struct.fields:
        type_ = unqualified(field.type)
        if isinstance(type_, Pointer) and isinstance(type_.target, Named | Struct):
            found[names[field.name]] = Pointed(fields[names[field.name]], type_.target.name, records)
    return found
