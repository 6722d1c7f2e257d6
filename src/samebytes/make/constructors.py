"""Which constructors of kernels' structs Python calls, and what they take."""

from __future__ import annotations

from dataclasses import replace

from ..layouts import device_memory, walk
from ..model.intents import IN
from ..model.module import Module
from ..model.signature import Parameter, Signature
from ..types import ANY_DEVICE, CHAR, Array, Const, Pointer, in_memory


def constructors(module: Module, dialect: str) -> tuple[Signature, ...]:
    """The constructors of a module that Python calls: all but those whose objects Python makes of known bytes."""
    records = {record.name: record for record in module.records}
    found = (f for f in module.functions if f.kind == "constructor" and f.owner in records)
    return tuple(
        replace(f, parameters=tuple(_of_device(p, dialect) for p in f.parameters))
        for f in found
        if not f.implicit or (not f.parameters and records[f.owner].initial is None)
    )


def _of_device(parameter: Parameter, dialect: str) -> Parameter:
    """A pointer or an array leads into a device's memory, as the fields of the object do, unless it is text."""
    type_ = parameter.type
    text = isinstance(type_, Pointer) and type_.pointee == Const(CHAR)
    if parameter.intent != IN or text or parameter.passing != "value" or device_memory(type_):
        return parameter
    if not any(isinstance(part, Pointer | Array) for part in walk(type_)):
        return parameter
    return replace(parameter, type=in_memory(type_, f"{dialect}:{ANY_DEVICE}"))
