"""Pointers into the memory of a device: what may stand for an address that a kernel reads."""

from __future__ import annotations

import struct
from typing import Any

from ... import _native
from ...arrays.view import ArrayView
from ...arrays.view.streams import finish
from ...errors import ArgumentError, ArrayError, Mismatch, value_words
from ...types import VOID, CArray, Pointer
from ...values.conversion import Packed
from .needs import Need, checked_view, elsewhere_words, got_words

_ADDRESS = struct.Struct("P")
_NAMES = {"cuda": "CUDA"}


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
    need = Need(element, None, type_.const, True, dialect, words, memory=type_.memory)
    seen = checked_view(need, obj)
    if isinstance(target, CArray) and seen.shape[-len(target.shape) :] != target.shape:
        rows = ", ".join(map(str, target.shape))
        raise Mismatch(ArrayError, words, got_words(obj, seen), f"the shape must be [n, {rows}]")
    finish(seen.stream, seen.device)  # what its library still does with it comes before the kernel
    return Packed(_ADDRESS.pack(seen.ptr), (_native.unwritten(seen) if type_.const else seen,))


def _check_pointer(type_: Pointer, pointer: Any, words: str) -> None:
    """Of a bare address nothing is known; one that was made of an array lies where that does."""
    owner = pointer.owner
    seen = owner if isinstance(owner, ArrayView) else None
    if seen is not None and (reason := elsewhere_words(type_.memory, seen)):
        raise Mismatch(ArrayError, words, got_words(pointer, seen), reason)


def _words(type_: Pointer) -> str:
    const = "const " * type_.const
    elements = "bytes" if type_.target == VOID else f"{type_.target}[n]"
    where = _NAMES[type_.memory.partition(":")[0]]
    return f"contiguous {elements} in {where} device memory, a Pointer or None ({const}{type_.target}*)"
