"""Texts that come back beside their length, ``const char* iter_key(it, size_t* klen)``: so many bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...model.intents import OutReturn
from ...model.module import Module
from ...model.signature import Parameter, Signature
from ...model.slots import written_type
from ...types import Pointer, Scalar, Type, unqualified
from ...types import length_parameters as lengths


def measure_texts(module: Module) -> Module:
    """The module, whose functions' texts that come out beside their length know it; intents are settled."""
    keys = Counter(f.key for f in module.functions)
    return replace(
        module, functions=tuple(_with_lengths(f) if keys[f.key] == 1 else f for f in module.functions)
    )


def _with_lengths(signature: Signature) -> Signature:
    parameters = signature.parameters
    roles = [
        *map(_role, parameters),
        lengths.Role.DATA if _returns_text(signature) else lengths.Role.OTHER,
    ]
    if lengths.Role.NUMBER not in roles or lengths.Role.DATA not in roles:
        return signature
    names = [*(p.name for p in parameters), ""]
    changed = list(parameters)
    result = signature.result
    found = lengths.measured(names, roles)
    if (last := _of_the_result(parameters, roles)) is not None:
        found.setdefault(len(parameters), (last,))
    for i, counts in found.items():
        told = names[counts[0]]
        if i == len(parameters):
            assert isinstance(result, Pointer)
            result = replace(result, measured=told)
        else:
            type_: Any = parameters[i].type
            text: Any = unqualified(written_type(parameters[i]))
            own = replace(text, measured=told)
            type_ = own if parameters[i].passing != "value" else replace(type_, pointee=own)
            changed[i] = replace(parameters[i], type=type_)
    return replace(signature, parameters=tuple(changed), result=result)


def _of_the_result(parameters: Sequence[Parameter], roles: Sequence[lengths.Role]) -> int | None:
    """The last parameter of a function that returns a text, if it alone is a number's place and says an amount."""
    numbers = [i for i, role in enumerate(roles[:-1]) if role is lengths.Role.NUMBER]
    last = len(parameters) - 1
    returns = roles[-1] is lengths.Role.DATA and lengths.Role.DATA not in roles[:-1]
    return last if returns and numbers == [last] and lengths.says_amount(parameters[last].name) else None


def told_lengths(signature: Signature, lead: int) -> Iterator[tuple[int, str]]:
    """Where results have such texts, and the outputs that say how long they are."""
    if isinstance(signature.result, Pointer) and signature.result.measured:
        yield 0, signature.result.measured
    outputs = [p for p in signature.parameters if not p.intent.visible]
    for at, parameter in enumerate(outputs, lead):
        target = unqualified(written_type(parameter))
        if isinstance(target, Pointer) and target.measured:
            yield at, target.measured


def _role(parameter: Parameter) -> lengths.Role:
    if not isinstance(parameter.intent, OutReturn):
        return lengths.Role.NUMBER if _is_place(parameter) else lengths.Role.OTHER
    target = unqualified(written_type(parameter))
    if _is_text(target):
        return lengths.Role.DATA
    return (
        lengths.Role.NUMBER
        if isinstance(target, Scalar) and target.kind in ("int", "uint")
        else lengths.Role.OTHER
    )


def _is_place(parameter: Parameter) -> bool:
    """Whether a parameter is where C writes a number, ``size_t* klen``."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const or parameter.passing != "value":
        return False
    return isinstance(type_.target, Scalar) and type_.target.kind in ("int", "uint") and type_.target.size > 1


def _returns_text(signature: Signature) -> bool:
    return signature.result_passing == "value" and _is_text(signature.result)


def _is_text(type_: Type) -> bool:
    return isinstance(type_, Pointer) and type_.is_string
