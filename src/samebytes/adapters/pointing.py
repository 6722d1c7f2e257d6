"""What stands for an address: the rule behind ``Pointer(x)`` (HIP Python, "Adapter Types", Pointer)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any

import numpy as np

from .. import _native
from ..errors import ArgumentError, ArrayError, Mismatch, ProtocolError, RangeError, value_error, value_words
from ..protocols import protocols
from ..protocols.base import Protocol, Refused
from ..view import ArrayView

Found = tuple[int, Any]  # an address, and what keeps it valid (None: nothing has to)

_EXPECTED = "None, a Pointer, an address (int), a ctypes pointer, an array or a buffer"
_C_POINTER: Any = vars(ctypes)["_Pointer"]
_C_FUNCTION: Any = vars(ctypes)["_CFuncPtr"]
_C_REFERENCE: Any = type(ctypes.byref(ctypes.c_int()))


def _integer(obj: Any) -> Found:
    number = index(obj)
    if not 0 <= number < 1 << 64:
        raise Mismatch(RangeError, "an address from 0 to 2**64 - 1", value_words(obj))
    return number, None


def _value(obj: Any) -> Found:
    return obj.value or 0, None


def _target(obj: Any) -> Found:
    """Where a ctypes pointer or function points, not where ctypes keeps the pointer."""
    return ctypes.cast(obj, ctypes.c_void_p).value or 0, obj


def _refused(advice: str) -> Callable[[Any], Found]:
    def rule(obj: Any) -> Found:
        raise Mismatch(ArgumentError, _EXPECTED, value_words(obj), advice)

    return rule


# In order: bool is an int.
_RULES: tuple[tuple[Any, Callable[[Any], Found]], ...] = (
    (bool, _refused("A truth value is no address")),
    ((int, np.integer), _integer),
    (ctypes.c_void_p, _value),
    ((ctypes.c_char_p, ctypes.c_wchar_p, _C_POINTER, _C_FUNCTION, _C_REFERENCE), _target),
    (str, _refused("Text has no memory that C can read: pass text.encode()")),
    (
        np.generic,
        _refused("A NumPy scalar is a value without a place of its own: pass an array of one element"),
    ),
)


def pointing(obj: Any, readonly: bool = False) -> Found:
    """The address that an object stands for, and what keeps it valid.

    Raises
    ------
    ArgumentError, ArrayError, RangeError
        If it stands for none, or its memory is not C-contiguous, or is read-only and ``readonly`` is not said.
    """
    try:
        for kinds, rule in _RULES:
            if isinstance(obj, kinds):
                return rule(obj)
        seen = shown(obj)
        if seen is not None:
            return checked(obj, seen, readonly).ptr, seen
        if hasattr(type(obj), "__index__"):
            return _integer(obj)
        raise Mismatch(ArgumentError, _EXPECTED, value_words(obj))
    except Mismatch as mismatch:
        raise value_error("Pointer():", mismatch) from None


@cache
def _asked() -> tuple[Protocol, ...]:
    """The protocols in the chapter's order: the CUDA Array Interface before all others, buffers last."""
    return tuple(sorted(protocols(), key=lambda p: (p.name != "__cuda_array_interface__", p.rank)))


def shown(obj: Any) -> ArrayView | None:
    """The array that an object shows by the first protocol of the chapter's order that it speaks; None: it shows none.

    Raises
    ------
    Mismatch
        If it breaks the protocol.
    """
    if isinstance(obj, ArrayView):
        return obj
    refusals = []
    for protocol in _asked():
        if not protocol.recognises(type(obj)):
            continue
        try:
            return protocol.describe(obj, None)
        except Refused as refusal:
            refusals.append(f"{protocol.name}: {refusal}")
        except ProtocolError as error:
            raise Mismatch(ProtocolError, _EXPECTED, value_words(obj), str(error)) from error
    return None


def checked(obj: Any, seen: ArrayView, readonly: bool) -> ArrayView:
    """The view, if an address alone says where its elements are.

    Raises
    ------
    Mismatch
        Of an ArrayError.
    """
    if not seen.contiguous:
        order = (
            "in Fortran's order" if seen.fortran_contiguous else f"at strides {seen.byte_strides} in bytes"
        )
        advice = (
            f"Behind an address there are no strides, and these elements lie {order}: pass a contiguous copy"
        )
        raise Mismatch(ArrayError, "a C-contiguous array", value_words(obj), advice)
    if seen.readonly and not readonly:
        advice = "C may write through the address; Pointer(x, readonly=True) says that it will not"
        raise Mismatch(ArrayError, "writable memory", f"read-only {value_words(obj)}", advice)
    return seen


_native.set_pointer_rule(pointing)
