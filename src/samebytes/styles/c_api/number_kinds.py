"""What kind of number a pointer is to: a count, a real number, one of many; and what stands beside it."""

from __future__ import annotations

from collections.abc import Collection

from ...model.signature import Parameter
from ...types import VOID, Enum, Named, Pointer, Scalar, Struct, Type, unqualified
from . import evidence
from .cases import (
    BYTE,
    Case,
    is_whole,
)

_HALF = 2


def counts(case: Case) -> bool:
    """Whether a whole number counts, by its name."""
    return not is_float(case.target) and evidence.is_count(case.name)


def counts_something(case: Case) -> bool:
    return not is_float(case.target) and evidence.is_named_count(case.name)


def is_strict(case: Case) -> bool:
    """Whether it is of a kind of which arrays are usual: real numbers, and those of two bytes, samples and colours."""
    return is_float(case.target) or (isinstance(case.target, Scalar) and case.target.size == _HALF)


def is_float(type_: Type) -> bool:
    return getattr(unqualified(type_), "kind", "") == "float"


def is_extent(parameter: Parameter) -> bool:
    """Whether a number by value may say how long arrays are."""
    return is_whole(parameter) and evidence.is_extent(parameter.name)


def is_buffer(parameter: Parameter) -> bool:
    """Whether a parameter points to bytes, constant or not."""
    type_ = parameter.type
    target = type_.target if isinstance(type_, Pointer) else None
    return target == VOID or (isinstance(target, Scalar) and target.size == BYTE)


def is_own_room(parameter: Parameter) -> bool:
    """Whether a parameter is a buffer of numbers or bytes that is filled."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const:
        return False
    return isinstance(type_.target, Scalar) and not evidence.is_count(parameter.name)


def counts_a_list(case: Case) -> bool:
    """Whether the many stand right behind a count, or right before it: whatever is no text, no handle of its own."""
    parameters, i = case.signature.parameters, case.index
    after = parameters[i + 1] if i + 1 < len(parameters) else None
    before = parameters[i - 1] if i > 1 else None
    records = case.around.records
    bare = case.name.strip("_") in ("count", "n", "num", "len", "length", "size")
    if bare and before is not None and isinstance(before.type, Pointer) and not before.type.const:
        return True
    return any(p is not None and _is_list_place(p, records) for p in (after, before))


def _is_list_place(parameter: Parameter, records: Collection[str]) -> bool:
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const:
        return False
    target = type_.target
    if isinstance(target, Scalar):
        return not evidence.is_count(parameter.name) and not evidence.is_out_name(parameter.name)
    if isinstance(target, Named):
        return target.name in records
    return isinstance(target, Struct | Pointer | Enum)
