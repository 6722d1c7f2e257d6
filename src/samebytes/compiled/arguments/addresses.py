"""Addresses as arguments of compiled calls: of arrays, structs, text and pointers; and places that C++ may write to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from ...call.overloads import BY_ADDRESS
from ...errors import ArgumentError, ArrayError, IntentError, Mismatch
from ...model.signature import Parameter
from ...types import CHAR, VOID, CArray, Function, Named, Pointer, Struct, Type, Vector, unqualified
from ..datamodel.equivalents import numba_type, vector_of
from ..datamodel.kinds import ConstPointerType, RecordType, StructType, VectorType
from ..datamodel.models import ADDRESS
from ..lowering.site import Call
from .arrays import check_extents, check_writable, holds
from .fit import CONVERTED, EXACT, LOSSLESS, Fit
from .functions import fit_function
from .objects import base_offset, mirrors_struct, namesake, namesake_words, object_address


def fit_pointer(type_: Pointer, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """What a pointer may be given: an address, text, a function."""
    if type_.memory:
        advice = "compiled code does not know where arrays lie: call it from Python"
        raise Mismatch(ArgumentError, f"{type_} in a device's memory", str(argument), advice)
    if isinstance(argument, types.StringLiteral) and type_.target == CHAR and type_.const:
        return _text(argument)
    if isinstance(type_.target, Function) and not isinstance(argument, types.NoneType | types.RawPointer):
        return fit_function(type_, argument, dialect)
    return _address(type_, argument, dialect)


def _text(argument: Any) -> Fit:
    text: str = argument.literal_value
    if "\0" in text:
        raise Mismatch(ArgumentError, "text without NUL (const char*)", repr(text), "")

    def lower(call: Call, value: Any) -> Any:
        if call.compiler.cuda:
            return call.context.insert_string_const_addrspace(call.builder, text)
        return call.builder.bitcast(call.context.insert_const_string(call.builder.module, text), ADDRESS)

    return Fit(EXACT, lower)


def _address(type_: Pointer, argument: Any, dialect: str) -> Fit:
    for kind, rule in _ADDRESSES.items():
        if isinstance(argument, kind):
            return rule(type_, argument, dialect)
    advice = "Only text that is known when compiling can be passed: a literal" if type_.is_string else ""
    raise Mismatch(ArgumentError, str(type_), str(argument), advice)


def _from_pointer(type_: Pointer, argument: Any, dialect: str) -> Fit:
    expected = numba_type(type_, dialect)
    const = isinstance(argument, ConstPointerType)
    if const and not type_.const:
        raise Mismatch(IntentError, f"{type_} ({expected})", str(argument), "C++ may write there")
    there = expected == argument or (isinstance(expected, ConstPointerType) and argument.key == expected.key)
    if not there and expected != types.voidptr:
        raise Mismatch(ArgumentError, f"{type_} ({expected})", str(argument), "")
    rank = CONVERTED if expected != argument else EXACT
    if there and not const and type_.const:
        rank = LOSSLESS
    return Fit(rank, lambda call, value: call.builder.bitcast(value, ADDRESS))


def _from_array(type_: Pointer, argument: Any, dialect: str) -> Fit:
    target = type_.target
    words = f"{target}[n] ({type_})"
    inner = _inner(argument, target)
    if target != VOID and (not holds(argument.dtype, target, dialect) or argument.ndim < len(inner)):
        raise Mismatch(ArrayError, words, f"{argument.dtype}[{argument.ndim}-d array]", "")
    if argument.layout not in ("C", "F"):
        raise Mismatch(ArrayError, f"contiguous {words}", f"an array with strides ({argument})",
                       "np.ascontiguousarray(x) makes a copy")  # fmt: skip
    check_writable(type_.const, words, argument)
    rank = CONVERTED if target == VOID else LOSSLESS if type_.const and argument.mutable else EXACT
    rank += 0.5 if inner else 0  # vectors and arrays of its elements

    def lower(call: Call, value: Any) -> Any:
        held = call.context.make_array(argument)(call.context, call.builder, value)
        if inner:
            check_extents(call, argument, held, inner)
        return call.builder.bitcast(held.data, ADDRESS)

    return Fit(rank, lower)


def _inner(argument: Any, target: Type) -> tuple[int, ...]:
    """The extents that an array must have for each element that a pointer points to."""
    if isinstance(target, CArray):
        inner = unqualified(target.element)
        return (*target.shape, *_inner(argument, inner))
    if isinstance(target, Vector) and vector_of(argument.dtype) is None:
        return (target.size,)
    return ()


def _from_struct(type_: Pointer, argument: Any, dialect: str) -> Fit:
    target, held = type_.target, argument.dtype.struct if isinstance(argument, RecordType) else None
    if isinstance(argument, StructType):
        held = argument.struct
        if held == target and not type_.const:
            advice = f"{held.short_name}(x) makes a record of it"
            raise Mismatch(IntentError, str(type_), f"{argument}, a value", advice)
    if isinstance(argument, types.Record):
        if target != VOID and not mirrors_struct(argument, target):
            raise Mismatch(ArgumentError, str(type_), str(argument), "")
        return Fit(BY_ADDRESS, lambda call, value: call.builder.bitcast(value, ADDRESS))
    same = held is not None and (target == VOID or held.name == getattr(target, "name", None))
    if held is not None and isinstance(target, Struct | Named) and namesake(held, target):
        same = False
    offset = base_offset(held, target) if held is not None and isinstance(target, Struct) else None
    if not same and (offset is None or (isinstance(argument, StructType) and not type_.const)):
        raise Mismatch(ArgumentError, str(type_), str(argument), namesake_words(argument, target))
    rank = (CONVERTED if target == VOID else EXACT) + BY_ADDRESS
    taken = target if isinstance(target, Struct) else None
    shift = offset or 0
    if isinstance(argument, StructType):
        return Fit(
            rank, lambda call, value: call.shift(call.spill(argument, value), shift), taken, type_.const
        )
    return Fit(
        rank, lambda call, value: call.shift(call.record_data(argument, value), shift), taken, type_.const
    )


def _null(type_: Pointer, argument: Any, dialect: str) -> Fit:
    return Fit(EXACT, lambda call, value: ADDRESS(None))


_ADDRESSES: dict[Any, Callable[[Pointer, Any, str], Fit]] = {
    (types.CPointer, types.RawPointer): _from_pointer,
    types.Array: _from_array,
    (RecordType, StructType, types.Record): _from_struct,
    types.NoneType: _null,
}


def fit_place(type_: Type, argument: Any, dialect: str, parameter: Parameter) -> Fit:
    """The address of an object that the caller owns."""
    if isinstance(type_, Struct) and (found := object_address(type_, argument)) is not None:
        return Fit(EXACT, found, type_)
    if isinstance(argument, StructType | VectorType | types.Number | types.Boolean | types.EnumMember):
        advice = "Pass a record, an array or a pointer that C++ may write to"
        raise Mismatch(
            IntentError, f"a place for {type_} ({parameter.intent.name})", f"{argument}, a value", advice
        )
    place = _address(Pointer(type_), argument, dialect)

    def lower(call: Call, value: Any) -> Any:
        if isinstance(argument, types.Array):
            size = call.context.make_array(argument)(call.context, call.builder, value).nitems
            some = call.builder.icmp_signed(">", size, size.type(0))
            call.require(some, ArrayError, "an empty array has no place to write to")
        return place.lower(call, value)

    return Fit(place.rank, lower)
