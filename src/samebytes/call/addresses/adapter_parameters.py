"""Parameters that an adapter stands for: what makes an address of whatever is passed (HIP Python, "Adapter Types")."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ... import _native
from ...errors import ArgumentError, ArrayError, Error, Mismatch, value_words
from ...forks import importing
from ...layouts.ctypes_classes import C_NUMBER, C_POINTER, C_REFERENCE
from ...layouts.dialects import layout
from ...types import VOID, Array, Function, Named, Pointer, Scalar, Struct, Type, Void

# In which file of `adapters` each is, which is imported when a function takes one; "Pointer" is the core's.
_HOMES = {"DeviceArray": "device_array", "KernelParams": "launch_extra", "LaunchExtra": "launch_extra"}


@cache
def _adapter(name: str) -> Callable[..., _native.Pointer]:
    home = "lists" if name.startswith("ListOf") else _HOMES.get(name)
    if home is None:
        return _native.Pointer
    with importing:
        found: Any = import_module(f"samebytes.call.adapters.{home}")
    made: Callable[..., _native.Pointer] = getattr(found, name)
    return made


def plain_address(obj: Any) -> Any:
    """A Pointer for an int and a ``ctypes.c_void_p``, which a pointer to a function may be, too; else the object."""
    number = isinstance(obj, int | np.integer) and not isinstance(obj, bool)
    return _made(obj) if number or isinstance(obj, ctypes.c_void_p) else obj


def _made(obj: Any, adapter: str = "Pointer", *, readonly: bool = False) -> _native.Pointer:
    try:
        make = _adapter(adapter)
        return make(obj, readonly=True) if readonly and make is _native.Pointer else make(obj)
    except Error as error:
        known = getattr(error, "mismatches", ())
        raise (
            known[0] if known else Mismatch(type(error), adapter, value_words(obj), str(error))
        ) from error.__cause__


def _room(owner: Any) -> int | None:
    """The bytes of what a pointer points into, where it is an array of its own."""
    first = owner[0] if isinstance(owner, tuple) and owner else owner
    if isinstance(first, ctypes.Array | C_NUMBER):
        return ctypes.sizeof(first)
    return getattr(owner, "nbytes", None)


def _knows_more(type_: Pointer, obj: _native.Pointer) -> bool:
    """Whether a record is due, and an adapter that knows what memory it has; a plain ``Pointer`` is just an address."""
    return isinstance(type_.target, Struct) and type(obj) is not _native.Pointer


def _check_size(type_: Pointer, obj: Any, made: _native.Pointer) -> None:
    """A record, or a place of an address, lies in memory that is large enough, where anything says how large it is."""
    there = _room(made.owner)
    if there is None or isinstance(type_.target, Void | Named | Function | Array):
        return
    one = isinstance(type_.target, Struct) or (isinstance(type_.target, Pointer) and there > 0)
    size = layout(type_.target).size * max(type_.least, one)
    if there < size:
        several = f"{type_.least} " * (type_.least > 1)
        expected = f"the {size} bytes of {several}{type_.target}"
        raise Mismatch(ArrayError, expected, value_words(obj), f"It has {there} bytes")


# What is no array of numbers, and may be an address or a list of values.
_ADDRESSES: Any = (
    int,
    np.integer,
    list,
    tuple,
    C_NUMBER,
    C_POINTER,
    C_REFERENCE,
)


def check_sense(type_: Pointer, obj: Any) -> None:
    """What is no address and no memory of C's, though Python can make one of it."""
    if isinstance(obj, enum.Enum) and type_.target != VOID:
        raise Mismatch(
            ArgumentError, "an address", value_words(obj), "An enumerator is none; int(x) says that it is"
        )
    if isinstance(obj, np.ndarray | np.generic) and obj.dtype.hasobject:
        raise Mismatch(ArrayError, "memory of C's", value_words(obj), "An array of Python objects is none")


def check_place(type_: Pointer, obj: Any) -> None:
    """An int for a pointer to numbers is an address; a small one is a number that was meant for C."""
    number = isinstance(obj, int | np.integer) and not isinstance(obj, bool)
    if number and isinstance(type_.target, Scalar) and 0 < obj < _native.FIRST_PAGE:
        advice = (
            f"An int is an address here, and no memory is there; [{obj}] is a place that holds the number"
        )
        raise Mismatch(ArgumentError, f"the address of {type_.target}", value_words(obj), advice)


def _read_alone(target: Type, obj: Any) -> Any:
    """A list whose addresses C may read alone, with those that it gave as const itself."""
    if not (isinstance(target, Pointer) and target.const and isinstance(obj, list | tuple)):
        return obj
    return [_native.Pointer(x, readonly=True) if isinstance(x, _native.Pointer) else x for x in obj]


def adapter_address(type_: Pointer, obj: Any) -> Any:
    """What the parameter's adapter makes of an argument; records and arrays stand for themselves.

    Raises
    ------
    Mismatch
        If the adapter takes no such object.
    """
    if isinstance(obj, _native.Pointer | _native.Record):
        if isinstance(obj, _native.Pointer) and (type_.least or _knows_more(type_, obj)):
            _check_size(type_, obj, obj)
        return obj
    if isinstance(type_.target, Scalar | Void) and not isinstance(obj, _ADDRESSES):
        return obj
    if isinstance(type_.target, Struct) and isinstance(obj, list | tuple):
        return obj  # one record by its fields, or several
    if isinstance(obj, list | tuple) and type_.adapter == "Pointer":
        return obj  # refused as an array is
    if isinstance(obj, ctypes.c_char_p | ctypes.c_wchar_p) and not type_.const:
        advice = "C may write through it, and Python's texts never change: ctypes.create_string_buffer() is a buffer"
        raise Mismatch(ArgumentError, "a buffer, a Pointer or None", value_words(obj), advice)
    check_sense(type_, obj)
    check_place(type_, obj)
    if isinstance(obj, list | tuple) and len(obj) < type_.least:
        raise Mismatch(
            ArrayError, f"{type_.least} elements, as are declared", value_words(obj), f"It has {len(obj)}"
        )
    made = _made(_read_alone(type_.target, obj), type_.adapter, readonly=type_.const)
    _check_size(type_, obj, made)
    return made
