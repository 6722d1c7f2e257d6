"""Members that C++ declares const: they are read, and nothing can be written through them."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from .. import _native
from ..types import Struct
from .array_views import const_view, read_only
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
        return value if isinstance(self._field, Pointed) else _frozen(value)

    def __set__(self, instance: Any, value: object) -> None:
        raise AttributeError(f"{type(instance).__name__}.{self._name} is const in C++ and cannot be changed")

    __delete__ = __set__


def _frozen(value: Any) -> Any:
    """The value so that nothing can be written through it."""
    if isinstance(value, tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, _native.Handle):
        return const_view(value)
    if isinstance(value, _native.Record):
        return _value_of(value)
    return read_only(value) if isinstance(value, np.ndarray) else value


def guarded(struct: Struct, fields: dict[str, Any]) -> dict[str, Any]:
    """The descriptors of a struct's fields, by their Python names, with those of const members read-only."""
    names = field_names(struct)
    constant = {names[f.name]: f.name for f in struct.fields if f.constant}
    return {name: _Constant(f, constant[name]) if name in constant else f for name, f in fields.items()}
