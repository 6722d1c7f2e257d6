"""Which parameters of a C API are outputs, and which adapter stands for each of the others: by rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..headers.model import Module
from ..intents import IN, out_return
from ..layout import walk
from ..signature import Parameter, Signature
from ..types import CHAR, Const, Enum, Function, Named, Pointer, Scalar, unqualified

# Launch arguments: their names say that an array goes in (hip_runtime_api.h, cuda.h).
_INPUTS = frozenset({"kernelParams", "extra"})
_BYTE = 1

# The adapter of an input pointer by what it points to (HIP Python, "List Types").
_LISTS = {
    "int32": "ListOfInt",
    "uint32": "ListOfUnsigned",
    "uint64": "ListOfUnsignedLong",
    "int64": "ListOfLong",
}
_NAMED = {"kernelParams": "KernelParams", "extra": "LaunchExtra"}


def apply_style(module: Module, style: str) -> Module:
    """The module with the outputs and adapters of its style; those that a user chose come after and count more."""
    if style != "c_api":
        return module
    functions = tuple(map(_styled, module.functions))
    opaque = tuple(_opaque(module))
    # What is only named is bound as a class of handles.
    skipped = tuple(s for s in module.skipped if s.name not in opaque)
    return replace(module, functions=functions, opaque=opaque, skipped=skipped)


def _opaque(module: Module) -> Iterator[str]:
    """The types that the header only names, in the order of their first use."""
    types = [t for f in module.functions for t in (*(p.type for p in f.parameters), f.result)]
    types += [field.type for record in module.records for field in record.fields]
    types += [alias.type for alias in module.aliases]
    known = {record.name for record in module.records}
    found = {part.name: None for t in types for part in walk(t) if isinstance(part, Named)}
    return (name for name in found if name not in known)


def _styled(signature: Signature) -> Signature:
    return replace(signature, parameters=tuple(map(_parameter, signature.parameters)))


def _parameter(parameter: Parameter) -> Parameter:
    type_ = parameter.type
    if not isinstance(type_, Pointer) or parameter.passing != "value" or parameter.intent != IN:
        return parameter
    adapted = replace(parameter, type=replace(type_, adapter=_adapter(parameter.name, type_)))
    return replace(adapted, intent=out_return) if is_output(parameter) else adapted


def is_output(parameter: Parameter) -> bool:
    """Whether a parameter is one that a C API fills: ``T**``, or a pointer to one number or enumerator.

    Pointers to const, arrays and byte buffers are none; neither are pointers to structs, which the caller owns.
    """
    type_ = parameter.type
    assert isinstance(type_, Pointer)
    if type_.const or parameter.extent is not None or parameter.name in _INPUTS:
        return False
    target = type_.pointee
    if isinstance(target, Pointer):
        return not target.const
    return isinstance(target, Enum) or (isinstance(target, Scalar) and target.size > _BYTE)


def _adapter(name: str, type_: Pointer) -> str:
    target = unqualified(type_.pointee)
    if isinstance(target, Function):
        return ""
    if isinstance(target, Pointer):
        text = isinstance(target.pointee, Const) and target.pointee.type == CHAR
        return _NAMED.get(name, "ListOfBytes" if text else "ListOfPointer")
    if type_.is_string:
        return ""
    return _LISTS.get(target.name, "Pointer") if isinstance(target, Scalar) else "Pointer"
