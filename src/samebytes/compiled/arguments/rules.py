"""How arguments of compiled calls serve parameters: the rule for each kind of type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from llvmlite import ir
from numba import types

from ...emit.shims.direct import MACHINE
from ...errors import ArgumentError, IntentError, Mismatch
from ...model.signature import Parameter
from ...types import (
    Array,
    Atomic,
    ByKind,
    CArray,
    Converted,
    Enum,
    Handle,
    Nothing,
    Pointer,
    Scalar,
    Span,
    Struct,
    Type,
    Vector,
)
from ...values.conversion.enums import class_advice, is_class_of
from ..datamodel.equivalents import scalar_type, vector_of
from ..datamodel.kinds import HandleType, RecordType
from ..lowering.halves import is_half
from ..lowering.registers import machine_type
from ..lowering.site import Call
from ..lowering.vectors import spill_vector
from .addresses import fit_place, fit_pointer
from .arrays import fit_array
from .fit import EXACT, Fit
from .numbers import fit_number
from .objects import fit_object, fit_struct, of_copy


def fit(parameter: Parameter, argument: Any, dialect: str, *, itself: bool = False) -> Fit:
    """How a type of Numba's serves a parameter.

    Parameters
    ----------
    itself : bool
        Whether C++ gets the very object, not a copy: the object of a method.

    Raises
    ------
    Mismatch
        If it does not; the message says what does.
    """
    found = _fit(parameter, argument, dialect, itself=itself)
    # As in Python calls: an object that has a name goes to const T& before T&&, which may empty it.
    moved = parameter.passing == "rvalue_ref" and isinstance(argument, RecordType)
    # An object that may be changed goes to what changes it, T& or a method, before what is const.
    reads = parameter.passing == "lvalue_ref" and not parameter.may_write
    return replace(found, rank=found.rank + 1.5 * moved, const=found.const or reads)


def _fit(parameter: Parameter, argument: Any, dialect: str, *, itself: bool) -> Fit:
    _check_const(parameter, argument)
    type_ = parameter.value_type
    own = parameter.is_aliased and isinstance(
        argument, RecordType | types.Record
    )  # else a value, which is copied
    if parameter.may_write and (itself or own or parameter.intent.place):
        return fit_place(type_, argument, dialect, parameter)
    found = fit_type(type_, argument, dialect, parameter)
    copied = isinstance(type_, Struct | CArray) and not isinstance(type_, Handle)
    return replace(found, lower=of_copy(type_, found, dialect)) if parameter.may_write and copied else found


def _check_const(parameter: Parameter, argument: Any) -> None:
    """C++ may not change what it gave as const.

    Raises
    ------
    Mismatch
        If the parameter would.
    """
    aimed = isinstance(parameter.value_type, Pointer) and not parameter.value_type.const
    changes = parameter.may_write or (parameter.passing == "value" and aimed)
    if isinstance(argument, HandleType) and argument.const and changes:
        name = argument.dtype.struct.short_name
        raise Mismatch(IntentError, f"an object of {name} that C++ may change", f"a const {name}", "")


def fit_type(type_: Type, argument: Any, dialect: str, parameter: Parameter | None = None) -> Fit:
    """How a type of Numba's serves a value of C++ that is only read."""
    rule = RULES.get(type(type_))
    if rule is None:
        crosses = isinstance(type_, Converted)
        words = f"a {type_.words}" if isinstance(type_, Converted) else str(type_)
        advice = "It crosses in plain Python calls only" if crosses else ""
        raise Mismatch(ArgumentError, f"{words}, which compiled code cannot make", str(argument), advice)
    return rule(type_, argument, dialect, parameter)


def _scalar(type_: Scalar, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    found = fit_number(type_, argument, parameter.spelling if parameter else "", dialect)
    if type_.name in MACHINE or is_half(type_, dialect):
        return found
    kind = scalar_type(type_, dialect)
    return Fit(found.rank, lambda call, value: call.spill_number(kind, found.lower(call, value)))


def _enum(type_: Enum, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    cls = argument.instance_class if isinstance(argument, types.EnumMember) else type(None)
    if not is_class_of(type_, cls):
        named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
        raise Mismatch(ArgumentError, f"{type_} ({named})", str(argument), class_advice(type_, cls))

    def lower(call: Call, value: Any) -> Any:
        form = machine_type(type_.underlying)
        return call.builder.trunc(value, form) if value.type.width > form.width else value

    return Fit(EXACT, lower)


def _vector(type_: Vector, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    if vector_of(argument) == type_:
        return Fit(EXACT, lambda call, value: spill_vector(call, argument, value))
    raise Mismatch(ArgumentError, str(type_), str(argument), f"sb.{type_}(...) builds one")


def _nothing(type_: Nothing, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    if argument == types.none:
        return Fit(EXACT, lambda call, value: call.spill_number(types.uint8, ir.Constant(ir.IntType(8), 0)))
    raise Mismatch(ArgumentError, "None", str(argument), "")


def _atomic(type_: Atomic, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """What one begins with."""
    return fit_type(type_.type, argument, dialect, parameter)


# A kind of type -> its rule; ``aggregates`` adds to them.
RULES: ByKind[Callable[[Any, Any, str, Parameter | None], Fit]] = ByKind(
    "compiled: how an argument fits a type",
    {
        Scalar: _scalar,
        Enum: _enum,
        Struct: fit_struct,
        Handle: fit_object,
        Vector: _vector,
        Nothing: _nothing,
        Atomic: _atomic,
        Pointer: fit_pointer,
        Array: fit_array,
        Span: fit_array,
    },
    others="compiled code takes none, and the call is refused",
)
