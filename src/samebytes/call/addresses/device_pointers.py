"""Pointers into the memory of a device: what may stand for an address that a kernel reads."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from ... import _native
from ...arrays.protocols import view
from ...arrays.view import ArrayView
from ...arrays.view.device import ONEAPI
from ...arrays.view.streams import finish, order
from ...arrays.view.sycl import finish_queue
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, value_words
from ...types import SCALARS, Array, ArrayRule, Const, Pointer, Type
from ...values.conversion import Packed, memory
from ...values.conversion.structs import address_of, snapshot
from .needs import (
    Need,
    checked_view,
    dialect_of,
    elements_words,
    elsewhere_words,
    got_words,
    shape_words,
    spelled,
)
from .pointers import check_pointee

_ADDRESS = struct.Struct("P")


def device_rule(type_: Pointer, obj: Any, dialect: str) -> Packed:
    """The address of an array in the device's memory, of a ``Pointer``, or null for None.

    What lies in the host's memory is never one: no text, record or single value.

    Raises
    ------
    Mismatch
        With every reason why an object is none.
    """
    words = _words(type_)
    if obj is None:
        return Packed(_ADDRESS.pack(0))
    if isinstance(obj, _native.Shown) and obj._array is not None:
        obj = obj._array
    if isinstance(obj, _native.Pointer):
        check_pointee(type_, obj, words)
        check_memory(type_, obj, words)
        return Packed(_ADDRESS.pack(obj.address), (obj,))
    if isinstance(obj, int) and not isinstance(obj, bool):
        advice = "sb.Pointer(address) says that a number is an address"
        raise Mismatch(ArgumentError, words, value_words(obj), advice)
    rule = ArrayRule.of(type_)
    if isinstance(rule.element, Pointer):  # no library has arrays of addresses but as numbers
        rule = replace(rule, element=SCALARS["uint64"])
    seen = checked_view(Need(rule, dialect, words), obj)
    await_array(type_, seen)
    return Packed(_ADDRESS.pack(seen.ptr), (_native.unwritten(seen) if type_.const else seen,))


def check_memory(type_: Pointer, pointer: Any, words: str) -> None:
    """Of a bare address nothing is known; one that was made of an array lies where that does."""
    seen = target_view(pointer.address, pointer.owner)
    if seen is not None and (reason := elsewhere_words(type_.memory, seen)):
        raise Mismatch(ArrayError, words, got_words(pointer, seen), reason)


class _Launching(threading.local):
    """The launch that this thread converts arguments for, and does not wait for: its stream, and what keeps memory."""

    stream: int | None = None
    owners: tuple[Any, ...] = ()


_launching = _Launching()


@contextmanager
def launching(stream: int) -> Iterator[Callable[[], tuple[Any, ...]]]:
    """Arguments are converted for a launch that nobody waits for; gives what their memory must be kept by."""
    before = _launching.stream, _launching.owners  # of a launch that runs Python's code for an argument
    _launching.stream, _launching.owners = stream, ()
    try:
        yield lambda: _launching.owners
    finally:
        _launching.stream, _launching.owners = before


def _follow(seen: ArrayView) -> None:
    """What an array's library still does with it comes before the kernel."""
    if seen.device.type == ONEAPI:
        finish_queue(seen)
    elif _launching.stream is None:
        finish(seen.stream, seen.device)
    else:
        order(_launching.stream, seen.stream, seen.device)


def await_array(type_: Pointer | Array, seen: ArrayView) -> None:
    """Of a field it comes before, when that is launched."""
    if _number(type_.memory):
        _follow(seen)


def note_owners(packed: Packed) -> None:
    """Note what keeps an argument of a launch that nobody waits for."""
    if _launching.stream is not None:
        _launching.owners += packed.owners


def _number(memory: str) -> str:
    """Of the one device; empty where memory is that of any."""
    return memory.partition(":")[2]


def place(type_: Pointer | Array) -> str:
    """Where the memory lies, in words."""
    return memory.place(type_.memory)


def device_array_rule(type_: Array, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array in the device's memory: address, shape, and strides in elements."""
    of_class = f"samebytes::array<{'const ' if type_.const else ''}{type_.element}, {type_.ndim}>"
    rule = ArrayRule.of(type_)
    words = f"{type_.element}{shape_words(rule)} in {place(type_)} ({of_class})"
    seen = checked_view(Need(rule, dialect, words), obj)
    await_array(type_, seen)
    descriptor = struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides)
    return Packed(descriptor, (_native.unwritten(seen) if type_.const else seen,))


