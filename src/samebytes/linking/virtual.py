"""Virtual bases: each object says itself where they lie, so a shim is asked, and their members are reached there."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .. import _native
from ..conversion.structs import address_of, base_offset
from ..generate.shims import upcast_symbol, virtual_bases
from ..values.building import field_names, other_names
from .compiled import Compiled

_SHIM = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def add_virtual_bases(compiled: Compiled) -> None:
    """Let the classes of a module find their virtual bases."""
    records = compiled.linker.records
    for index, struct in enumerate(compiled.module.records):
        cls = records[struct.name]
        if cls.__samebytes_virtual__:
            continue  # of a module that this one extends
        found: dict[str, Callable[[int], int]] = {}
        for number, base in enumerate(virtual_bases(compiled.module, struct)):
            upcast = _upcast(compiled.loaded.address(upcast_symbol(index, number)))
            found[base.name] = upcast
            for name, offset in records[base.name].__samebytes_bases__.items():
                found.setdefault(name, _behind(upcast, offset))
        cls.__samebytes_virtual__ = found
        for name in found:
            _add_members(cls, name, records[name])


def _upcast(address: int) -> Callable[[int], int]:
    shim = _SHIM(address)

    def upcast(place: int) -> int:
        args = (ctypes.c_void_p * 2)(place, None)
        shim(ctypes.addressof(args))
        return args[1] or 0

    return upcast


def _behind(upcast: Callable[[int], int], offset: int) -> Callable[[int], int]:
    return lambda place: upcast(place) + offset


def _add_members(cls: Any, name: str, base: Any) -> None:
    struct = base.__samebytes_type__
    for label in (*field_names(struct).values(), *other_names(struct)):
        if label not in cls.__dict__:
            setattr(cls, label, _member(name, base, label))


def _member(name: str, base: Any, label: str) -> property:
    """A member of a virtual base, where the object has it."""

    def seen(instance: Any) -> Any:
        offset = base_offset(name, instance)
        if offset is None:
            raise ValueError(
                f"{label!r} of this {type(instance).__name__} object is gone: C++ has taken it over"
            )
        place = address_of(instance) + offset
        if issubclass(base, _native.Handle):
            return base._view(place, instance, const=getattr(instance, "_const", False), exact=True)
        return base._view(place, instance)

    def put(instance: Any, value: Any) -> None:
        setattr(seen(instance), label, value)

    return property(lambda instance: getattr(seen(instance), label), put)
