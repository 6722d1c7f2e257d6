"""Structs and objects of C++ as arguments of compiled calls: where the object of a class, or its base, lies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from numba import types

from ...errors import ArgumentError, ArrayError, Mismatch
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...layouts.differences import difference
from ...model.signature import Parameter
from ...types import Handle, Named, Struct, Type
from ...values.conversion.handles import object_advice
from ...values.conversion.structs import class_advice, namesake_difference
from ..datamodel.equivalents import is_mirror
from ..datamodel.kinds import ElementType, RecordType, StructType
from ..datamodel.models import ADDRESS
from ..lowering.site import Call, is_aligned
from .fit import EXACT, Fit


def fit_struct(type_: Struct, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """A struct that C++ only reads."""
    if isinstance(argument, types.Record) and mirrors_struct(argument, type_):
        return Fit(EXACT, partial(read_element, compute(type_, find_dialect(dialect))), type_)
    found = object_address(type_, argument)
    if found is not None:
        return Fit(EXACT, found, type_)
    offset = base_offset(argument.struct, type_) if isinstance(argument, StructType) else None
    if offset is not None:
        return Fit(EXACT, lambda call, value: call.shift(call.spill(argument, value), offset), type_)
    advice = namesake_words(argument, type_) or f"{type_.short_name}(...) builds one"
    raise Mismatch(ArgumentError, str(type_), str(argument), advice)


def fit_object(type_: Handle, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """An object that only C++ makes, which code for the CPU alone has."""
    if dialect == "cuda":
        raise Mismatch(ArgumentError, f"{type_}, which compiled code cannot make", str(argument), "")
    found = object_address(type_, argument)
    if found is None:
        advice = namesake_words(argument, type_) or object_advice(type_)
        raise Mismatch(ArgumentError, f"an object of {type_.short_name}", str(argument), advice)
    return Fit(EXACT, found, type_)


def object_address(type_: Struct, argument: Any) -> Callable[[Call, Any], Any] | None:
    """Where a struct that lies in memory lies."""
    offset = base_offset(argument.dtype.struct, type_) if isinstance(argument, RecordType) else None
    if offset is not None:
        return lambda call, value: call.shift(call.record_data(argument, value), offset)
    if isinstance(argument, types.Record) and mirrors_struct(argument, type_):
        return partial(element_place, compute(type_, find_dialect("cxx")).align)
    return None


def element_place(align: int, call: Call, value: Any) -> Any:
    """The address of an element of an array where C++ may write to it, or its method is called."""
    wrong = f"expected an element that is aligned to {align} bytes, got one that is not"
    call.require(is_aligned(call.builder, value, align), ArrayError, wrong)
    return call.builder.bitcast(value, ADDRESS)


def read_element(layout: Any, call: Call, value: Any) -> Any:
    """The address of an element that C++ only reads: of a copy, where an array has it unaligned."""
    return call.aligned_address(value, layout)


def base_offset(struct: Struct, base: Struct) -> int | None:
    """Where a class lies in the objects of another, in bytes: itself, or a base of it."""
    if namesake(struct, base):
        return None
    if struct == base or _lies_alike(struct, base):
        return 0
    known: dict[str, int] = getattr(struct.python, "__samebytes_bases__", {})
    return known.get(base.name)


def namesake(struct: Struct, base: Struct | Named) -> str:
    """How a class, or a base of it, differs from one of its name, of another library; empty of any other class."""
    return namesake_difference(base, struct.python) if struct.python is not None else ""


def namesake_words(argument: Any, type_: Type) -> str:
    """Why an argument is no object of a class of the same name; empty of any other argument."""
    struct = argument.dtype.struct if isinstance(argument, RecordType) else getattr(argument, "struct", None)
    if not isinstance(struct, Struct) or struct.python is None or not isinstance(type_, Struct | Named):
        return ""
    return class_advice(type_, struct.python)


@cache
def _lies_alike(struct: Struct, base: Struct) -> bool:
    """Whether one of two is Python's, and the fields are the same: as in Python's calls it serves then."""
    if struct.spelling and base.spelling:
        return False
    return not difference(base, struct, find_dialect("cxx"))


def mirrors_struct(record: Any, type_: Type) -> bool:
    """Whether Numba's record lies in memory as the struct does."""
    if not isinstance(type_, Struct):
        return False
    if isinstance(record, ElementType):
        return record.struct.struct == type_
    return any(is_mirror(record, StructType(type_, dialect)) for dialect in ("cxx", "cuda"))


def of_copy(type_: Type, inner: Fit, dialect: str) -> Callable[[Call, Any], Any]:
    """Gives C++ a copy: the argument's own bytes are not its to change."""

    def lower(call: Call, value: Any) -> Any:
        layout = compute(type_, find_dialect(dialect))
        place = call.stack(layout.size, layout.align)
        call.copy(place, inner.lower(call, value), layout.size)
        return place

    return lower