def check_object(there: str, type_: Type, data: bytes, owners: Sequence[Any]) -> None:
    """Check where the addresses in an object lead, which was made before it was known to which device it goes.

    Parameters
    ----------
    there : str
        The device's memory, as of :class:`Pointer`.
    data : bytes
        Of the object.
    owners : sequence
        What keeps what is there.

    Raises
    ------
    Mismatch
        If another device's memory is there.
    """
    for seen in _views(owners, set()):
        if reason := elsewhere_words(there, seen):
            raise Mismatch(
                ArrayError, str(type_), got_words(seen if seen.owner is None else seen.owner, seen), reason
            )
        if _number(there):
            _follow(seen)
    for record in _records(owners):
        if _ADDRESS.pack(address_of(record)) in data:
            advice = "its bytes are in host memory, which no device reads"
            raise Mismatch(ArrayError, str(type_), value_words(record), advice)


def target_view(address: int, owner: Any) -> ArrayView | None:
    """The array of which an address is, by what keeps it; None where nothing says it."""
    if isinstance(owner, ArrayView):
        return owner
    return next((seen for seen in _views((owner,), set()) if seen.ptr == address), None)


class DevicePointer(_native.Shown):
    """An address in a record that leads into a device's memory: whoever takes it looks at the array there."""

    __slots__ = ()


DevicePointer.__name__ = DevicePointer.__qualname__ = "Pointer"


def read_pointer(address: int, owner: Any, levels: int) -> Any:
    """What a field says that leads into a device's memory; an address alone where nothing says what is there.

    ``levels`` says what is const, as of :class:`Pointer`: then the array that is there is not shown.
    """
    seen = None if levels else target_view(address, owner)
    if seen and seen.ptr == address:
        return DevicePointer._showing(seen)
    return _native.Pointer._behind(address, owner, levels)


def memory_of(obj: Any) -> str:
    """The dialect whose devices alone read the memory of an array, or behind a pointer; empty: the host does."""
    if isinstance(obj, _native.Shown) and obj._array is not None:
        obj = obj._array
    if isinstance(obj, _native.Pointer):
        seen = target_view(obj.address, obj.owner)
        return dialect_of(seen.device) if seen else ""
    try:
        return dialect_of(view(obj).device)
    except ProtocolError:
        return ""


def array_type(obj: Any) -> Array | None:
    """What an array is, as a type; None of what is none, or has elements that no type describes."""
    try:
        seen = view(obj)
    except ProtocolError:
        return None
    if seen.type is None:
        return None
    return Array(Const(seen.type) if seen.readonly else seen.type, seen.ndim)


def _views(owners: Iterable[Any], known: set[int]) -> Iterator[ArrayView]:
    """The arrays behind what keeps a value's targets."""
    for owner in owners:
        if id(owner) in known:
            continue
        known.add(id(owner))
        if isinstance(owner, ArrayView):
            yield owner
        elif isinstance(owner, tuple):
            yield from _views(owner, known)
        elif isinstance(owner, _native.Pointer):  # what keeps an address need not be what is there
            inside = _views((owner.owner,), known)
            yield from (v for v in inside if v.ptr == owner.address or isinstance(owner.owner, ArrayView))
        elif isinstance(owner, _native.Value | _native.Record):
            yield from _views(snapshot(owner)[1].values(), known)
        else:
            with suppress(ProtocolError):  # the core keeps arrays themselves
                yield view(owner)


def _records(owners: Iterable[Any]) -> Iterator[Any]:
    """The objects among what keeps a value's targets, which lie in the host's memory."""
    for owner in owners:
        if isinstance(owner, tuple):
            yield from _records(owner)
        elif isinstance(owner, _native.Value | _native.Record) and not isinstance(owner, _native.Handle):
            yield owner


def _words(type_: Pointer) -> str:
    target = SCALARS["uint64"] if isinstance(type_.target, Pointer) else type_.target
    return f"contiguous {elements_words(target, type_.least)} in {place(type_)}, a Pointer or None ({spelled(type_)})"
