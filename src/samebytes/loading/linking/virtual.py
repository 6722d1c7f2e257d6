"""Virtual bases: each object says itself where they lie, so a shim is asked, and their members are reached there."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

from ... import _native
from ...frozen import frozen
from ...model.symbols import upcast_symbol, virtual_bases
from ...values.building import field_names, other_names
from ...values.record_type import set_own
from .base_members import seen
from .inherited_names import finds
from .loaded_module import LoadedModule

_SHIM = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@frozen
class Upcast:
    """Where an object has a virtual base, or a base of that one.

    Attributes
    ----------
    shim : int
        The address of what asks the object.
    offset : int
        Bytes, of the base behind the one that the shim finds.
    """

    shim: int
    offset: int = 0

    def __call__(self, place: int) -> int:
        args = (ctypes.c_void_p * 2)(place, None)
        _SHIM(self.shim)(ctypes.addressof(args))
        return (args[1] or 0) + self.offset


def add_virtual_bases(compiled: LoadedModule) -> None:
    """Let the classes of a module find their virtual bases."""
    records = compiled.linker.records
    for index, struct in enumerate(compiled.module.records):
        if records.waits(struct.name):
            continue  # of a record without bases
        cls = records[struct.name]
        if cls.__samebytes_virtual__:
            continue  # of a module that this one extends
        found: dict[str, Upcast] = {}
        for number, base in enumerate(virtual_bases(compiled.module, struct)):
            shim = compiled.loaded.address(upcast_symbol(index, number))
            found[base.name] = Upcast(shim)
            for name, offset in records[base.name].__samebytes_bases__.items():
                found.setdefault(name, Upcast(shim, offset))
        for name in struct.twice:
            found.pop(name, None)
        cls.__samebytes_virtual__ = found
        for name, upcast in found.items():
            if name in records:  # not a base that Python does not know, as std::enable_shared_from_this
                _add_members(cls, name, records[name], upcast)


def _add_members(cls: Any, name: str, base: Any, upcast: Upcast) -> None:
    struct = base.__samebytes_type__
    names = {label: name for name, label in field_names(struct).items()}
    for label in (*names, *other_names(struct)):
        if label not in cls.__dict__ and finds(cls, names.get(label, label), base):
            found = partial(seen, name, base, label)
            set_own(cls, label, _native.VirtualMember(cls, base, label, found, upcast.shim, upcast.offset))
