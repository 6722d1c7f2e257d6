"""One value through ctypes' gate: the class that passes it as C does, and our own conversions on both sides of it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import LayoutError
from ...frozen import frozen
from ...layouts.dialects import find_dialect
from ...layouts.mirrors import find_mirror
from ...types import (
    CHAR,
    SCALARS,
    VOID,
    ByKind,
    CArray,
    Const,
    Enum,
    Field,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
)
from ...values.codecs import codec
from ...values.conversion import convert
from ...values.conversion.numbers import limits
from .readers import CannotPass, Find, address_reader, passed_type, reference_reader


@frozen
class Crossing:
    """How values of one type pass.

    Attributes
    ----------
    ctype : ctypes class or None
        None for void.
    read : callable
        What ctypes gives -> the Python value.
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
    exact: tuple[type, Any, Any] | None = None
    by_bytes: bool = False


def crossing(type_: Type, passing: str, find: Find) -> Crossing:
    """How values of a type pass.

    Raises
    ------
    CannotPass
        With the reason.
    """
    bare = passed_type(type_, passing)
    rule = _RULES.get(type(bare))
    if rule is None:
        raise CannotPass(f"{bare} does not pass through a callback")
    found = rule(bare, find)
    if passing == "value" or not isinstance(bare, Pointer):
        return found
    return replace(found, read=reference_reader(type_, passing, bare, find))


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
    return Crossing(ctype, as_is, _written(type_, ctype), _exact(type_))


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

    return Crossing(inner.ctype, read, _written(type_, inner.ctype))


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

    return Crossing(ctype, native.unpack, write, by_bytes=True)


def _struct(type_: Struct, find: Find) -> Crossing:
    if type_.union:
        raise CannotPass("ctypes does not pass a union by value")
    return _bytes(type_, type_)


def _pointer(type_: Pointer, find: Find) -> Crossing:
    read = address_reader(type_, find)

    def write(value: Any) -> tuple[Any, tuple[Any, ...]]:
        packed = convert(type_, value)
        return int.from_bytes(packed.data, "little"), packed.owners

    return Crossing(ctypes.c_void_p, read, write)


_RULES: ByKind[Callable[[Any, Find], Crossing]] = ByKind(
    "call: how ctypes passes a type through a callback",
    {
        Scalar: _number,
        Enum: _enum,
        Struct: _struct,
        Vector: lambda type_, find: _bytes(type_, type_),
        CArray: lambda type_, find: _bytes(type_, type_),
        Pointer: _pointer,
        Const: lambda type_, find: crossing(type_.type, "value", find),
        type(VOID): lambda type_, find: Crossing(None, lambda value: None, lambda value: (None, ())),
    },
    others="ctypes does not pass it, and the callback is refused",
)
