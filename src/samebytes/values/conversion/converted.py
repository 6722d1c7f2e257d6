"""Python values into the wires of converted types: text, containers, optionals, tuples, durations."""

from __future__ import annotations

import contextlib
import datetime
import os
import reprlib
import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ... import _native
from ...errors import ArgumentError, Mismatch, RangeError, value_words
from ...later import later_pattern
from ...layouts import compute, round_up
from ...layouts.dialects import find_dialect
from ...types import (
    Bits,
    Choice,
    Container,
    Converted,
    Dictionary,
    Duration,
    Enum,
    FilePath,
    Instant,
    Maybe,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Struct,
    Text,
    Type,
    unqualified,
)
from ..codecs import codec
from . import enums, iterables
from .base import Packed, at, convert
from .numbers import whole_number
from .structs import base_offset, namesake_advice
from .times import exact_instant, exact_length

_RUN = struct.Struct("PQ")
# Lone surrogates are how Python writes bytes that are no text, as in file names: they go through unchanged.
_ENCODINGS = {
    1: ("utf-8", "surrogateescape"),
    2: ("utf-16-le", "surrogatepass"),
    4: ("utf-32-le", "surrogatepass"),
}


def aligned_copy(data: bytes, align: int) -> tuple[int, np.ndarray[Any, Any]]:
    """The address of a copy of some bytes with an alignment, and what keeps it alive."""
    # NumPy aligns as malloc does; elements may ask for more, so that there is room to begin later.
    room = np.zeros(len(data) + align, np.uint8)
    start = -room.__array_interface__["data"][0] % align
    held = room[start : start + len(data)]
    held[:] = np.frombuffer(data, np.uint8)
    return room.__array_interface__["data"][0] + start, room


def _run(data: bytes, count: int, align: int = 16, owners: tuple[Any, ...] = ()) -> Packed:
    address, held = aligned_copy(data, align)
    return Packed(_RUN.pack(address, count), (held, *owners))


