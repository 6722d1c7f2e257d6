"""What stands for an address: the rule behind ``Pointer(x)`` (HIP Python, "Adapter Types", Pointer)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from operator import index
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import protocols
from ...arrays.protocols.base import Protocol, Refusals, Refused
from ...arrays.view import ArrayView
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, RangeError, value_error, value_words
from ...frozen import frozen
from ...layouts.ctypes_classes import C_ADDRESSES, target_of

Found = tuple[int, Any]  # an address, and what keeps it valid (None: nothing has to)

# What the chapter names comes before what it does not: its CUDA Array Interface, its buffers.
_CHAPTER = ("__cuda_array_interface__", "an adapter's view", "NumPy's C struct", "buffer")


@frozen
class Use:
    """What an address is for, in the words of errors.

    Attributes
    ----------
    expected : str
        What is taken.
    strided : str
        What to do about an array that is not contiguous.
    written : str
        What to do about read-only memory.
    """

    expected: str
    strided: str
    written: str


_POINTER = Use(
    "None, a Pointer, an address (int), a ctypes pointer, an array or a buffer",
    "pass a contiguous copy",
    "C may write through the address; Pointer(x, readonly=True) says that it will not",
)
LISTED = replace(_POINTER, expected=f"a list or tuple, {_POINTER.expected}")


def address(obj: Any, use: Use, readonly: bool = False) -> Found:
    """The address that an object stands for, and what keeps it valid.

    Parameters
    ----------
    obj : object
    use : Use
    readonly : bool
        Whether nothing writes through the address.

    Raises
    ------
    Mismatch
        If it stands for none, or its memory is not C-contiguous, or is read-only and ``readonly`` is not said.
    """
    if obj is None:
        return 0, None
    if isinstance(obj, _native.Pointer) and obj.is_const and not readonly:
        raise Mismatch(ArrayError, "writable memory", value_words(obj), use.written)
    for kinds, rule in _RULES:
        if isinstance(obj, kinds):
            return rule(obj, use)
    with Refusals() as refusals:
        seen = _ask(obj, use, refusals)
        if seen is not None:
            pointer = _checked(obj, seen, use, readonly).ptr
            return pointer, _native.unwritten(seen) if readonly else seen
        if hasattr(type(obj), "__index__"):
            return _integer(obj, use)
        advice = f"It shows no array by any protocol ({refusals})"
        raise refusals.caused(Mismatch(ArgumentError, use.expected, value_words(obj), advice))


def pointing(obj: Any, readonly: bool = False, adapter: str = "Pointer", use: Use = _POINTER) -> Found:
    """What ``Pointer(obj)`` stands for, and what keeps it valid; ``adapter`` is named where it stands for nothing.

    Raises
    ------
    ArgumentError, ArrayError, RangeError
        Where :func:`address` finds a mismatch.
    """
    try:
        return address(obj, use, readonly)
    except Mismatch as mismatch:
        raise value_error(f"{adapter}():", mismatch) from mismatch.__cause__


def shown_view(obj: Any) -> ArrayView | None:
    """The array that an object shows by the first protocol of the chapter's order that it speaks; None: it shows none.

    Raises
    ------
    Mismatch
        If it breaks the protocol.
    """
    with Refusals() as refusals:
        return _ask(obj, _POINTER, refusals)


@contextmanager
def words_of(adapter: type) -> Iterator[None]:
    """Mismatches inside are errors of an adapter's constructor, by the adapter's name."""
    try:
        yield
    except Mismatch as mismatch:
        raise value_error(f"{adapter.__name__}():", mismatch) from mismatch.__cause__


def stands(obj: Any) -> bool:
    """Whether what an object is says which address it stands for, if any; then no protocol is asked."""
    return any(isinstance(obj, kinds) for kinds, _ in _RULES)


def _integer(obj: Any, use: Use) -> Found:
    number = index(obj)
    if not 0 <= number < 1 << 64:
        advice = "An int stands for an address here"
        raise Mismatch(RangeError, "an address from 0 to 2**64 - 1", value_words(obj), advice)
    return number, None


def _pointer(obj: Any, use: Use) -> Found:
    copy = _native.Pointer(obj)  # which stays where it is when the original is made to point elsewhere
    return int(copy), copy


def _value(obj: Any, use: Use) -> Found:
    return obj.value or 0, None


def _target(obj: Any, use: Use) -> Found:
    """Where a ctypes pointer or function points, not where ctypes keeps the pointer."""
    try:
        return target_of(obj), obj
    except TypeError as error:
        raise Mismatch(ArgumentError, use.expected, value_words(obj), str(error)) from None


def _refused(advice: str) -> Callable[[Any, Use], Found]:
    def rule(obj: Any, use: Use) -> Found:
        raise Mismatch(ArgumentError, use.expected, value_words(obj), advice)

    return rule


# In order: bool is an int.
_RULES: tuple[tuple[Any, Callable[[Any, Use], Found]], ...] = (
    (_native.Pointer, _pointer),
    (bool, _refused("A truth value is no address")),
    ((int, np.integer), _integer),
    (ctypes.c_void_p, _value),
    (C_ADDRESSES, _target),
    (str, _refused("Text has no memory that C can read: pass text.encode()")),
    (
        np.generic,
        _refused("A NumPy scalar is a value without a place of its own: pass an array of one element"),
    ),
)


@cache
def _asked() -> tuple[Protocol, ...]:
    """The protocols in the chapter's order, then the others in theirs."""
    places = {name: place for place, name in enumerate(_CHAPTER)}
    return tuple(sorted(protocols(), key=lambda p: (places.get(p.name, len(places)), p.rank)))


def _ask(obj: Any, use: Use, refusals: Refusals) -> ArrayView | None:
    """The array that an object shows; where it shows none, the refusals say why."""
    if isinstance(obj, ArrayView):
        return obj
    for protocol in _asked():
        if not protocol.recognises(type(obj)):
            continue
        try:
            return protocol.describe(obj, None)
        except Refused as refusal:
            refusals.add(protocol, refusal)
        except ProtocolError as error:
            raise Mismatch(ProtocolError, use.expected, value_words(obj), str(error)) from error.__cause__
    return None


def _checked(obj: Any, seen: ArrayView, use: Use, readonly: bool) -> ArrayView:
    """The view, if an address alone says where its elements are."""
    if not seen.contiguous:
        order = (
            "in Fortran's order" if seen.fortran_contiguous else f"at strides {seen.byte_strides} in bytes"
        )
        advice = f"Behind an address there are no strides, and these elements lie {order}: {use.strided}"
        raise Mismatch(ArrayError, "a C-contiguous array", value_words(obj), advice)
    if seen.readonly and not readonly:
        raise Mismatch(ArrayError, "writable memory", f"read-only {value_words(obj)}", use.written)
    return seen


_native.set_pointer_rule(pointing)
