"""Texts that come back beside their length, ``const char* iter_key(it, size_t* klen)``: so many bytes."""

from __future__ import annotations

import ctypes
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..counting import Role, measured
from ..headers.model import Module
from ..intents import OutReturn
from ..signature import Parameter, Signature
from ..storage import written
from ..types import VOID, Pointer, Scalar, Type, unqualified
from .status import Finish


def measure_texts(module: Module) -> Module:
    """The module, whose functions' texts that come out beside their length know it; intents are settled."""
    keys = Counter(f.key for f in module.functions)
    return replace(
        module, functions=tuple(_with_lengths(f) if keys[f.key] == 1 else f for f in module.functions)
    )


def _with_lengths(signature: Signature) -> Signature:
    parameters = signature.parameters
    roles = [*map(_role, parameters), Role.DATA if _returns_text(signature) else Role.OTHER]
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
            text: Any = unqualified(written(parameters[i]))
            own = replace(text, measured=told)
            type_ = own if parameters[i].passing != "value" else replace(type_, pointee=own)
            changed[i] = replace(parameters[i], type=type_)
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
        target = unqualified(written(parameter))
        if isinstance(target, Pointer) and target.measured:
            yield at, target.measured


def _role(parameter: Parameter) -> Role:
    if not isinstance(parameter.intent, OutReturn):
        return Role.OTHER
    target = unqualified(written(parameter))
    if _is_text(target):
        return Role.DATA
    return Role.NUMBER if isinstance(target, Scalar) and target.kind in ("int", "uint") else Role.OTHER


def _returns_text(signature: Signature) -> bool:
    return signature.result_passing == "value" and _is_text(signature.result)


def _is_text(type_: Type) -> bool:
    return isinstance(type_, Pointer) and type_.is_string
