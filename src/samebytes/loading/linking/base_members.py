"""Fields of base classes, asked for through these: each object holds a base where its own class says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ... import _native
from ...values.building import field_names, other_names
from ...values.conversion import structs
from ...values.ending import gone_words
from ...values.record_type import set_own


def place_bases(cls: Any, direct: Mapping[str, Any]) -> None:
    """Let the fields of a class's bases find their place in its objects, where that is not their beginning.

    A class has the fields of its bases itself. Those that it hides, or whose class somebody names
    (``Base.x.__get__(obj)``, ``super(Base, obj).x``), are the base's own, which count from its beginning.
    """
    for name, base in _all(direct):
        if cls.__samebytes_bases__.get(name) == 0:
            continue  # also of bases that are there twice or virtual: these have no place here
        struct = base.__samebytes_type__
        for label in (*field_names(struct).values(), *other_names(struct)):
            field = vars(base).get(label)
            if hasattr(type(field), "__get__") and not isinstance(field, _native.BaseMember):
                find = partial(_part, name, base, label)
                set_own(base, label, _native.BaseMember(base, field, find))


def seen(name: str, base: Any, label: str, instance: Any) -> Any:
    """The base of an object of any class that has it."""
    offset = None if structs.is_destroyed(instance) else structs.part_offset(name, instance)
    if offset is None:
        why = _native.why_gone(instance) or f"C++ has taken over this {type(instance).__name__} object"
        raise ValueError(f"field {label!r} {gone_words(why)}")
    place = structs.address_of(instance) + offset
    if issubclass(base, _native.Handle):
        return base.__samebytes_view__(
            place, instance, const=getattr(instance, "__samebytes_const__", False), exact=True
        )
    return base.__samebytes_view__(place, instance)


def _part(name: str, base: Any, label: str, instance: Any) -> Any:
    """What has the field of a base: the object, if the base is its beginning, else its part."""
    cls = type(instance)
    if not isinstance(instance, base):
        raise TypeError(f"field {label!r} does not belong to {cls.__name__!r} objects")
    if name == cls.__samebytes_type__.name or cls.__samebytes_bases__.get(name) == 0:
        return instance
    if name not in cls.__samebytes_bases__ and name not in cls.__samebytes_virtual__:
        raise AttributeError(
            f"{base.__name__} is an ambiguous base of {cls.__name__}: which {label!r} is open"
        )
    return seen(name, base, label, instance)


def _all(direct: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The bases of a class and theirs, by qualified name, one that is there twice once for each."""
    for name, base in direct.items():
        yield name, base
        yield from _all(base.__samebytes_direct__)
