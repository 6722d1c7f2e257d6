"""Texts that a C API gives back with their length, ``const char* iter_key(it, size_t* klen)``: so many bytes."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..counting import Role, measured
from ..signature import Parameter, Signature
from ..types import VOID, Pointer, Scalar, Type
from .status import Finish


def with_lengths(signature: Signature) -> Signature:
    """The signature, whose texts that come out beside their length know it."""
    parameters = signature.parameters
    roles = [*map(_role, parameters), Role.DATA if _is_text(signature.result) else Role.OTHER]
    if Role.NUMBER not in roles or Role.DATA not in roles:
        return signature
    names = [*(p.name for p in parameters), ""]
    changed = list(parameters)
    result = signature.result
    for i, counts in measured(names, roles).items():
        told = names[counts[0]]
        if i == len(parameters):
            assert isinstance(result, Pointer)
            result = replace(result, measured=told)
        else:
            type_: Any = parameters[i].type
            changed[i] = replace(
                parameters[i], type=replace(type_, pointee=replace(type_.pointee, measured=told))
            )
    return replace(signature, parameters=tuple(changed), result=result)


def lengths(signature: Signature) -> Finish | None:
    """What makes bytes of the addresses of such texts; None where there are none."""
    lead = int(signature.result != VOID)
    outputs = [p.name for p in signature.parameters if not p.intent.visible]
    places = [(at, lead + outputs.index(told)) for at, told in _told(signature, lead) if told in outputs]
    if not places:
        return None

    def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        found = list(results)
        for at, count in places:
            address, length = int(results[at]), int(results[count])
            known = 0 <= length <= sys.maxsize
            text = ctypes.string_at(address, *([length] if known else [])) if address else None
            found[at] = text
        return tuple(found)

    return finish


def _told(signature: Signature, lead: int) -> Iterator[tuple[int, str]]:
    """Where results have such texts, and the outputs that say how long they are."""
    if isinstance(signature.result, Pointer) and signature.result.measured:
        yield 0, signature.result.measured
    outputs = [p for p in signature.parameters if not p.intent.visible]
    for at, parameter in enumerate(outputs, lead):
        target = parameter.type.pointee if isinstance(parameter.type, Pointer) else None
        if isinstance(target, Pointer) and target.measured:
            yield at, target.measured


def _role(parameter: Parameter) -> Role:
    type_ = parameter.type
    if parameter.intent.visible or not isinstance(type_, Pointer):
        return Role.OTHER
    if _is_text(type_.pointee):
        return Role.DATA
    return (
        Role.NUMBER
        if isinstance(type_.target, Scalar) and type_.target.kind in ("int", "uint")
        else Role.OTHER
    )


def _is_text(type_: Type) -> bool:
    return isinstance(type_, Pointer) and type_.is_string
