"""What makes Python's value of what C passes to a callback: a value's codec, or what shows best what an address is."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ... import _native
from ...types import (
    VOID,
    CArray,
    Const,
    Enum,
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
from ...values.codecs import codec
from ...values.wires import inner_objects

# The class of a record that a library binds, by its qualified C++ name; None where it binds none.
Find = Callable[[str], type | None]


class CannotPass(Exception):
    """Why a value of a type cannot pass through a callback, as the end of a sentence about it."""


def passed_type(type_: Type, passing: str) -> Type:
    """What C really passes: of a reference, the address."""
    return unqualified(type_ if passing == "value" else Pointer(type_))


def reader(type_: Type, passing: str, find: Find) -> Any:
    """The codec of a value, or what makes the Python value of an address; None of void.

    Raises
    ------
    CannotPass
        With the reason.
    """
    bare = passed_type(type_, passing)
    if bare == VOID:
        return None
    if isinstance(bare, Pointer):
        is_text = bare.is_text and passing == "value"  # a const char& is one character
        text = _native.Codec("string", size=8, align=8, type=bare, count=bare.unit) if is_text else None
        if passing == "value" and text is None and _shown(bare) is _plain_pointer and bare.levels[0]:
            return codec(bare)
        return text or reference_reader(type_, passing, bare, find)
    if not isinstance(bare, Scalar | Enum | Struct | Vector | CArray) or isinstance(bare, Handle):
        raise CannotPass(f"{bare} does not pass through a callback")
    return codec(inner_objects(bare))


def reference_reader(type_: Type, passing: str, passed: Pointer, find: Find) -> Callable[[Any], Any]:
    """What makes the Python value of an address, or of what a reference refers to."""
    target = unqualified(type_)
    record = isinstance(target, Struct) and not isinstance(target, Handle)
    kept = passing == "rvalue_ref" or (passing == "lvalue_ref" and isinstance(type_, Const))
    if isinstance(target, Scalar | Enum) and passing != "value":
        return _number(target) if kept else _plain_pointer(passed, find)
    if record and kept:
        return _copied_record(passed, find, const=passing == "lvalue_ref")
    return address_reader(passed, find)


def address_reader(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    """What makes the Python value of an address: whatever shows best what is at it."""
    return _shown(type_)(type_, find)


def _shown(type_: Pointer) -> Callable[[Pointer, Find], Callable[[Any], Any]]:
    return _POINTEES.get("string" if type_.is_text else type(type_.target), _plain_pointer)


def _plain_pointer(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    const, _ = type_.levels
    if not const:
        return _native.Pointer  # ctypes' None is null to it, too
    return lambda address: _native.Pointer._behind(address or 0, None, const)


def _number(type_: Scalar | Enum) -> Callable[[Any], Any]:
    """Of a const T& or T&& of a number: its value, as nobody can write there."""
    return codec(type_).read


def _text(type_: Pointer, find: Find) -> Callable[[Any], Any]:
    text = codec(replace(type_, least=0, measured=""))

    def read(address: int | None) -> Any:
        return text.unpack((address or 0).to_bytes(8, sys.byteorder))

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
    kind: Any = opaque or _native.Pointer  # a C API has a class for each
    levels, _ = type_.levels
    const = {"const": type_.const}

    def read(address: int | None) -> Any:
        python: Any = find(target.name)
        if python is None or not issubclass(python, _native.Record):
            return kind._behind(address or 0, None, levels)
        if not address:
            return None
        handle = issubclass(python, _native.Handle)
        view = python.__samebytes_view__(address, None, **(const if handle else {}))
        return _native.mark_const(view) if type_.const and not (handle or type_.viewed) else view

    return read


def _copied_record(type_: Pointer, find: Find, *, const: bool) -> Callable[[Any], Any]:
    """Of a T&&, which nobody has any more after the call, and of a const T&: a copy, as const as C++'s object."""
    view = _record(type_, find)

    def read(address: int | None) -> Any:
        seen = view(address)
        if not isinstance(seen, _native.Record):
            return seen
        made = type(seen).__samebytes_from_buffer__(seen.__samebytes_snapshot__()[0])
        return _native.mark_const(made) if const else made

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
