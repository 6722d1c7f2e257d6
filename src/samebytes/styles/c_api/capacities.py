"""Outputs that say how much of a buffer was filled: before the call they hold how much room it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...model.intents import OutReturn
from ...model.signature import Parameter, Signature
from ...types import VOID, Pointer, Scalar, unqualified
from ...types.length_parameters import Role, by_name, measured, says_amount
from . import vocabulary

_INTEGERS = ("int", "uint")


def with_capacities(signature: Signature) -> Signature:
    """The signature, whose outputs that measure a buffer know which: ``compress(Bytef* dest, uLongf* destLen, …)``.

    A buffer is bytes that go in, or numbers that the output is named after; so it is where they are const, too,
    ``const Bytef* source, uLong* sourceLen``. No number by value may say how long it is already, as ``size`` does in
    ``clGetDeviceInfo(id, name, size_t size, void* value, size_t* size_ret)``.
    """
    parameters = signature.parameters
    if not any(map(_is_output, parameters)):
        return signature
    names = [vocabulary.BUFFER_SUFFIX.sub("", vocabulary.ROOM_PLACE.sub("", p.name)) for p in parameters]
    said = _said(parameters, names)
    if said is None:
        return signature
    outputs = [Role.NUMBER if _is_output(p) else Role.OTHER for p in parameters]
    rooms = _with(outputs, (i for i, p in enumerate(parameters) if _is_room(p) and i not in said))
    arrays = _with(outputs, (i for i, p in enumerate(parameters) if _is_data(p) and i not in said))
    beside = {
        i: i + 1
        for i, p in enumerate(parameters[:-1])
        if arrays[i] is Role.DATA
        and outputs[i + 1] is Role.NUMBER
        and vocabulary.BUFFER_SUFFIX.search(p.name)
        and says_amount(names[i + 1])
    }
    found = beside | by_name(names, arrays) | {i: j for i, (j, *_) in measured(names, rooms).items()}
    changed = list(parameters)
    for place, number in found.items():
        changed[number] = _holding(parameters[number], parameters[place].name)
    return replace(signature, parameters=tuple(changed))


def _said(parameters: Sequence[Parameter], names: Sequence[str]) -> set[int] | None:
    """The data whose length a number by value says; None where such a number is there, and nobody knows of what."""
    values = [Role.NUMBER if _is_whole(p) else Role.DATA if _is_bytes(p) else Role.OTHER for p in parameters]
    found = measured(names, values)
    taken = {j for numbers in found.values() for j in numbers}
    free = [
        j for j, role in enumerate(values) if role is Role.NUMBER and j not in taken and says_amount(names[j])
    ]
    if any(vocabulary.CAPACITIES.fullmatch(names[j]) for j in free):
        return None
    beside = {i for j in free for i in (j - 1, j + 1) if 0 <= i < len(values) and values[i] is Role.DATA}
    return {*found, *beside}


def _with(roles: Sequence[Role], data: Iterable[int]) -> list[Role]:
    found = list(roles)
    for i in data:
        found[i] = Role.DATA
    return found


def _holding(parameter: Parameter, buffer: str) -> Parameter:
    assert isinstance(parameter.intent, OutReturn)
    return replace(parameter, intent=replace(parameter.intent, capacity=buffer))


def _is_bytes(parameter: Parameter) -> bool:
    """Whether a parameter points to numbers, bytes or text that go in."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or parameter.passing != "value" or not parameter.intent.visible:
        return False
    target = type_.target
    return target == VOID or (isinstance(target, Scalar) and target.kind in (*_INTEGERS, "float"))


def _is_data(parameter: Parameter) -> bool:
    """Whether a parameter points to numbers or bytes that go in, and are no text with a NUL."""
    text = isinstance(parameter.type, Pointer) and parameter.type.is_string
    return _is_bytes(parameter) and not text and not vocabulary.NO_BUFFERS.fullmatch(parameter.name)


def _is_room(parameter: Parameter) -> bool:
    """Whether a parameter points to bytes that the function fills."""
    type_ = parameter.type
    if not _is_data(parameter) or not isinstance(type_, Pointer) or type_.const:
        return False
    return type_.target == VOID or (isinstance(type_.target, Scalar) and type_.target.size == 1)


def _is_output(parameter: Parameter) -> bool:
    """Whether a parameter is one whole number that a rule made an output."""
    type_, intent = parameter.type, parameter.intent
    if not isinstance(intent, OutReturn) or not intent.guessed or not isinstance(type_, Pointer):
        return False
    return isinstance(type_.target, Scalar) and type_.target.kind in _INTEGERS


def _is_whole(parameter: Parameter) -> bool:
    type_ = unqualified(parameter.type)
    return parameter.passing == "value" and isinstance(type_, Scalar) and type_.kind in _INTEGERS
