"""Addresses as arguments of compiled calls: of arrays, structs, text and pointers; and places that C++ may write to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from numba import types

from ...call.addresses.needs import shape_words
from ...call.addresses.pointers import check_kind
from ...call.overloads import BY_ADDRESS
from ...errors import POINTS_TO_CONST, ArgumentError, IntentError, Mismatch
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...model.signature import Parameter
from ...types import (
    CHAR,
    VOID,
    ArrayRule,
    Atomic,
    CArray,
    Function,
    Handle,
    Named,
    Pointer,
    Struct,
    Type,
)
from ..datamodel.equivalents import numba_type
from ..datamodel.kinds import AddressType, ConstPointerType, RecordType, StructType, VectorType
from ..datamodel.models import ADDRESS
from ..lowering.site import Call
from .arrays import array_reader, vector_size
from .fit import CONVERTED, EXACT, LOSSLESS, Fit
from .functions import fit_function
from .objects import (
    base_offset,
    element_place,
    mirrors_struct,
    namesake,
    namesake_words,
    object_address,
    read_element,
)


def fit_pointer(type_: Pointer, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """What a pointer may be given: an address, text, a function."""
    if type_.memory not in ("", dialect):  # a kernel's own addresses lead where those of its records do
        advice = "compiled code does not know where arrays lie: call it from Python"
        raise Mismatch(ArgumentError, f"{type_} in a device's memory", str(argument), advice)
    if isinstance(argument, types.StringLiteral) and type_.target == CHAR and type_.const:
        return _text(argument)
    if isinstance(argument, types.Array) and type_.is_string and dialect != "cuda":
        advice = "C++ reads text there, up to a NUL"
        raise Mismatch(ArgumentError, "text, a pointer or None (const char*)", str(argument), advice)
    known = dialect == "cuda" and isinstance(argument, AddressType)  # an address of the host's
    if isinstance(type_.target, Function) and (
        known or not isinstance(argument, types.NoneType | types.RawPointer)
    ):
        return fit_function(type_, argument, dialect)
    fitted = _address(type_, argument, dialect)
    return _never_null(fitted, argument, str(type_), _DECLARED) if type_.nonnull else fitted


_DECLARED = "C++ declares that it is never null"


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


def _from_address(type_: Pointer, argument: Any, dialect: str) -> Fit:
    """Python's own address, which may be one of anything: as in Python's calls its class and const are checked."""
    check_kind(type_, argument.cls, lambda: str(argument))
    const, writes = type_.levels
    wrong = bool(argument.levels & writes)
    refusal = Mismatch(IntentError, str(type_), str(argument), POINTS_TO_CONST) if wrong else None
    step = 2 if wrong else int(const != argument.levels)
    return Fit(EXACT, lambda call, value: value, by=type_.target, step=step, refusal=refusal)


def _from_array(type_: Pointer, argument: Any, dialect: str) -> Fit:
    target = type_.target
    rule = ArrayRule.of(type_)
    lower = _first_element(rule, f"{rule.element}{shape_words(rule)} ({type_})", argument, dialect)
    rank = CONVERTED if target == VOID else LOSSLESS if type_.const and argument.mutable else EXACT
    inner = isinstance(target, CArray) or bool(vector_size(target, argument))
    return Fit(rank + 0.5 * inner, lower)  # vectors and arrays of its elements


def _first_element(rule: ArrayRule, words: str, argument: Any, dialect: str) -> Callable[[Call, Any], Any]:
    """The address of an array's elements."""
    read = array_reader(rule, words, argument, dialect)
    return lambda call, value: call.builder.bitcast(read(call, value).data, ADDRESS)


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
        facts = None if target == VOID else compute(target, find_dialect(dialect))
        if facts is None:
            return Fit(BY_ADDRESS, lambda call, value: call.builder.bitcast(value, ADDRESS))
        lower = partial(read_element, facts) if type_.const else partial(element_place, facts.align)
        return Fit(BY_ADDRESS, lower)
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
    AddressType: _from_address,
    (types.CPointer, types.RawPointer): _from_pointer,
    types.Array: _from_array,
    (RecordType, StructType, types.Record): _from_struct,
    types.NoneType: _null,
}


def fit_place(type_: Type, argument: Any, dialect: str, parameter: Parameter) -> Fit:
    """The address of an object that the caller owns."""
    if isinstance(type_, Struct) and (found := object_address(type_, argument)) is not None:
        return Fit(EXACT, found, type_)
    if isinstance(argument, AddressType) and isinstance(type_, Handle | Atomic):
        raise Mismatch(ArgumentError, f"an object {type_}", str(argument), "")
    if isinstance(argument, StructType | VectorType | types.Number | types.Boolean | types.EnumMember):
        advice = "Pass a record, an array or a pointer that C++ may write to"
        raise Mismatch(
            IntentError, f"a place for {type_} ({parameter.intent.name})", f"{argument}, a value", advice
        )
    if isinstance(argument, types.Array):
        words = f"a place that C++ may change: a writable {type_} ({type_}&)"
        return Fit(EXACT, _first_element(ArrayRule.of_reference(type_), words, argument, dialect))
    return _never_null(_address(Pointer(type_), argument, dialect), argument, f"{type_}&", _REFERENCE)


_REFERENCE = "A C++ reference is never null"


def _never_null(fitted: Fit, argument: Any, words: str, why: str) -> Fit:
    """The same argument where null is refused: None now, and an address when the call runs."""
    if isinstance(argument, types.NoneType):
        raise Mismatch(ArgumentError, words, "None", why)
    if not isinstance(argument, types.CPointer | types.RawPointer):
        return fitted

    def lower(call: Call, value: Any) -> Any:
        address = fitted.lower(call, value)
        there = call.builder.icmp_unsigned("!=", address, address.type(None))
        call.require(there, ArgumentError, f"expected {words}, got a null pointer. {why}")
        return address

    return replace(fitted, lower=lower)
