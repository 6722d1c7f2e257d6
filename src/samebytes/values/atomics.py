"""Atomic numbers of Python: a number, as it was read, with the operations of C++ on the place that it was read from."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from .. import _native
from ..errors import ArgumentError, Mismatch, call_error, plain_error
from ..types import Aligned, Atomic, Scalar, Type, unqualified
from ..types.atomics import OPERATIONS, SCOPES, Operation
from .codecs import codec
from .conversion import convert, structs

# By kind and size in bytes: the letters of the numbers that the core has operations for.
_LETTERS = {
    **{("int", 2**i): letter for i, letter in enumerate("bhiq")},
    **{("char", 2**i): letter for i, letter in enumerate("bhiq")},
    **{("uint", 2**i): letter for i, letter in enumerate("BHIQ")},
    ("float", 4): "f",
    ("float", 8): "d",
}
_KINDS = {"char": "int"}
_SEQ_CST = 5  # of std::memory_order
_READ = frozenset({"load", "wait"})


def atomic_number(type_: Type) -> Scalar | None:
    """The number that is atomic; None for other types, and for formats and enumerations without arithmetic."""
    bare = type_.type if isinstance(type_, Aligned) else type_
    inner = unqualified(bare.type) if isinstance(bare, Atomic) else None
    return inner if isinstance(inner, Scalar) and (inner.kind, inner.size) in _LETTERS else None


class Operations:
    """What an atomic number can do: ``add(1)`` changes the place that it was read from, and gives what was there.

    The names are those of compiled code (:mod:`samebytes.types.atomics`); each operation is sequentially consistent,
    which all orders allow.
    """

    __samebytes_place__: tuple[
        Scalar, int, Any, str
    ]  # the type, the address, what keeps it valid, and its name


class AtomicInt(Operations, int):
    """An integer as it was read from an atomic."""

    def __reduce__(self) -> Any:
        return int, (int(self),)


class AtomicFloat(Operations, float):
    """A number as it was read from an atomic."""

    def __reduce__(self) -> Any:
        return float, (float(self),)


def at_place(value: Any, type_: Scalar, address: int, owner: Any, name: str) -> Any:
    """A value that was read from an atomic, with its operations."""
    made = (AtomicFloat if type_.kind == "float" else AtomicInt)(value)
    made.__samebytes_place__ = type_, address, owner, name
    return made


class AtomicField:
    """Reads and sets an atomic member, and gives its operations."""

    __slots__ = ("_field", "_name", "_offset", "_type")

    def __init__(self, field: Any, type_: Scalar, offset: int, name: str) -> None:
        self._field, self._type, self._offset, self._name = field, type_, offset, name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value, name = self._field.__get__(instance, owner), f"{type(instance).__name__}.{self._name}"
        return at_place(value, self._type, structs.address_of(instance) + self._offset, instance, name)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


def _act(self: Any, operation: str, given: Mapping[str, Any]) -> Any:
    type_, address, owner, name = self.__samebytes_place__
    function, described = f"{name}.{operation}", OPERATIONS[operation]
    if operation not in _READ and _native.is_const(owner):
        raise plain_error(ArgumentError, function, "C++ gave the object as const")
    data, mismatches = {}, []
    for index, argument in enumerate(described.values):
        try:
            data[argument] = bytes(convert(type_, given[argument], "cxx").data)
        except Mismatch as mismatch:
            mismatch.index, mismatch.name = index, argument
            mismatches.append(mismatch)
    if mismatches:
        raise call_error(function, mismatches)
    if operation in ("wait", "notify_one", "notify_all"):
        return _wait(operation, type_.size, address, data.get("old"))
    value = data.get("desired", data.get("value", b""))
    letter = _LETTERS[type_.kind, type_.size]
    before = _native.atomic(operation, letter, address, value, data.get("expected", b""))
    return codec(type_).unpack(before) if described.gives else None


def _wait(operation: str, size: int, address: int, old: bytes | None) -> None:
    """Wait without the GIL until another value is there, or wake who waits, in C++ and in compiled code, too."""
    from ..make.atomic_wait import waiting

    function = getattr(waiting(), f"samebytes_{operation}{size}")
    place = ctypes.c_void_p(address)
    if old is None:
        function(place)
    else:
        unsigned = (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)[size.bit_length() - 1]
        function(place, unsigned.from_buffer_copy(old), _SEQ_CST)


def _method(name: str, described: Operation) -> Any:
    """An operation as a method; one that the number's kind lacks says so."""

    def method(self: Any, *args: Any, order: str = "seq_cst", scope: str = "system") -> Any:
        type_, function = self.__samebytes_place__[0], f"{self.__samebytes_place__[3]}.{name}"
        if _KINDS.get(type_.kind, type_.kind) not in described.kinds:
            raise plain_error(ArgumentError, function, f"is no operation of {type_}, as in C++")
        if len(args) != len(described.values):
            takes = ", ".join(described.values) or "no values"
            raise plain_error(ArgumentError, function, f"takes {takes}, and got {len(args)}")
        for word, said, known in (("order", order, described.orders), ("scope", scope, SCOPES)):
            if known and said not in known:
                raise plain_error(
                    ArgumentError,
                    function,
                    f"takes as {word} {', '.join(map(repr, known))}, and got {said!r}",
                )
        return _act(self, name, dict(zip(described.values, args, strict=True)))

    method.__name__, method.__qualname__ = name, f"Operations.{name}"
    return method


for _name, _described in OPERATIONS.items():
    setattr(Operations, _name, _method(_name, _described))
