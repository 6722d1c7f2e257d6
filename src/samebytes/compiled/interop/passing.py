"""Where C passes the values of a function that Python wrote: in which forms, and what compiled code makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ...errors import ArgumentError, Mismatch
from ...frozen import frozen
from ...layouts.dialects import layout
from ...layouts.processors import PADDING, REAL, WORD, Placing, Shape, processor
from ...types import (
    VOID,
    Argument,
    Array,
    Const,
    Enum,
    Function,
    Handle,
    Pointer,
    Scalar,
    Struct,
    Tuple,
    Type,
    Vector,
    unqualified,
)
from ..datamodel.equivalents import numba_type
from ..datamodel.kinds import HandleType, RecordType, SharedType, StructType
from ..datamodel.models import BYTE
from ..lowering.descriptors import descriptor_type, read_descriptor
from ..lowering.reading import from_storage
from ..lowering.registers import as_enumerator
from ..lowering.site import Call

_BY_BYTES = (Struct, Vector, Array)


@frozen(slots=False)
class Passed:
    """How one argument goes in.

    Attributes
    ----------
    kind : type
        Numba's.
    forms : tuple of ir.Type
        The registers that carry it; one address where ``memory``.
    memory : bool
        Whether it lies on the stack, where the caller has put it.
    read : callable
        ``read(call, values)``: of the registers, the value that compiled code has.
    """

    kind: Any
    forms: tuple[ir.Type, ...]
    memory: bool
    read: Callable[[Call, list[Any]], Any]


def refuse(type_: Type, words: str = "") -> Mismatch:
    """What is raised for a value that cannot pass."""
    return Mismatch(
        ArgumentError, "values that pass to compiled code as C passes them", words or str(type_), ""
    )


def scalar_form(scalar: Scalar) -> ir.Type:
    """A number as C has it in a register.

    Raises
    ------
    Mismatch
        If C passes it in a way of its own.
    """
    if scalar.kind == "float" and scalar.size in (4, 8):
        return ir.FloatType() if scalar.size == 4 else ir.DoubleType()
    if scalar.kind in ("int", "uint", "bool", "char") and scalar.size <= WORD:
        return ir.IntType(8 * scalar.size)
    raise refuse(scalar)


def arguments_of(function: Function) -> list[Passed]:
    """How the arguments of a function pass, in order.

    Raises
    ------
    Mismatch
        If one of them does not; the message says which kind of value.
    """
    result = unqualified(function.result)
    machine = processor()
    placing = Placing(machine.registers) if machine is not None else None
    if placing is not None and isinstance(result, _BY_BYTES) and not _shape(result).words:
        placing(Shape(("general",)))  # the place of the result
    return [_argument(a, placing) for a in function.arguments]


def _argument(argument: Argument, placing: Placing | None) -> Passed:
    bare = unqualified(argument.type)
    if argument.passing == "value":
        if isinstance(bare, Pointer):
            return _counted(_pointer(bare), placing)
        if isinstance(bare, _BY_BYTES) and not isinstance(bare, Handle):
            return _bytes(bare, placing)
        if isinstance(bare, Scalar | Enum):
            return _counted(_number(bare), placing)
        raise refuse(bare)
    return _counted(_reference(argument), placing)


def _counted(passed: Passed, placing: Placing | None) -> Passed:
    """Take the register of a value that has one."""
    if placing is not None:
        real = isinstance(passed.forms[0], ir.FloatType | ir.DoubleType)
        placing(Shape((REAL if real else "general",)))
    return passed


def _number(type_: Any) -> Passed:
    scalar = type_ if isinstance(type_, Scalar) else type_.underlying
    form = scalar_form(scalar)

    def read(call: Call, values: list[Any]) -> Any:
        (value,) = values
        if scalar.kind == "bool":
            return call.builder.icmp_unsigned("!=", value, form(0))
        return as_enumerator(call, type_, value) if isinstance(type_, Enum) else value

    return Passed(numba_type(type_, "cxx"), (form,), False, read)


def _pointer(type_: Pointer) -> Passed:
    target = unqualified(type_.target)
    if isinstance(target, Struct) and not isinstance(target, Tuple) and target.python is not None:
        return _object(target, const=type_.const)
    kind = numba_type(type_, "cxx")

    def read(call: Call, values: list[Any]) -> Any:
        return call.builder.bitcast(values[0], call.context.get_value_type(kind))

    return Passed(kind, (BYTE.as_pointer(),), False, read)


def _reference(argument: Argument) -> Passed:
    """What is behind a reference: an object itself, of what is const a copy, the address of a number."""
    const, bare = isinstance(argument.type, Const), unqualified(argument.type)
    if isinstance(bare, Struct) and not isinstance(bare, Tuple) and bare.python is not None:
        return _object(bare, const=const)
    if not const and argument.passing == "lvalue_ref":
        return _pointer(Pointer(bare))
    if isinstance(bare, Handle | Pointer) or not isinstance(bare, Scalar | Enum | Vector | Struct):
        raise refuse(bare, f"{argument}")
    kind = numba_type(bare, "cxx")

    def read(call: Call, values: list[Any]) -> Any:
        return (
            call.load(kind, values[0])
            if isinstance(kind, StructType)
            else from_storage(call, bare, values[0], "cxx")
        )

    return Passed(kind, (BYTE.as_pointer(),), False, read)


def _object(struct: Struct, *, const: bool) -> Passed:
    """A struct of a class at an address: what may be changed is the very object, what is const is read."""
    place = numba_type(struct, "cxx")
    if isinstance(place, HandleType):
        kind: Any = HandleType(place.dtype, const=const)
    else:
        kind = SharedType(place) if place.shared else place if const or place.immutable else RecordType(place)

    def read(call: Call, values: list[Any]) -> Any:
        null = call.builder.icmp_unsigned("==", values[0], values[0].type(None))
        call.require(
            call.builder.not_(null), ArgumentError, f"expected a {struct}, and C++ gave a null pointer"
        )
        if not isinstance(kind, RecordType):
            return call.load(kind, values[0])
        return call.make_record(kind, values[0], call.no_owner)

    return Passed(kind, (BYTE.as_pointer(),), False, read)


def _shape(type_: Type) -> Shape:
    machine = processor()
    if isinstance(type_, Array):
        size = layout(type_).size // WORD
        found: Shape | None = Shape(("general",) * size) if size <= 2 else Shape((), size)
    else:
        found = machine.shape(type_) if machine is not None else None
    if machine is None or found is None:
        raise refuse(type_, f"{type_} by value")
    return found


def _bytes(type_: Type, placing: Placing | None) -> Passed:
    """A struct by value: in registers where all its words have one, else in memory."""
    shape = _shape(type_)
    kind = descriptor_type(type_, "cxx") if isinstance(type_, Array) else numba_type(type_, "cxx")

    def stored(call: Call, place: Any) -> Any:
        if isinstance(type_, Array):
            return read_descriptor(call, kind, type_, place)
        return (
            call.load(kind, place)
            if isinstance(kind, StructType)
            else from_storage(call, type_, place, "cxx")
        )

    assert placing is not None  # else there is no shape
    before = placing.stack
    placing(shape)
    if placing.stack > before:  # not in registers
        form = ir.ArrayType(BYTE, layout(type_).size).as_pointer()
        return Passed(kind, (form,), True, lambda call, values: stored(call, values[0]))

    def read(call: Call, values: list[Any]) -> Any:
        place = call.stack(WORD * shape.size, 16)
        for value, offset in zip(values, offsets(shape), strict=True):
            call.builder.store(value, call.at(call.shift(place, offset), value.type))
        return stored(call, place)

    return Passed(kind, register_forms(shape), False, read)


def register_forms(shape: Shape) -> tuple[ir.Type, ...]:
    """The forms of a value's words in registers."""
    words = (word for word in shape.words if word != PADDING)
    return tuple(ir.DoubleType() if word == REAL else ir.IntType(64) for word in words)


def offsets(shape: Shape) -> list[int]:
    """Where those words lie, in bytes."""
    return [WORD * i for i, word in enumerate(shape.words) if word != PADDING]


def result_shape(function: Function) -> Shape | None:
    """How the result comes back where it is bytes; None for numbers, addresses and nothing.

    Raises
    ------
    Mismatch
        If it cannot.
    """
    result = unqualified(function.result)
    if function.result_passing != "value" or isinstance(result, Handle):
        raise refuse(result, f"a result that is {function.result} by reference")
    if isinstance(result, Struct | Vector):
        return _shape(result)
    if result != VOID and not isinstance(result, Scalar | Enum | Pointer):
        raise refuse(result)
    return None


def result_form(function: Function) -> ir.Type:
    """The form of a result that comes back in one register."""
    result = unqualified(function.result)
    if result == VOID:
        return ir.VoidType()
    if isinstance(result, Pointer):
        return BYTE.as_pointer()
    scalar = result.underlying if isinstance(result, Enum) else result
    assert isinstance(scalar, Scalar)
    return scalar_form(scalar)