def convert_text(type_: Text, value: Any, dialect: str) -> Packed:
    """The bytes of a text and how many characters it has; ``bytes`` go into a std::string as they are."""
    if isinstance(value, bytes) and type_.unit == 1:
        return _run(value, len(value))
    if not isinstance(value, str):
        words = "text (str or bytes)" if type_.unit == 1 else "text (str)"
        advice = "bytes(x) makes text of it" if isinstance(value, bytearray | memoryview) else ""
        raise Mismatch(ArgumentError, f"{words} for {type_.words}", value_words(value), advice)
    try:
        data = value.encode(*_ENCODINGS[type_.unit])
    except UnicodeEncodeError as error:
        raise Mismatch(ArgumentError, f"text for {type_.words}", value_words(value), error.reason) from None
    return _run(data, len(data) // type_.unit)


def convert_path(type_: FilePath, value: Any, dialect: str) -> Packed:
    """The bytes of a path as Python's ``os.fsencode`` writes them."""
    try:
        data = os.fsencode(value)
    except TypeError:
        raise Mismatch(ArgumentError, "a path (str, bytes or os.PathLike)", value_words(value)) from None
    return _run(data, len(data))


def _wires(element: Type, values: Iterable[Any], dialect: str) -> tuple[bytes, int, tuple[Any, ...]]:
    """The wires of some values one after another, how many they are, and their owners."""
    data, owners, count = list[bytes](), list[Any](), 0
    # A list as it is now: one that conversions lengthen would have no end.
    for count, value in enumerate(tuple(values) if isinstance(values, list) else values, 1):
        with at(f"[{count - 1}]"):
            packed = convert(element, value, dialect)
        data.append(packed.data)
        owners += packed.owners
    return b"".join(data), count, tuple(owners)


def _natively(element: Type, values: Iterable[Any], dialect: str) -> tuple[bytes, int] | None:
    """The bytes of plain elements, and how many they are, where the compiled core converts them all."""
    if not isinstance(values, list | tuple) or not values or isinstance(element, Converted):
        return None
    # Counted once: to read an enumerator is Python code, after which a list may have more elements than bytes.
    inner, count = codec(element, dialect), len(values)
    whole = _native.Codec("carray", size=inner.size * count, align=inner.align, element=inner, count=count)
    data: bytes | None = whole.pack(values)
    return None if data is None else (data, count)


def _listed(element: Type, values: Iterable[Any], dialect: str) -> Packed:
    align = compute(element, find_dialect(dialect)).align
    if (found := _natively(element, values, dialect)) is not None:
        return _run(*found, max(align, 8))
    data, count, owners = _wires(element, values, dialect)
    return _run(data, count, max(align, 8), owners)


_LISTS = (list, tuple, range)
_SETS = (set, frozenset, *_LISTS)


def convert_sequence(type_: Container, value: Any, dialect: str) -> Packed:
    """A container's elements, each converted; an array of numbers is left to the rule of arrays."""
    if type_.keyed and iterables.is_mapping(value):
        return _of_dict(type_.element, value, dialect)
    kinds = _SETS if type_.unique else _LISTS
    if not isinstance(value, kinds) and not iterables.has_rows(value) and not _gives_elements(type_, value):
        words = "a set or a list" if type_.unique else "a dict or a list" if type_.keyed else "a list"
        words = f"{words} of {type_.element} ({type_.words})"
        raise Mismatch(ArgumentError, words, value_words(value), iterables.advice(value))
    if type_.unique and not iterables.is_set(value):
        value = iterables.without_repetitions(value)
    packed = _listed(type_.element, value, dialect)
    if type_.numbers is None:
        return packed
    return Packed(packed.data + struct.pack("q", 1), packed.owners)


def _gives_elements(type_: Container, value: Any) -> bool:
    return iterables.is_listed(value) or (type_.unique and iterables.is_set(value))


def convert_mapping(type_: Dictionary, value: Any, dialect: str) -> Packed:
    """The items of a dict, each key and value converted."""
    if not isinstance(value, dict) and not iterables.is_mapping(value):
        raise Mismatch(ArgumentError, f"a dict ({type_.words})", value_words(value))
    return _of_dict(Product("", (type_.key, type_.value)), value, dialect)


def _of_dict(item: Type, value: Any, dialect: str) -> Packed:
    items = list(value.items())
    try:
        return _listed(item, items, dialect)
    except Mismatch as mismatch:
        mismatch.path = _in_dict(mismatch.path, [key for key, _ in items])
        raise


# A place in the items of a dict: which item, and whether the key or the value.
_PLACE_IN_ITEMS = later_pattern(r"\[(\d+)\]\[([01])\]")


def _in_dict(path: str, keys: Sequence[Any]) -> str:
    """A place in the items of a dict as Python writes it: ``['a']`` of a value, `` key 'a'`` of a key."""
    found = _PLACE_IN_ITEMS.match(path)
    if found is None:
        return path
    key = reprlib.repr(keys[int(found[1])])
    return (f"[{key}]" if found[2] == "1" else f" key {key}") + path[found.end() :]


def convert_maybe(type_: Maybe, value: Any, dialect: str) -> Packed:
    """A value with a byte that says that it is there; zeros for None. A null ``Pointer`` is a value: null."""
    size = compute(type_, find_dialect(dialect)).size
    if value is None:
        return Packed(bytes(size))
    null = isinstance(value, _native.Pointer) and not int(value) and isinstance(type_.value, Owner)
    packed = convert(type_.value, None if null else value, dialect)
    return Packed((packed.data + b"\1").ljust(size, b"\0"), packed.owners)


def convert_product(type_: Product, value: Any, dialect: str) -> Packed:
    """The items of a tuple as members of a struct, each at its alignment."""
    row = isinstance(value, np.ndarray) and value.ndim > 0
    if not (row or isinstance(value, tuple | list)) or len(value) != len(type_.elements):
        raise Mismatch(ArgumentError, f"a tuple of {len(type_.elements)} ({type_})", value_words(value))
    table, data, owners = find_dialect(dialect), b"", list[Any]()
    for i, (element, item) in enumerate(zip(type_.elements, tuple(value), strict=True)):
        with at(f"[{i}]"):
            packed = convert(element, item, dialect)
        data = data.ljust(round_up(len(data), compute(element, table).align), b"\0") + packed.data
        owners += packed.owners
    return Packed(data.ljust(compute(type_, table).size, b"\0"), tuple(owners))


def convert_duration(type_: Duration, value: Any, dialect: str) -> Packed:
    """A timedelta as a count of ticks; one that no whole number of ticks makes is refused."""
    length = exact_length(value)
    if length is None:
        raise Mismatch(ArgumentError, "a datetime.timedelta or numpy.timedelta64", value_words(value))
    return _ticks(type_, length, value, dialect)


def _ticks(type_: Duration, length: tuple[int, int], value: Any, dialect: str) -> Packed:
    """A length as a count of ticks."""
    parts, second = length
    ticks, scale = parts * type_.denominator, second * type_.numerator
    if type_.count.kind == "float":
        return convert(type_.count, ticks / scale, dialect)
    if ticks % scale:
        tick = f"{type_.numerator}/{type_.denominator} s"
        raise Mismatch(RangeError, f"a whole number of ticks of {tick} ({type_.words})", value_words(value))
    return convert(type_.count, ticks // scale, dialect)


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def convert_instant(type_: Instant, value: Any, dialect: str) -> Packed:
    """A datetime as ticks since 1970; one without a time zone does not say when it is."""
    if isinstance(value, np.datetime64):
        return _ticks(type_, exact_instant(value), value, dialect)
    if not isinstance(value, datetime.datetime) or value.tzinfo is None:
        words = "a datetime.datetime with a time zone, or numpy.datetime64"
        advice = "x.astimezone() takes it for local time" if isinstance(value, datetime.datetime) else ""
        raise Mismatch(ArgumentError, words, value_words(value), advice)
    return convert_duration(type_, value - _EPOCH, dialect)


def convert_nothing(type_: Nothing, value: Any, dialect: str) -> Packed:
    """None, for a std::monostate or a std::nullptr_t."""
    if value is not None:
        raise Mismatch(ArgumentError, "None", value_words(value))
    return Packed(b"\0")


def convert_bits(type_: Bits, value: Any, dialect: str) -> Packed:
    """The bits of a std::bitset as an integer that is not negative."""
    whole = whole_number(value)
    if whole is None:
        raise Mismatch(ArgumentError, f"an int of {type_.count} bits", value_words(value))
    if not 0 <= whole < 1 << type_.count:
        raise Mismatch(RangeError, f"0 to {(1 << type_.count) - 1} ({type_.words})", value_words(value))
    return Packed(whole.to_bytes(8 * type_.wire.shape[0], "little"))


def convert_choice(type_: Choice, value: Any, dialect: str) -> Packed:
    """The alternative that a value fits best: of its own kind before others, in the order of C++'s numbers."""
    found: dict[int, Packed] = {}
    for i, element in enumerate(type_.elements):
        with contextlib.suppress(Mismatch):
            found[i] = convert(element, value, dialect)
    advice = next(filter(None, (_namesake_advice(e, value) for e in type_.elements)), "")
    if advice or not found:
        raise Mismatch(ArgumentError, f"{type_} ({type_.words})", value_words(value), advice)
    ranks = {i: _kinship(type_.elements[i], value) for i in found}
    best = [i for i in found if ranks[i] == min(ranks.values())]
    if len(best) > 1:
        words = " and ".join(str(type_.elements[i]) for i in best)
        raise Mismatch(ArgumentError, f"one of {type_}", value_words(value), f"It fits {words} equally well")
    table, data = find_dialect(dialect), best[0].to_bytes(8, "little")
    for i, element in enumerate(type_.elements):
        place = compute(element, table)
        data = data.ljust(round_up(len(data), place.align), b"\0")
        data += found[i].data if i == best[0] else bytes(place.size)
    return Packed(data.ljust(compute(type_, table).size, b"\0"), found[best[0]].owners)


def _namesake_advice(type_: Type, value: Any) -> str:
    """Why a value whose class has the name of an alternative is none; empty of any other value."""
    bare = unqualified(type_)
    bare = unqualified(bare.target) if isinstance(bare, Object | Owner | Pointer) else bare
    if isinstance(bare, Enum) and enums.is_namesake(bare, type(value)):
        return enums.class_advice(bare, type(value))
    return namesake_advice(bare, value) if isinstance(bare, Struct) else ""


def _kinship(type_: Type, value: Any) -> int:
    """How far a type is from a value's own: 0 the same kind or class, more for numbers of another, and for bases."""
    if isinstance(type_, Struct):
        own = getattr(type(value), "__samebytes_type__", None)
        named = isinstance(own, Struct) and own.name == type_.name
        return 0 if named or own is None else 1 if base_offset(type_, value) is not None else 2
    if isinstance(type_, Container) and type_.keyed and iterables.is_mapping(value):
        return 1  # a std::map comes first
    if isinstance(type_, Enum):
        return 0 if enums.is_class_of(type_, type(value)) else 4  # C++ makes no enumerator of a number
    if not isinstance(type_, Scalar):
        return 0
    if isinstance(value, np.generic):
        return 0 if value.dtype == type_.dtype else 3
    kinds = {bool: ("bool",), int: ("int32", "int64"), float: ("float64",), complex: ("complex128",)}
    names = kinds.get(type(value), ())
    return names.index(type_.name) if type_.name in names else 3
