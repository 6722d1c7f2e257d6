"""Pointer parameters: what may stand for an address, and who keeps the memory behind it."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ... import _native
from ...errors import (
    CONST_OBJECT,
    COPIED,
    POINTS_TO_CONST,
    ArgumentError,
    ArrayError,
    IntentError,
    Mismatch,
    value_words,
)
from ...layouts.ctypes_classes import C_ADDRESSES, target_of
from ...layouts.dialects import layout
from ...types import (
    SCALARS,
    VOID,
    ArrayRule,
    CArray,
    Const,
    Function,
    Handle,
    Named,
    Pointer,
    Scalar,
    Struct,
    Type,
)
from ...values.conversion import Packed, convert
from ...values.conversion.handles import check_present
from ...values.conversion.structs import address_of, base_offset, is_destroyed, namesake_advice, snapshot
from ...values.conversion.structured import same_layout
from ..wide import wide_text
from . import foreign
from .adapter_parameters import adapter_address, check_sense, plain_address
from .ctypes_pointers import RECORDS, claimed_difference, described, missing_room, record_difference
from .needs import Need, checked_view, elements_words, spelled
from .pointer_arrays import pointer_array
from .write_back import LISTS, ListArray

_ADDRESS = struct.Struct("P")
_NULL = _ADDRESS.pack(0)
_BYTE = SCALARS["uint8"]


def pointer_rule(type_: Pointer, obj: Any, dialect: str) -> Packed:
    """The address that an argument stands for.

    Text for ``const char*``; else a ``Pointer``, a record, one value for a pointer to const, an array, or None.
    """
    packed = _pointer(type_, obj, dialect)
    if type_.nonnull and packed.data == _NULL:
        raise Mismatch(
            ArgumentError, _never_null(type_), value_words(obj), "C++ declares that it is never null"
        )
    return packed


def _pointer(type_: Pointer, obj: Any, dialect: str) -> Packed:
    if obj is None:
        return Packed(_ADDRESS.pack(0))
    if isinstance(type_.target, Function):
        check_sense(type_, obj)
        return convert(type_.target, plain_address(obj) if type_.adapter else obj, dialect)
    if type_.adapter and not (type_.is_string and type_.least):
        given = obj
        # The array is made of what the list holds now: what is asked of its elements may run code that changes it.
        items = [*given] if isinstance(given, list) else given
        obj = adapter_address(type_, items)  # an array of numbers stays one: its format is checked below
        if isinstance(given, list | tuple) and not type_.const and type_.adapter in LISTS:
            return Packed(
                _ADDRESS.pack(obj.address), (ListArray(given, tuple(items), obj.owner[0], type_), obj)
            )
    if isinstance(obj, _native.Shown) and obj._array is not None:
        obj = obj._array  # what is known of the array is checked
        if type_.adapter and obj.type == _BYTE:
            # Memory as an allocation gave it: bytes, of which nobody said what they are.
            bytes_there = replace(type_, pointee=Const(_BYTE) if type_.const else _BYTE)
            return _array(bytes_there, obj, dialect, _words(type_))
    if isinstance(obj, _native.Pointer):
        check_kind(type_, type(obj), lambda: value_words(obj))
        check_pointee(type_, obj, _words(type_))
        return Packed(_ADDRESS.pack(obj.address), (obj,))
    if isinstance(obj, C_ADDRESSES):
        return c_pointer(type_, obj)
    if isinstance(type_.target, Struct) and (found := _records_of_ctypes(type_, obj)) is not None:
        return found
    if type_.is_string:
        ends = not type_.measured and not (type_.sized and isinstance(obj, bytes))
        return _text(obj, type_.least, ends=ends)
    if type_.is_text and isinstance(obj, str):
        obj = wide_text(obj, type_.character)
    named = type_.target.name if isinstance(type_.target, Handle | Named) and type_.least < 2 else ""
    if (found := foreign.foreign_object(named, obj)) is not None:
        return found
    words = _words(type_)
    check_present(str(type_.target), obj)
    if type_.least > 1 and isinstance(obj, _native.Record | _native.Value):
        raise Mismatch(ArgumentError, words, value_words(obj), f"It declares {type_.least}; this is one")
    if isinstance(obj, _native.Record) and (offset := _offset(type_.target, obj)) is not None:
        _check_const(type_, obj)
        if not type_.const:
            _native.note_written(obj)
        if isinstance(obj, _native.Handle):
            return Packed(_ADDRESS.pack(address_of(obj) + offset), (obj,))
        return Packed(_ADDRESS.pack(address_of(obj) + offset), (obj, *snapshot(obj)[1].values()))
    if isinstance(obj, _native.Record) and not is_destroyed(obj) and isinstance(type_.target, Struct):
        are_bytes = not isinstance(type_.target, Handle) and not isinstance(obj, _native.Handle)
        advice = namesake_advice(type_.target, obj) or (
            f"{type_.target}.fromObj(x) is it as a {type_.target}, as C's casts are" * are_bytes
        )
        raise Mismatch(ArgumentError, words, value_words(obj), advice)
    if isinstance(obj, list) and isinstance(type_.target, Struct):
        return _several(type_, type_.target, obj, dialect)
    if (found := pointer_array(type_, obj, dialect, words)) is not None:
        return found
    if takes_one(type_):
        one = _one_value(type_.target, obj, dialect)
        if one is not None:
            return one
    of_bytes = type_.target == VOID or (isinstance(type_.target, Scalar) and type_.target.size == 1)
    if isinstance(obj, str) and of_bytes:
        room = "bytearray(x.encode() + bytes(1)) is memory that C++ may write to"
        advice = "x.encode() makes bytes of it" if type_.const else room
        raise Mismatch(ArgumentError, words, value_words(obj), advice)
    for kinds, advice in _REFUSED:
        if isinstance(obj, kinds) and not (kinds is np.generic and type_.const):
            raise Mismatch(ArgumentError, words, value_words(obj), advice)
    if isinstance(type_.target, Pointer | Named):
        advice = namesake_advice(type_.target, obj) if isinstance(type_.target, Named) else ""
        raise Mismatch(ArgumentError, words, value_words(obj), advice)
    return _array(type_, obj, dialect, words)


def takes_one(type_: Pointer) -> bool:
    """Whether one value that is converted may stand for an address: C++ only reads it."""
    target = type_.target
    nothing = isinstance(target, Pointer) and target.target == VOID
    # Of void* memory may be the one address, and it may hold addresses.
    return type_.const and target != VOID and type_.least < 2 and not nothing


def c_pointer(type_: Pointer, obj: Any) -> Packed:
    """Where a ctypes pointer points, if it points to what the parameter does; void* may point to anything."""
    try:
        address = target_of(obj)
        given = described(obj, anything=type_.target == VOID)
    except TypeError as error:
        raise Mismatch(ArgumentError, _words(type_), value_words(obj), str(error)) from None
    if found := claimed_difference(type_.target, obj) or missing_room(type_.target, type_.least, obj):
        raise Mismatch(ArgumentError, _words(type_), value_words(obj), found)
    if VOID not in (given.target, type_.target) and not same_layout(type_.target, given.target):
        raise Mismatch(
            ArgumentError, _words(type_), f"a pointer to {given.target} ({type(obj).__qualname__})"
        )
    if given.const and not type_.const:
        raise Mismatch(ArgumentError, _words(type_), value_words(obj), "C++ may write through it")
    return Packed(_ADDRESS.pack(address), (obj,))


def _records_of_ctypes(type_: Pointer, obj: Any) -> Packed | None:
    """The address of a structure of ctypes, or of an array of some: the buffers that these show have no padding."""
    array = isinstance(obj, ctypes.Array)
    hint = obj._type_ if array else type(obj)
    if not issubclass(hint, RECORDS) or (len(obj) if array else 1) < max(type_.least, 1):
        return None
    if found := record_difference(type_.target, hint):
        raise Mismatch(ArgumentError, _words(type_), value_words(obj), found)
    return Packed(_ADDRESS.pack(ctypes.addressof(obj)), (obj,))


def check_pointee(type_: Pointer, pointer: Any, words: str) -> None:
    """Nothing writes to what C++ gave as const, at any depth of addresses (ISO C++ [conv.qual])."""
    if pointer._const_levels & type_.levels[1]:
        raise Mismatch(IntentError, words, value_words(pointer), POINTS_TO_CONST)


def check_kind(type_: Pointer, cls: type, got: Callable[[], str]) -> None:
    """A handle of another class is no such handle or record, and none is a place of handles; plain pointers may be."""
    described = getattr(cls, "__samebytes_type__", None)
    if not isinstance(described, Pointer) or not isinstance(described.target, Named):
        return
    if isinstance(type_.target, Pointer):
        words = "a list, an address, a Pointer or None"
        raise Mismatch(ArgumentError, words, got(), "handle.createRef() is where it lies")
    if isinstance(type_.target, Struct):
        raise Mismatch(ArgumentError, _words(type_), got(), "int(handle) is its address")
    if (
        isinstance(type_.target, Named)
        and type_.target.python is not None
        and described.target != type_.target
    ):
        words = f"a {type_.target} handle, an address, a Pointer or None"
        raise Mismatch(ArgumentError, words, got())


# What is no address, though one might think so.
_REFUSED: tuple[tuple[Any, str], ...] = (
    (int, "sb.Pointer(address) says that a number is an address"),
    (_native.Value, "C++ may write through it, and the value is immutable: pass a record"),
    (
        np.generic,
        "A NumPy scalar is a value without a place of its own: pass an array, x[i:i + 1] of one element",
    ),
)


def _words(type_: Pointer) -> str:
    if isinstance(type_.target, Handle) and type_.least < 2:
        return f"an object of {type_.target}, a Pointer or None ({spelled(type_)})"
    if isinstance(type_.target, Struct | Named) and type_.least < 2:
        return f"a record {type_.target}, a Pointer or None ({spelled(type_)})"
    where = "" if type_.adapter else " in host memory"
    elements = elements_words(type_.target, type_.least)
    return f"contiguous {elements}{where}, a Pointer or None ({spelled(type_)})"


def _never_null(type_: Pointer) -> str:
    words = "text (str or bytes), a Pointer or None (const char*)" if type_.is_string else _words(type_)
    return words.replace(", a Pointer or None (", " or a Pointer (")


# A complex number is two numbers in a row (ISO C, 6.2.5; ISO C++, [complex.numbers.general]).
_PAIRS: dict[Type, Type] = {
    CArray(SCALARS["float32"], (2,)): SCALARS["complex64"],
    CArray(SCALARS["float64"], (2,)): SCALARS["complex128"],
}


def _array(type_: Pointer, obj: Any, dialect: str, words: str) -> Packed:
    rule = ArrayRule.of(type_)
    pair = _PAIRS.get(type_.target)
    if pair is not None and getattr(getattr(obj, "dtype", None), "kind", "") == "c":
        rule = replace(rule, element=pair, extents=())
    seen = checked_view(Need(rule, dialect, words, bool(type_.adapter)), obj)
    return Packed(_ADDRESS.pack(seen.ptr), (_native.unwritten(seen) if type_.const else seen,))


def _offset(target: Type, record: Any) -> int | None:
    """Where what a pointer means lies in a record, in bytes; None if the record is none of its kind."""
    if is_destroyed(record):
        return None
    if target == VOID:
        return 0
    # A record may point to itself, or to one that is declared later.
    return base_offset(target, record) if isinstance(target, Struct | Named) else None


def _check_const(type_: Pointer, obj: Any) -> None:
    if type_.const:
        return
    if _native.is_copy(obj):
        raise Mismatch(IntentError, _words(type_), value_words(obj), COPIED)
    if _native.is_const(obj):
        raise Mismatch(IntentError, _words(type_), value_words(obj), CONST_OBJECT)


def _one_value(target: Type, obj: Any, dialect: str) -> Packed | None:
    """Storage with one converted value, if the object is one value of the target type."""
    if isinstance(obj, ctypes.Array) or (isinstance(obj, np.ndarray) and obj.ndim):
        return None
    try:
        value = convert(target, obj, dialect)
    except Mismatch:
        return None
    return _stored(target, [value], dialect)


def _stored(target: Type, values: list[Packed], dialect: str) -> Packed:
    """The address of memory, aligned as C++ wants it, that holds converted values."""
    facts = layout(target, dialect)
    room = np.zeros(facts.size * len(values) + facts.align, np.uint8)
    start = -room.__array_interface__["data"][0] % facts.align
    held = room[start : start + facts.size * len(values)]
    held[:] = np.frombuffer(b"".join(bytes(v.data) for v in values), np.uint8)
    owners = (owner for value in values for owner in value.owners)
    return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held, *owners))


def _several(type_: Pointer, target: Struct, records: list[Any], dialect: str) -> Packed:
    """An array of copies of records, where C++ only reads them."""
    words = f"records {target} ({_words(type_).rpartition('(')[2]}"
    if not type_.const:
        memory = f"sb.Pointer(bytearray({len(records)} * {target}.c_sizeof()))"
        advice = f"C++ may write to them: {memory} is memory for that"
        raise Mismatch(ArgumentError, words, value_words(records), advice)
    if isinstance(target, Handle):
        advice = "C++ copies its objects by code of its own, and Python makes no array of them: pass one"
        raise Mismatch(ArgumentError, _words(type_), value_words(records), advice)
    if len(records) < type_.least:
        raise Mismatch(
            ArrayError, words, value_words(records), f"It has {len(records)}, and {type_.least} are declared"
        )
    values = []
    for index, record in enumerate(records):
        try:
            values.append(convert(target, record, dialect))
        except Mismatch as mismatch:
            mismatch.path = f"[{index}]{mismatch.path}"
            raise
    return _stored(target, values, dialect)


def _as_text(memory: Any) -> str:
    """What makes text of memory, which may have NULs behind it."""
    if isinstance(memory, ctypes.Array) and memory._type_ is ctypes.c_char:
        return "x.value"
    # bytes(x) of a number in an array makes as many bytes.
    words = "x.tobytes()" if isinstance(memory, np.ndarray | memoryview) else "bytes(x)"
    data = memory.tobytes() if isinstance(memory, np.ndarray | memoryview) else bytes(memory)
    return f'{words}.partition(b"\\0")[0]' if b"\0" in data else words


def _text(text: Any, least: int = 0, *, ends: bool = True) -> Packed:
    """Text that lives through the call: UTF-8, and bytes that a result decoded by ``surrogateescape`` as they were.

    Where an array of ``least`` is declared, there are so many bytes: NULs follow, or bytes are all of it. ``ends`` is
    whether a NUL ends it, and not a number beside it.
    """
    words = "text (str or bytes), a Pointer or None (const char*)"
    if not isinstance(text, str | bytes):
        shown = isinstance(text, bytearray | memoryview | np.ndarray | ctypes.Array)
        advice = (
            f"{_as_text(text)} makes text of it, sb.Pointer(x, readonly=True) is its memory" if shown else ""
        )
        raise Mismatch(ArgumentError, words, value_words(text), advice)
    try:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise Mismatch(
            ArgumentError, words, value_words(text), f"It is no Unicode text: {error.reason}"
        ) from None
    if ends and b"\0" in data and len(data) != least:
        advice = (
            "C++ would see it end at its NUL character; sb.Pointer(bytes, readonly=True) passes all of it"
        )
        raise Mismatch(ArgumentError, words, value_words(text), advice)
    held = np.frombuffer(data.ljust(least, b"\0") + b"\0", np.uint8)
    return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held,))
