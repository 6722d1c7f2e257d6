"""Arguments of compiled calls other than numbers: addresses, structs, vectors, arrays and enumerations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types

from ..dialects import find_dialect
from ..errors import ArgumentError, ArrayError, IntentError, Mismatch
from ..generate.shims.direct import MACHINE
from ..layout import compute
from ..signature import Parameter
from ..types import (
    CHAR,
    VOID,
    Array,
    CArray,
    Const,
    Converted,
    Enum,
    Function,
    Handle,
    Pointer,
    Scalar,
    Span,
    Struct,
    Type,
    Vector,
    unqualified,
)
from .functions import fit_function
from .halves import is_half
from .kinds import (
    ElementType,
    HandleType,
    RecordType,
    StructType,
    VectorType,
    is_mirror,
    numba_type,
    scalar_type,
    vector_of,
)
from .models import ADDRESS
from .numbers import CONVERTED, EXACT, LOSSLESS, Call, Fit, fit_number, machine_type

_LAYOUTS = {"right": "C", "left": "F"}


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
    # An object that may be changed goes to a method that changes it before one that is const.
    kept = itself and not parameter.may_write and isinstance(argument, RecordType)
    return Fit(found.rank + 1.5 * moved + 0.25 * kept, found.lower)


def _fit(parameter: Parameter, argument: Any, dialect: str, *, itself: bool) -> Fit:
    _check_const(parameter, argument)
    place = parameter.may_write and (itself or parameter.intent.name in ("inout_ptr", "out_ptr"))
    if place:
        return _fit_place(parameter.value_type, argument, dialect, parameter)
    if parameter.intent.name in ("inout_ptr", "out_ptr"):
        return fit_type(parameter.value_type, argument, dialect, parameter)
    found = fit_type(parameter.value_type, argument, dialect, parameter)
    copied = isinstance(parameter.value_type, Struct | CArray) and not isinstance(
        parameter.value_type, Handle
    )
    if parameter.may_write and copied:
        return Fit(found.rank, _of_copy(parameter.value_type, found, dialect))
    return found


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
    if not isinstance(argument, types.EnumMember) or argument.instance_class is not type_.python:
        named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
        raise Mismatch(
            ArgumentError, f"{type_} ({named})", str(argument), f"Pass a member of {type_.short_name}"
        )

    def lower(call: Call, value: Any) -> Any:
        form = machine_type(type_.underlying)
        return call.builder.trunc(value, form) if value.type.width > form.width else value

    return Fit(EXACT, lower)


def _struct(type_: Struct, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    found = object_address(type_, argument)
    if found is not None:
        return Fit(_base_rank(type_, argument), found)
    offset = base_offset(argument.struct, type_) if isinstance(argument, StructType) else None
    if offset is not None:
        rank = _base_rank(type_, argument)
        return Fit(rank, lambda call, value: call.shift(call.spill(argument, value), offset))
    raise Mismatch(ArgumentError, str(type_), str(argument), f"{type_.short_name}(...) builds one")


def object_address(type_: Struct, argument: Any) -> Callable[[Call, Any], Any] | None:
    """Where a struct that lies in memory lies."""
    offset = base_offset(argument.dtype.struct, type_) if isinstance(argument, RecordType) else None
    if offset is not None:
        return lambda call, value: call.shift(call.record_data(argument, value), offset)
    if isinstance(argument, types.Record) and _is_mirror(argument, type_):
        return lambda call, value: call.builder.bitcast(value, ADDRESS)
    return None


def _base_rank(type_: Type, argument: Any) -> float:
    """A class is nearer than its bases."""
    held = argument.dtype.struct if isinstance(argument, RecordType) else getattr(argument, "struct", type_)
    return EXACT if held == type_ else EXACT + 0.5


def base_offset(struct: Struct, base: Struct) -> int | None:
    """Where a class lies in the objects of another, in bytes: itself, or a base of it."""
    if struct == base:
        return 0
    known: dict[str, int] = getattr(struct.python, "__samebytes_bases__", {})
    if base.name in known:
        return known[base.name]
    classes = [getattr(c, "__samebytes_type__", None) for c in getattr(struct.python, "__mro__", ())]
    for direct in struct.bases:
        if direct.virtual:
            continue
        inner = next((c for c in classes if c is not None and c.name == direct.name), None)
        found = base_offset(inner, base) if inner is not None else None
        if found is not None:
            return direct.offset + found
    return None


def _is_mirror(record: Any, type_: Type) -> bool:
    """Whether Numba's record lies in memory as the struct does."""
    if not isinstance(type_, Struct):
        return False
    if isinstance(record, ElementType):
        return record.struct.struct == type_
    return any(is_mirror(record, StructType(type_, dialect)) for dialect in ("cxx", "cuda"))


