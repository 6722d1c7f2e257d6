"""How arguments of compiled calls serve parameters: the rule for each kind of type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from llvmlite import ir
from numba import types

from ...call.addresses.pointers import takes_one
from ...call.unstated import refuse_unstated_array
from ...emit.shims.direct import MACHINE
from ...errors import ArgumentError, IntentError, Mismatch
from ...layouts import compute
from ...layouts.dialects import find_dialect
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
    unqualified,
)
from ...values.conversion.enums import class_advice, is_class_of
from ...values.conversion.numbers import takes_format
from ..datamodel.equivalents import scalar_of, scalar_type, vector_of
from ..datamodel.kinds import AddressType, HandleType, RecordType
from ..lowering.halves import is_half
from ..lowering.registers import machine_type
from ..lowering.site import Call
from ..lowering.storing import store
from .addresses import fit_place, fit_pointer
from .arrays import fit_array
from .fit import EXACT, LAST, Fit
from .numbers import fit_number
from .objects import fit_object, of_copy


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
    copied = parameter.passing == "value" and isinstance(parameter.value_type, Struct)  # is as good as either
    return replace(found, rank=found.rank + 1.5 * moved, const=None if copied else found.const or reads)


def _fit(parameter: Parameter, argument: Any, dialect: str, *, itself: bool) -> Fit:
    _check_const(parameter, argument)
    if isinstance(argument, types.Array):
        refuse_unstated_array(parameter, str(argument))
    type_ = parameter.value_type
    objects = (RecordType, types.Record, *((AddressType,) if _is_plain(type_) else ()))
    own = parameter.is_aliased and isinstance(argument, objects)  # else a value, which is copied
    if parameter.may_write and (itself or own or parameter.intent.place):
        return fit_place(type_, argument, dialect, parameter)
    found = fit_type(type_, argument, dialect, parameter)
    copied = _is_plain(type_) or isinstance(type_, CArray)
    return replace(found, lower=of_copy(type_, found, dialect)) if parameter.may_write and copied else found


def _is_plain(type_: Type) -> bool:
    """Whether a type is a struct of which memory may hold an object: C++ makes the others."""
    return isinstance(type_, Struct) and not isinstance(type_, Handle)


def _check_const(parameter: Parameter, argument: Any) -> None:
    """C++ may not change what it gave as const.

    Raises
    ------
    Mismatch
        If the parameter would.
    """
    aimed = isinstance(parameter.value_type, Pointer) and not parameter.value_type.const
    changes = parameter.changes_object or (parameter.passing == "value" and aimed)
    if isinstance(argument, HandleType) and argument.const and changes:
        name = argument.dtype.struct.short_name
        raise Mismatch(IntentError, f"an object of {name} that C++ may change", f"a const {name}", "")


def fit_type(type_: Type, argument: Any, dialect: str, parameter: Parameter | None = None) -> Fit:
    """How a type of Numba's serves a value of C++ that is only read."""
    rule = RULES.get(type(type_))
    if isinstance(argument, types.Array) and not argument.ndim and isinstance(type_, Scalar | Enum | Struct):
        return _element(type_, argument, dialect, parameter)
    if rule is None:
        crosses = isinstance(type_, Converted)
        words = f"a {type_.words}" if isinstance(type_, Converted) else str(type_)
        advice = "It crosses in plain Python calls only" if crosses else ""
        raise Mismatch(ArgumentError, f"{words}, which compiled code cannot make", str(argument), advice)
    return rule(type_, argument, dialect, parameter)


def _element(type_: Type, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """An array of no dimensions is its element, whose format is known: no number of Python's."""
    source = scalar_of(argument.dtype, dialect)
    if isinstance(type_, Scalar) and (source is None or not takes_format(type_, source)):
        raise Mismatch(ArgumentError, str(type_), str(argument), "")
    found = fit_type(type_, argument.dtype, dialect, parameter)

    def lower(call: Call, value: Any) -> Any:
        data = call.context.make_array(argument)(call.context, call.builder, value).data
        return found.lower(call, call.compiler.arrays.load_item(call.context, call.builder, argument, data))

    return replace(found, lower=lower)


def _scalar(type_: Scalar, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    found = fit_number(type_, argument, parameter.spelling if parameter else "", dialect)
    if type_.name in MACHINE or is_half(type_, dialect):
        return found
    kind = scalar_type(type_, dialect)
    return Fit(found.rank, lambda call, value: call.spill_number(kind, found.lower(call, value)))


def _enum(type_: Enum, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    cls = argument.instance_class if isinstance(argument, types.EnumMember) else type(None)
    number = types.unliteral(argument)
    if isinstance(number, types.Integer) and cls is type(None) and type_.underlying.kind != "bool":
        return replace(fit_number(type_.underlying, argument, "", dialect), rank=UNSAID)
    if not is_class_of(type_, cls):
        named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
        raise Mismatch(ArgumentError, f"{type_} ({named})", str(argument), class_advice(type_, cls))

    def lower(call: Call, value: Any) -> Any:
        form = machine_type(type_.underlying)
        return call.builder.trunc(value, form) if value.type.width > form.width else value

    return Fit(EXACT, lower)


# What is no conversion of C++'s: behind all that is.
UNSAID = LAST + 1


def _pointer(type_: Pointer, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """An address; for a pointer to const one value, too, which lives as long as the call."""
    is_value = isinstance(argument, _VALUES) or vector_of(argument) is not None
    if parameter is None or not is_value or not takes_one(type_) or type_.is_string:
        return fit_pointer(type_, argument, dialect, parameter)
    if type_.memory not in ("", dialect):
        return fit_pointer(type_, argument, dialect, parameter)
    target = unqualified(type_.target)
    found, layout = fit_type(target, argument, dialect), compute(target, find_dialect(dialect))

    def lower(call: Call, value: Any) -> Any:
        place = call.stack(layout.size, layout.align)
        store(call, target, place, found.lower(call, value), dialect)
        return place

    return Fit(UNSAID, lower)


_VALUES = (types.Number, types.Boolean, types.EnumMember, types.BaseTuple)


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
        Handle: fit_object,
        Nothing: _nothing,
        Atomic: _atomic,
        Pointer: _pointer,
        Array: fit_array,
        Span: fit_array,
    },
    others="compiled code takes none, and the call is refused",
)
