"""Writing to the fields of records in compiled code: what fields accept, and how it is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from ...errors import Error, Mismatch, call_error
from ...layouts import FieldLayout
from ...types import CArray, unqualified
from ..arguments.rules import fit_type
from ..compiler import NumbaCompiler
from ..datamodel.kinds import HandleType, RecordType, StructType, VectorType
from ..lowering.memory import is_constant, places
from ..lowering.site import Call
from ..lowering.storing import write_field


def register_writing(compiler: NumbaCompiler) -> None:
    """Teach a compiler to write to records: their fields accept what parameters of their types accept."""
    compiler.registry.lower_setattr_generic(RecordType)(_lower_write(compiler))
    _type_writes(compiler)


def _type_writes(compiler: NumbaCompiler) -> None:
    original = compiler.typing.resolve_setattr

    def resolve_setattr(target: Any, attr: str, value: Any) -> Any:
        own: Any = getattr(target, "dtype", target) if isinstance(target, RecordType | StructType) else None
        if own is not None and own.immutable:
            name = own.struct.short_name
            raise compiler.errors.TypingError(
                f"{name} is immutable: x.replace({attr}=...) makes a changed copy"
                if attr in places(own)
                else f"{name} has no field {attr!r}, and attributes cannot be added"
            )
        if isinstance(target, VectorType):
            raise compiler.errors.TypingError(
                f"{target} is immutable: v.replace({attr}=...) makes a changed copy"
            )
        if isinstance(target, StructType) and attr in places(target):
            name = target.struct.short_name
            raise compiler.errors.TypingError(
                f"{name}.{attr} cannot be written: it is a value that a call returned; {name}(x) makes a record of it"
            )
        if not isinstance(target, RecordType):
            return original(target, attr, value)
        place = places(target.dtype).get(attr)
        if place is None:
            return None
        name = target.dtype.struct.short_name
        if is_constant(target.dtype, place):
            raise compiler.errors.TypingError(f"{name}.{attr} is const in C++ and cannot be changed")
        if isinstance(target, HandleType) and target.const:
            raise compiler.errors.TypingError(
                f"{name}.{attr} cannot be changed: C++ gave the object as const"
            )
        try:
            fit_field(target.dtype, attr, place, value)
        except Error as error:
            raise compiler.errors.TypingError(str(error)) from None
        return compiler.templates.signature(types.none, target, value)

    compiler.typing.resolve_setattr = resolve_setattr


def fit_field(struct: StructType, attr: str, place: FieldLayout, value: Any) -> Any:
    """How a value serves a field.

    Raises
    ------
    Error
        If it does not.
    """
    try:
        type_ = unqualified(place.type)
        if isinstance(type_, CArray):
            raise Mismatch(Error, f"{attr}[...] = x", "the whole array")
        return fit_type(type_, value, struct.dialect)
    except Mismatch as mismatch:
        mismatch.index, mismatch.name = 0, attr
        raise call_error(f"{struct.struct.short_name}.{attr} = x, in", [mismatch]) from None


def _lower_write(compiler: NumbaCompiler) -> Callable[..., Any]:
    def write(context: Any, builder: Any, signature: Any, args: Any, attr: str) -> Any:
        typ, given = signature.args
        struct = typ.dtype
        place = places(struct)[attr]
        call = Call(compiler, context, builder, f"{struct.struct.short_name}.{attr}")
        lowered = fit_field(struct, attr, place, given).lower(call, args[1])
        inside = call.shift(call.record_data(typ, args[0]), place.offset)
        write_field(call, struct, place, inside, lowered)

    return write
