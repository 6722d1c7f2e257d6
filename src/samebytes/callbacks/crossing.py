"""One value through ctypes' gate: the class that passes it as C does, and our own conversions on both sides of it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .. import _native
from ..conversion import convert
from ..conversion.numbers import limits
from ..dialects import find_dialect
from ..errors import LayoutError
from ..mirrors import find_mirror
from ..types import (
    CHAR,
    SCALARS,
    VOID,
    CArray,
    Const,
    Enum,
    Field,
    Function,
    Handle,
    Named,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    unqualified,
)
from ..values.codecs import codec

# The class of a record that a library binds, by its qualified C++ name; None where it binds none.
Find = Callable[[str], type | None]


@dataclass(frozen=True, slots=True)
class Crossing:
    """How values of one type pass.

    Attributes
    ----------
    ctype : ctypes class or None
        None for void.
    read : callable
        What ctypes gives -> the Python value.
    reader : Codec or callable
        The same for the core: the codec of the value, or what makes the Python value of an address.
    write : callable
        A Python value -> what ctypes takes, and what must live meanwhile.
    exact : (type, low, high) or None
        Objects of just this class, within these bounds, are what ``write`` would make of them.
    by_bytes : bool
        Whether ctypes passes an object of its own, which it cannot make of a callback's result.
    """

    ctype: Any
    read: Callable[[Any], Any]
    write: Callable[[Any], tuple[Any, tuple[Any, ...]]]
    reader: Any = None
    exact: tuple[type, Any, Any] | None = None
    by_bytes: bool = False


class CannotPass(Exception):
    """Why a value of a type cannot pass through ctypes, as the end of a sentence about it."""


def crossing(type_: Type, passing: str, find: Find) -> Crossing:
    """How values of a type pass.

    Raises
    ------
    CannotPass
        With the reason.
    """
    if passing != "value":
        type_ = Pointer(type_)
    bare = unqualified(type_)
    rule = _RULES.get(type(bare))
    if rule is None:
        raise CannotPass(f"{bare} does not pass through a callback")
    return rule(bare, find)


def as_is(value: Any) -> Any:
    """What ctypes gives is the Python value already."""
    return value


def _number(type_: Scalar, find: Find) -> Crossing:
    if type_.kind == "complex":
        # As C passes it: two numbers in a row (System V ABI, AMD64, 3.2.3).
        half = SCALARS["float32" if type_.size == 8 else "float64"]
        return _bytes(type_, Struct("complex", (Field("re", half), Field("im", half))))
    try:
        ctype = find_mirror("ctypes").make(SCALARS["int8"] if type_ == CHAR else type_, find_dialect("cxx"))
    except LayoutError:
        raise CannotPass(f"ctypes has no {type_}") from None
    return Crossing(ctype, as_is, _written(type_, ctype), codec(type_), _exact(type_))


def _exact(type_: Scalar) -> tuple[type, Any, Any] | None:
    if type_.kind in ("int", "uint"):
        return (int, *limits(type_))
    largest = {"float32": float(np.finfo(np.float32).max), "float64": float("inf")}.get(type_.name)
    return (float, -largest, largest) if largest is not None else None


def _written(type_: Type, ctype: Any) -> Callable[[Any], tuple[Any, tuple[Any, ...]]]:
    def write(value: Any) -> tuple[Any, tuple[Any, ...]]:
        packed = convert(type_, value)
        return ctype.from_buffer_copy(packed.data).value, packed.owners

    return write


def _enum(type_: Enum, find: Find) -> Crossing:
    inner = crossing(type_.underlying, "value", find)
    native = codec(type_)

    def read(value: Any) -> Any:
        return native.unpack(bytes(inner.ctype(value)))

    return Crossing(inner.ctype, read, _written(type_, inner.ctype), native)


def _bytes(type_: Type, lying: Type) -> Crossing:
    """A value that ctypes passes as an object of a class that lies like ``lying``."""
    try:
        ctype = find_mirror("ctypes").make(lying, find_dialect("cxx"))
    except LayoutError as error:
        raise CannotPass(str(error)) from None
    if not issubclass(ctype, ctypes.Structure):
        ctype = type("held", (ctypes.Structure,), {"_fields_": [("value", ctype)]})
    native = codec(type_)
    if ctypes.sizeof(ctype) != native.size:
        raise CannotPass(f"ctypes does not lay {type_} out as C does")

    def write(value: Any) -> tuple[Any, tuple[Any, ...]]:
        packed = convert(type_, value)
        return ctype.from_buffer_copy(packed.data), packed.owners

    return Crossing(ctype, native.unpack, write, native, by_bytes=True)


def _struct(type_: Struct, find: Find) -> Crossing:
    if type_.union:
        raise CannotPass("ctypes does not pass a union by value")
    return _bytes(type_, type_)


# --- pointers: an address there, and here whatever shows best what is at it ---


def _pointer(type_: Pointer, find: Find) -> Crossing:
    kind = "string" if type_.is_string else type(type_.target)
    read = _POINTEES.get(kind, _plain_pointer)(type_, find)

    def write(value: Any) -> tuple[Any, tuple[Any, ...]]:
        packed = convert(type_, value)
        return int.from_bytes(packed.data, "little"), packed.owners

    text = _native.Codec("string", size=8, align=8, type=type_) if kind == "string" else None
    return Crossing(ctypes.c_void_p, read, write, text or read)


def _plain_pointer(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    return _native.Pointer  # ctypes' None is null to it, too


def _text(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    def read(address: int | None) -> str | None:
        return ctypes.string_at(address).decode("utf-8", "surrogateescape") if address else None

    return read


def measured_text(address: int | None, counts: Sequence[int]) -> bytes | None:
    """The bytes at an address, as many as the product of ``counts``; up to a NUL where C says so by a negative one."""
    if not address:
        return None
    length = prod(counts)
    return ctypes.string_at(address) if not 0 <= length <= sys.maxsize else ctypes.string_at(address, length)


def _record(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    target: Any = type_.target
    opaque = target.python if isinstance(target, Named) else None
    kind = opaque or _native.Pointer  # a C API has a class for each

    def read(address: int | None) -> Any:
        python: Any = find(target.name)
        if python is None or not issubclass(python, _native.Record):
            return kind(address or 0)
        return python._view(address, None) if address else None

    return read


def _function(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    python: Any = getattr(type_.target, "python", None)
    return lambda address: (python or _native.Pointer)(address or 0)


_POINTEES: dict[Any, Callable[[Pointer, Find], Callable[[Any], Any]]] = {
    "string": _text,
    Struct: _record,
    Handle: _record,
    Named: _record,
    Function: _function,
}

_RULES: dict[type[Type], Callable[[Any, Find], Crossing]] = {
    Scalar: _number,
    Enum: _enum,
    Struct: _struct,
    Vector: lambda type_, find: _bytes(type_, type_),
    CArray: lambda type_, find: _bytes(type_, type_),
    Pointer: _pointer,
    Const: lambda type_, find: crossing(type_.type, "value", find),
    type(VOID): lambda type_, find: Crossing(None, lambda value: None, lambda value: (None, ())),
}
