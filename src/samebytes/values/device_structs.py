"""Structs that Python declares, with arrays in a device's memory: of each class one more, for each dialect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..layouts import device_memory, has_pointers
from ..types import Struct
from .building import descriptors
from .conversion.memory import memory_of, moved
from .struct_value import complete_class


def device_class(cls: Any, values: Iterable[Any]) -> Any:
    """The class of values whose arrays are in the memory where one of some values is; None: the host reads them all."""
    struct: Struct = cls.__samebytes_type__
    if not has_pointers(struct) or device_memory(struct):
        return None
    memory = next(filter(None, map(memory_of, values)), "")
    return class_in(cls, memory) if memory else None


def class_in(cls: Any, memory: str) -> Any:
    """The class of values whose addresses lead into a device's memory: derived from that of the host's, made once."""
    known: dict[str, Any] = vars(cls).get("__samebytes_devices__", {})
    if memory not in known:
        if not known:
            cls.__samebytes_devices__ = known
        known[memory] = _made(cls, memory)
    return known[memory]


def _made(cls: Any, memory: str) -> Any:
    struct: Struct = cls.__samebytes_type__
    fields = tuple(replace(f, type=moved(f.type, memory)) for f in struct.fields)
    there = replace(struct, fields=fields)
    members = {
        "__slots__": (),
        "__module__": cls.__module__,
        "__doc__": cls.__doc__,
        "__qualname__": cls.__qualname__,
        "__samebytes_host__": cls,
        **descriptors(there, None),
    }
    made = type(cls)(cls.__name__, (cls,), members)
    complete_class(made, there)
    return made
