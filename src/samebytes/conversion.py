"""Python values into the bytes of a known type: the one arbiter of what fits, rounds, or is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _native
from .dialects import find_dialect
from .errors import ArgumentError, ArrayError, Error, Mismatch, RangeError, value_error, value_words
from .layout import FieldLayout, compute, difference, repack, without_padding
from .types import (
    BUILTINS,
    CHAR,
    SCALARS,
    VOID,
    Array,
    CArray,
    Const,
    Enum,
    Field,
    Named,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    Void,
    as_type,
    unqualified,
)
from .values.codecs import codec
from .values.numbers import limits, number
from .values.structured import dtype_difference


@dataclass(frozen=True, slots=True)
class Packed:
    """A converted value.

    Attributes
    ----------
    data : bytes
        The machine representation, padding zeroed where it was built here.
    owners : tuple
        What must live as long as the bytes are used: they hold its address.
    """

    data: bytes
    owners: tuple[Any, ...] = ()


Rule = Callable[[Any, Any, str], Packed]
RULES: dict[type[Type], Rule] = {}


def register(kind: type[Type], rule: Rule) -> None:
    """Set the rule ``rule(type, value, dialect) -> Packed`` of a kind of type; it raises Mismatch."""
    RULES[kind] = rule


def convert(type_: Type, value: Any, dialect: str = "cxx") -> Packed:
    """The bytes of a value as one type.

    Raises
    ------
    Mismatch
        If the value does not fit; its ``path`` says where inside.
    """
    return RULES[type(type_)](type_, value, dialect)


def same_layout(a: Type, b: Type, dialect: str = "cxx") -> bool:
    """Whether two types mean the same bytes and field names; names of structs do not matter."""
    return not difference(a, b, find_dialect(dialect))


def dtype_fits(type_: Type, dtype: np.dtype[Any], dialect: str = "cxx") -> bool:
    """Whether elements of a NumPy dtype, structured ones included, are the bytes of a type."""
    return not dtype_difference(type_, dtype, find_dialect(dialect))


# --- numbers and enumerations ---


def _number(type_: Scalar, value: Any, dialect: str) -> Packed:
    return Packed(number(type_, value))


def is_flags(enum: Enum) -> bool:
    """Whether an enumeration is a set of bits: then combinations without a name are values, too.

    So it is if it is unscoped, its members are single bits (at least two) or unions of them, and they are not
    simply numbered one after the other.
    """
    values = sorted({value for _, value in enum.members})
    bits = [v for v in values if v > 0 and v & (v - 1) == 0]
    union = sum(bits)
    numbered = bool(values) and values == list(range(values[0], values[0] + len(values)))
    return (
        not enum.scoped
        and len(bits) > 1
        and not numbered
        and all(v >= 0 and v | union == union for v in values)
    )


def _enum(type_: Enum, value: Any, dialect: str) -> Packed:
    python = type_.python
    if python is not None and isinstance(value, python):
        return Packed(number(type_.underlying, operator.index(value)))  # type: ignore[arg-type]
    named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
    words = f"{type_} ({named})"
    whole = (
        isinstance(value, int | np.integer) and not isinstance(value, bool) and hasattr(value, "__index__")
    )
    if not whole or getattr(type(value), "__samebytes_type__", None) is not None:
        raise Mismatch(ArgumentError, words, value_words(value), f"Pass a member of {type_.short_name}")
    if is_flags(type_):
        low, high = limits(type_.underlying)
        fits = low <= value <= high
    else:
        fits = any(value == member for _, member in type_.members)
    if not fits:
        raise Mismatch(
            RangeError, words, value_words(value), f"No member of {type_.short_name} has this value"
        )
    return Packed(number(type_.underlying, int(value)))


# --- structs and vectors ---


def _same_object(type_: Struct | Vector, value: Any, dialect: str) -> Packed:
    """An instance of any class with the same fields; checked once for each class."""
    described = type(value).__samebytes_type__
    cxx = find_dialect("cxx")
    if described != type_ and (found := difference(type_, described, cxx)):
        raise Mismatch(
            ArgumentError, _struct_words(type_), value_words(value), f"Its layout differs: {found}"
        )
    table = find_dialect(dialect)
    native = codec(type_, dialect)
    data = repack(np.frombuffer(value, np.uint8).tobytes(), type_, cxx, table)
    if native.python is not None:
        native.accept(type(value))
    return Packed(data, (value,))


def _struct_words(type_: Struct | Vector) -> str:
    if isinstance(type_, Vector):
        return str(type_)
    return f"{type_} ({', '.join(f.name for f in type_.fields)})" if type_.complete else str(type_)


def _struct(type_: Struct, value: Any, dialect: str) -> Packed:
    if isinstance(value, _native.Value | _native.Record):
        return _same_object(type_, value, dialect)
    if isinstance(value, np.void | np.ndarray):
        return _numpy_record(type_, value, dialect)
    if not isinstance(value, tuple | list) or not type_.complete:
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), _struct_advice(type_, value))
    names = tuple(f.name for f in type_.fields)
    given = getattr(value, "_fields", names)
    if given != names:
        advice = f"Its fields are {', '.join(given)}: tuple(x) drops their names"
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)
    if len(value) != len(names):
        count = f"{len(names)} field{'s' if len(names) != 1 else ''}"
        raise Mismatch(
            ArgumentError, f"{_struct_words(type_)}, {count}", f"{len(value)}: {value_words(value)}"
        )
    return pack_fields(type_, dict(zip(names, value, strict=True)), dialect)


def _struct_advice(type_: Struct, value: Any) -> str:
    if not type_.complete:
        return f"{type_} has members that Python does not see: only C++ can make one"
    if isinstance(value, Mapping):
        return f"{type_.short_name}(**x) builds one"
    return f"{type_.short_name}(...) builds one; a tuple of its fields serves, too"


def _numpy_record(type_: Struct, value: Any, dialect: str) -> Packed:
    table = find_dialect(dialect)
    found = dtype_difference(type_, value.dtype, table)
    if not found and value.ndim:
        found = f"it has {value.ndim} dimensions"
    if found:
        advice = "numpy.dtype(..., align=True) lays fields out as C++ does" if value.dtype.names else ""
        raise Mismatch(
            ArgumentError, _struct_words(type_), value_words(value), f"{found}. {advice}".rstrip(". ")
        )
    return Packed(value.tobytes(), (value,))


def pack_fields(struct: Struct, values: Mapping[str, Any], dialect: str = "cxx") -> Packed:
    """The bytes of a struct from some of its fields; those that are left out are zero, and so is padding.

    Raises
    ------
    Mismatch
        For the first field that does not fit, with its name in ``path``.
    """
    layout = compute(struct, find_dialect(dialect))
    data, owners = bytearray(layout.size), list[Any]()
    for place in layout.fields:
        if place.name in values:
            packed = convert_field(place, values[place.name], dialect)
            owners += packed.owners
            put_field(data, place, packed.data)
    return Packed(bytes(data), tuple(owners))


def convert_field(place: FieldLayout, value: Any, dialect: str = "cxx") -> Packed:
    """The bytes of one field; of a bit-field: of its storage unit, with the value in the lowest bits."""
    with _at(f".{place.name}"):
        packed = convert(place.type, value, dialect)
        if place.bit_width:
            _check_bits(place, value, packed.data)
    return packed


class _at:  # noqa: N801
    """Adds a step to the path of a Mismatch that passes through."""

    def __init__(self, step: str) -> None:
        self.step = step

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, Mismatch):
            error.path = self.step + error.path


def _is_signed(type_: Type) -> bool:
    bare = unqualified(type_)
    number_type = bare.underlying if isinstance(bare, Enum) else bare
    return isinstance(number_type, Scalar) and number_type.kind == "int"


def _check_bits(place: FieldLayout, value: Any, data: bytes) -> None:
    signed, width = _is_signed(place.type), place.bit_width
    whole = int.from_bytes(data, "little", signed=signed)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if not low <= whole <= high:
        raise Mismatch(RangeError, f"a bit-field of {width} bits ({low} to {high})", value_words(value))


def put_field(data: bytearray, place: FieldLayout, packed: bytes) -> None:
    """Write one field's bytes to its place; a bit-field's bits leave their neighbours alone."""
    if not place.bit_width:
        data[place.offset : place.offset + place.size] = packed
        return
    # A bit-field may reach past its storage unit, and the unit past the struct: take what it touches.
    end = place.offset + (place.bit_offset + place.bit_width + 7) // 8
    unit = int.from_bytes(data[place.offset : end], "little")
    mask = (1 << place.bit_width) - 1
    bits = int.from_bytes(packed, "little") & mask
    unit = unit & ~(mask << place.bit_offset) | bits << place.bit_offset
    data[place.offset : end] = unit.to_bytes(end - place.offset, "little")


def _vector(type_: Vector, value: Any, dialect: str) -> Packed:
    if isinstance(value, _native.Value | _native.Record):
        return _same_object(type_, value, dialect)
    is_sequence = isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if is_sequence and len(value) == type_.size:
        return _elements(type_, value, dialect)
    advice = f"sb.{type_}({', '.join('xyzw'[: type_.size])}) builds one"
    raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)


def _elements(type_: Vector, value: Iterable[Any], dialect: str) -> Packed:
    table = find_dialect(dialect)
    data = bytearray(compute(type_, table).size)
    for place, item in zip(compute(type_, table).fields, value, strict=True):
        put_field(data, place, convert_field(place, item, dialect).data)
    return Packed(bytes(data))


# --- C arrays ---


def _carray(type_: CArray, value: Any, dialect: str) -> Packed:
    if type_.element == CHAR and isinstance(value, str | bytes):
        return _text(type_, value)
    if isinstance(value, bytes | bytearray | memoryview) and type_.element in (
        SCALARS["uint8"],
        SCALARS["int8"],
    ):
        value = np.frombuffer(value, np.uint8).view(type_.element.numpy)
    array = _host_array(value)
    if array is not None:
        return _from_array(type_, array, value, dialect)
    if not isinstance(value, tuple | list):
        raise Mismatch(
            ArgumentError, str(type_), value_words(value), "Pass a sequence or an array of its elements"
        )
    return _sequence(type_, type_.shape, value, dialect)


def _text(type_: CArray, value: str | bytes) -> Packed:
    data = value.encode() if isinstance(value, str) else value
    if len(type_.shape) != 1 or len(data) > type_.count:
        raise Mismatch(RangeError, f"at most {type_.count} bytes of text ({type_})", value_words(value))
    return Packed(data.ljust(type_.count, b"\0"))


def _host_array(value: Any) -> np.ndarray[Any, Any] | None:
    if isinstance(value, np.ndarray):
        return value
    try:
        on_host = value.__dlpack_device__()[0] == 1
        return np.asarray(value) if on_host else None
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError):
        return None


def _from_array(type_: CArray, array: np.ndarray[Any, Any], value: Any, dialect: str) -> Packed:
    outer, inner = array.shape[: len(type_.shape)], array.shape[len(type_.shape) :]
    if outer == type_.shape and dtype_fits(type_.element, np.dtype((array.dtype, inner)), dialect):
        return Packed(array.tobytes())
    if outer != type_.shape or (inner and not isinstance(type_.element, Vector)):
        got = f"shape {list(array.shape)} of {array.dtype} ({type(value).__name__})"
        raise Mismatch(ArrayError, f"{type_} of shape {list(type_.shape)}", got)
    return _sequence(type_, type_.shape, array, dialect)


def _sequence(type_: CArray, shape: tuple[int, ...], value: Any, dialect: str) -> Packed:
    if not shape:
        return convert(type_.element, value, dialect)
    is_sequence = isinstance(value, tuple | list | np.ndarray)
    if not is_sequence or len(value) != shape[0]:
        got = f"{len(value)}: {value_words(value)}" if is_sequence else value_words(value)
        raise Mismatch(ArgumentError, f"{shape[0]} element{'s' if shape[0] != 1 else ''} ({type_})", got)
    data, owners = list[bytes](), list[Any]()
    for i, item in enumerate(value):
        with _at(f"[{i}]"):
            packed = _sequence(type_, shape[1:], item, dialect)
        data.append(packed.data)
        owners += packed.owners
    return Packed(b"".join(data), tuple(owners))


# --- addresses ---


def _pointer(type_: Pointer, value: Any, dialect: str) -> Packed:
    data = codec(type_, dialect).pack(value)
    if data is None:
        raise Mismatch(ArgumentError, str(type_), value_words(value), "Pass None or a Pointer")
    return Packed(data, (value,))


def _void(type_: Void, value: Any, dialect: str) -> Packed:
    if value is not None:
        raise Mismatch(ArgumentError, "None", value_words(value))
    return Packed(bytes(compute(type_, find_dialect(dialect)).size))


def _unknown(type_: Type, value: Any, dialect: str) -> Packed:
    raise Mismatch(ArgumentError, f"a pointer to {type_}", value_words(value), "Its layout is not known")


RULES.update(
    {
        Scalar: _number,
        Enum: _enum,
        Struct: _struct,
        Vector: _vector,
        CArray: _carray,
        Pointer: _pointer,
        Void: _void,
        Named: _unknown,
        Array: _unknown,
        Const: lambda type_, value, dialect: convert(type_.type, value, dialect),
    }
)


# --- pack and unpack ---


def type_of(value: Any) -> Type:
    """The type that a value has where no C++ type is known (specification, "Builtin Numbers", "Tuples").

    Raises
    ------
    TypeError
        If a value of that class has no machine representation.
    """
    described = getattr(type(value), "__samebytes_type__", None)
    if isinstance(described, Type):
        return described
    if value is None:
        return VOID
    if type(value) is tuple and value:
        fields = tuple(Field(f"__{i}", type_of(item)) for i, item in enumerate(value))
        return Struct("__anonymous_tuple", fields)
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return as_type(value.dtype)
    if isinstance(value, np.ndarray):
        element = as_type(value.dtype)
        return Array(element if value.flags.writeable else Const(element), value.ndim)
    return next((BUILTINS[kind] for kind in BUILTINS if isinstance(value, kind)), None) or as_type(value)


def pack(value: Any, T: Any = None, dialect: str = "cxx") -> bytes:  # noqa: N803
    """The machine representation of a value.

    Parameters
    ----------
    value : object
    T : type or Type, optional
        Without it, ``int`` is int32, ``float`` float32, ``complex`` complex64, a tuple a struct of its items
        (specification, "Builtin Numbers" and "Tuples"); NumPy scalars, vectors and structs know theirs.
    dialect : str
        Whose layout.

    Returns
    -------
    bytes
        ``sizeof(T, dialect)`` bytes, padding zeroed.

    Raises
    ------
    ArgumentError, RangeError
        If the value does not fit; the message says what to do. ArgumentError also
        if the bytes would hold the address of a copy that dies with this call (text for ``const char*``).
    """
    type_ = type_of(value) if T is None else as_type(T)
    try:
        packed = convert(type_, value, dialect)
        if any(isinstance(owner, np.ndarray) and owner is not value for owner in packed.owners):
            advice = "Make the memory yourself and pass a Pointer to it"
            raise Mismatch(
                ArgumentError, "a value without a temporary copy behind it", value_words(value), advice
            )
    except Mismatch as mismatch:
        raise value_error("pack():", mismatch) from None
    return without_padding(packed.data, type_, find_dialect(dialect))


def unpack(data: Any, T: Any, dialect: str = "cxx") -> Any:  # noqa: N803
    """The value that some bytes stand for.

    Parameters
    ----------
    data : bytes-like
        Exactly ``sizeof(T, dialect)`` bytes.
    T : type or Type
    dialect : str
        Whose layout the bytes have.

    Raises
    ------
    ArrayError
        If the number of bytes differs.
    """
    type_ = unqualified(as_type(T))
    table, raw = find_dialect(dialect), bytes(memoryview(data))
    size = compute(type_, table).size
    if len(raw) != size:
        raise value_error("unpack():", Mismatch(ArrayError, f"{size} bytes of {type_}", f"{len(raw)} bytes"))
    if type_ == VOID:
        return None
    return codec(type_).unpack(repack(raw, type_, table, find_dialect("cxx")))


def field_error(subject: str, mismatch: Mismatch) -> Error:
    """The error for one assignment, ``subject`` naming the class."""
    return value_error("", replace(mismatch, path=f"{subject}{mismatch.path}"))


__all__: Sequence[str] = [
    "RULES",
    "Packed",
    "convert",
    "convert_field",
    "dtype_fits",
    "field_error",
    "is_flags",
    "pack",
    "pack_fields",
    "put_field",
    "register",
    "same_layout",
    "type_of",
    "unpack",
]
