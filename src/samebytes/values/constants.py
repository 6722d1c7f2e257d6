"""Members that C++ declares const: they are read, and nothing can be written through them."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from ..types import Struct
from .array_views import unwritable
from .building import field_names
from .pointed import Pointed

_value_of = attrgetter("__samebytes_value__")


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
        return value if isinstance(self._field, Pointed) else unwritable(value, _value_of)

    def __set__(self, instance: Any, value: object) -> None:
        raise AttributeError(f"{type(instance).__name__}.{self._name} is const in C++ and cannot be changed")

    __delete__ = __set__


def guarded(struct: Struct, fields: dict[str, Any]) -> dict[str, Any]:
    """The descriptors of a struct's fields, by their Python names, with those of const members read-only."""
    names = field_names(struct)
    constant = {names[f.name]: f.name for f in struct.fields if f.constant}
    return {name: _Constant(f, constant[name]) if name in constant else f for name, f in fields.items()}