def _of_copy(type_: Type, inner: Fit, dialect: str) -> Callable[[Call, Any], Any]:
    """The argument's own bytes are not C++'s to change."""

    def lower(call: Call, value: Any) -> Any:
        layout = compute(type_, find_dialect(dialect))
        place = call.stack(layout.size, layout.align)
        call.copy(place, inner.lower(call, value), layout.size)
        return place

    return lower


def _vector(type_: Vector, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    if vector_of(argument) == type_:
        return Fit(EXACT, lambda call, value: call.spill_vector(argument, value))
    raise Mismatch(ArgumentError, str(type_), str(argument), f"sb.{type_}(...) builds one")


# --- places: what C++ may write to


def _fit_place(type_: Type, argument: Any, dialect: str, parameter: Parameter) -> Fit:
    """The address of an object that the caller owns."""
    found = object_address(type_, argument) if isinstance(type_, Struct) else None
    if found is not None:
        return Fit(_base_rank(type_, argument), found)
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


# --- addresses


def _pointer(type_: Pointer, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
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
        if call.world.cuda:
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
    if expected not in (argument, types.voidptr):
        raise Mismatch(ArgumentError, f"{type_} ({expected})", str(argument), "")
    rank = EXACT if expected == argument else CONVERTED
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
    _check_writable(type_.const, words, argument)
    rank = CONVERTED if target == VOID else LOSSLESS if type_.const and argument.mutable else EXACT
    rank += 0.5 if inner else 0  # vectors and arrays of its elements

    def lower(call: Call, value: Any) -> Any:
        held = call.context.make_array(argument)(call.context, call.builder, value)
        if inner:
            check_extents(call, argument, held, inner)
        return call.builder.bitcast(held.data, ADDRESS)

    return Fit(rank, lower)


def _check_writable(const: bool, words: str, argument: Any) -> None:
    if not const and not argument.mutable:
        raise Mismatch(ArrayError, f"writable {words}", f"a read-only array ({argument})", "")


def check_extents(call: Call, argument: Any, held: Any, shape: Sequence[int]) -> None:
    """Require the last extents of an array to be these."""
    extents = call.world.cgutils.unpack_tuple(call.builder, held.shape, argument.ndim)
    whole = ir.IntType(1)(1)
    for extent, wanted in zip(extents[argument.ndim - len(shape) :], shape, strict=True):
        whole = call.builder.and_(whole, call.builder.icmp_signed("==", extent, extent.type(wanted)))
    call.require(whole, ArrayError, f"expected an array whose last extents are {list(shape)}, got others")


def _inner(argument: Any, target: Type) -> tuple[int, ...]:
    """The extents that an array must have for each element that a pointer points to."""
    if isinstance(target, CArray):
        inner = unqualified(target.element)
        return (*target.shape, *_inner(argument, inner))
    if isinstance(target, Vector) and vector_of(argument.dtype) is None:
        return (target.size,)
    return ()


def holds(dtype: Any, target: Type, dialect: str) -> bool:
    """Whether elements of an array are values of a type of C++."""
    if isinstance(target, Enum):
        target = target.underlying
    if isinstance(target, CArray):
        return holds(dtype, unqualified(target.element), dialect)
    if isinstance(target, Vector):
        return vector_of(dtype) == target or dtype == numba_type(target.element, dialect)
    if isinstance(dtype, types.Record):
        return _is_mirror(dtype, target)
    if is_half(target, dialect):
        return False  # Numba has no arrays of them
    try:
        return bool(dtype == numba_type(target, dialect))
    except Mismatch:
        return False


def _from_struct(type_: Pointer, argument: Any, dialect: str) -> Fit:
    target, held = type_.target, argument.dtype.struct if isinstance(argument, RecordType) else None
    if isinstance(argument, StructType):
        held = argument.struct
        if held == target and not type_.const:
            advice = f"{held.short_name}(x) makes a record of it"
            raise Mismatch(IntentError, str(type_), f"{argument}, a value", advice)
    names = (getattr(target, "name", None), None) if target != VOID else (held.name if held else None, None)
    if isinstance(argument, types.Record):
        if target != VOID and not _is_mirror(argument, target):
            raise Mismatch(ArgumentError, str(type_), str(argument), "")
        return Fit(EXACT, lambda call, value: call.builder.bitcast(value, ADDRESS))
    same = held is not None and held.name == names[0]
    offset = base_offset(held, target) if held is not None and isinstance(target, Struct) else None
    if not same and (offset is None or (isinstance(argument, StructType) and not type_.const)):
        raise Mismatch(ArgumentError, str(type_), str(argument), "")
    rank = (LOSSLESS if type_.const else EXACT) + (0 if same else 0.5)
    shift = offset or 0
    if isinstance(argument, StructType):
        return Fit(rank, lambda call, value: call.shift(call.spill(argument, value), shift))
    return Fit(rank, lambda call, value: call.shift(call.record_data(argument, value), shift))


def _null(type_: Pointer, argument: Any, dialect: str) -> Fit:
    return Fit(EXACT, lambda call, value: ADDRESS(None))


_ADDRESSES: dict[Any, Callable[[Pointer, Any, str], Fit]] = {
    (types.CPointer, types.RawPointer): _from_pointer,
    types.Array: _from_array,
    (RecordType, StructType, types.Record): _from_struct,
    types.NoneType: _null,
}


# --- arrays that C++ takes with their shape


def _array(type_: Array, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    words = f"{type_.element}[{', '.join('n' * type_.ndim)}] ({type_})"
    if not isinstance(argument, types.Array):
        raise Mismatch(ArrayError, words, str(argument), "")
    if argument.ndim != type_.ndim or not holds(argument.dtype, type_.element, dialect):
        raise Mismatch(ArrayError, words, str(argument), "")
    _check_writable(isinstance(type_.dtype, Const), words, argument)
    needed = _LAYOUTS.get(getattr(type_, "layout", ""), "")
    if needed and argument.layout != needed and argument.ndim > 0:
        order = {"C": "np.ascontiguousarray(x)", "F": "np.asfortranarray(x)"}[needed]
        raise Mismatch(ArrayError, f"{needed}-contiguous {words}", str(argument), f"{order} makes a copy")

    def lower(call: Call, value: Any) -> Any:
        return _descriptor(call, argument, value)

    return Fit(EXACT, lower)


def _descriptor(call: Call, argument: Any, value: Any) -> Any:
    """``{T* data; uint64_t shape[n]; uint64_t strides[n]}``, strides in elements."""
    builder, unpack = call.builder, call.world.cgutils.unpack_tuple
    held = call.context.make_array(argument)(call.context, builder, value)
    place = call.stack(8 + 16 * argument.ndim, 8)
    builder.store(builder.bitcast(held.data, ADDRESS), call.at(place, ADDRESS))
    shape, strides = (unpack(builder, part, argument.ndim) for part in (held.shape, held.strides))
    for i, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        builder.store(extent, call.at(call.shift(place, 8 + 8 * i), extent.type))
        if argument.layout not in ("C", "F"):
            even = builder.icmp_signed("==", builder.srem(stride, held.itemsize), stride.type(0))
            call.require(even, ArrayError, "expected strides of whole elements, got a part of one")
        steps = builder.sdiv(stride, held.itemsize)
        builder.store(steps, call.at(call.shift(place, 8 + 8 * (argument.ndim + i)), steps.type))
    return place


# A kind of type -> its rule; ``aggregates`` adds to them.
RULES: dict[type[Type], Callable[[Any, Any, str, Parameter | None], Fit]] = {
    Scalar: _scalar,
    Enum: _enum,
    Struct: _struct,
    Vector: _vector,
    Pointer: _pointer,
    Array: _array,
    Span: _array,
}
