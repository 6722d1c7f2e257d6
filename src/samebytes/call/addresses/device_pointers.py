"""Pointers into the memory of a device: what may stand for an address that a kernel reads."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ... import _native
from ...arrays.view import ArrayView
from ...arrays.view.device import ONEAPI
from ...arrays.view.streams import finish, order
from ...arrays.view.sycl import finish_queue
from ...errors import ArgumentError, ArrayError, Mismatch, value_words
from ...layouts import walk
from ...types import SCALARS, VOID, Array, CArray, Pointer, Type
from ...values.conversion import Packed
from ...values.conversion.structs import snapshot
from .needs import Need, checked_view, elsewhere_words, extents_words, got_words

_ADDRESS = struct.Struct("P")
_NAMES = {"cuda": "CUDA device", "hip": "ROCm device", "sycl": "SYCL device", "device": "device"}


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
        _check_pointer(type_, obj, words)
        return Packed(_ADDRESS.pack(obj.address), (obj,))
    if isinstance(obj, int) and not isinstance(obj, bool):
        advice = "sb.Pointer(address) says that a number is an address"
        raise Mismatch(ArgumentError, words, value_words(obj), advice)
    target = type_.target
    element = target.element if isinstance(target, CArray) else target
    if isinstance(element, Pointer):  # no library has arrays of addresses but as numbers
        element = SCALARS["uint64"]
    need = Need(element, None, type_.const, True, dialect, words, memory=type_.memory)
    seen = checked_view(need, obj)
    if isinstance(target, CArray) and seen.shape[-len(target.shape) :] != target.shape:
        rows = ", ".join(map(str, target.shape))
        raise Mismatch(ArrayError, words, got_words(obj, seen), f"the shape must be [n, {rows}]")
    await_array(type_, seen)
    return Packed(_ADDRESS.pack(seen.ptr), (_native.unwritten(seen) if type_.const else seen,))


def _check_pointer(type_: Pointer, pointer: Any, words: str) -> None:
    """Of a bare address nothing is known; one that was made of an array lies where that does."""
    owner = pointer.owner
    seen = owner if isinstance(owner, ArrayView) else None
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


def check_argument(type_: Type, obj: Any, packed: Packed) -> None:
    """Check where the addresses in an argument lead, and note what keeps it.

    Raises
    ------
    Mismatch
        If another device's memory is there.
    """
    if isinstance(obj, _native.Value | _native.Record):
        check_object(type_, obj, packed)
    if _launching.stream is not None:
        _launching.owners += packed.owners


def _number(memory: str) -> str:
    """Of the one device; empty where memory is that of any."""
    return memory.partition(":")[2]


def place(type_: Pointer | Array) -> str:
    """Where the memory lies, in words."""
    return f"{_NAMES[type_.memory.partition(':')[0]]} memory"


def device_array_rule(type_: Array, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array in the device's memory: address, shape, and strides in elements."""
    spelled = f"samebytes::array<{'const ' if type_.const else ''}{type_.element}, {type_.ndim}>"
    words = f"{type_.element}{extents_words(type_.ndim)} in {place(type_)} ({spelled})"
    need = Need(type_.element, type_.ndim, type_.const, False, dialect, words, memory=type_.memory)
    seen = checked_view(need, obj)
    await_array(type_, seen)
    descriptor = struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides)
    return Packed(descriptor, (_native.unwritten(seen) if type_.const else seen,))


def check_object(type_: Type, obj: Any, packed: Packed) -> None:
    """Check where the addresses in an object lead, which was made before it was known to which device it goes.

    Raises
    ------
    Mismatch
        If another device's memory is there.
    """
    inside = (p.memory for p in walk(type_) if isinstance(p, Array | Pointer))
    memory = next(filter(None, inside), "")
    for seen in _views(packed.owners, set()) if memory else ():
        if reason := elsewhere_words(memory, seen):
            raise Mismatch(ArrayError, str(type_), got_words(seen.owner or seen, seen), reason)
        _follow(seen)


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
        elif isinstance(owner, _native.Pointer):
            yield from _views((owner.owner,), known)
        elif isinstance(owner, _native.Value | _native.Record):
            yield from _views(snapshot(owner)[1].values(), known)


def _words(type_: Pointer) -> str:
    const = "const " * type_.const
    target = "uint64" if isinstance(type_.target, Pointer) else type_.target
    elements = "bytes" if target == VOID else f"{target}[n]"
    return f"contiguous {elements} in {place(type_)}, a Pointer or None ({const}{type_.target}*)"
