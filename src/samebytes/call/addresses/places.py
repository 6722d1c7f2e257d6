"""Places: objects with an address of their own, which C++ may change, for the intents ``inout_ptr`` and ``out_ptr``."""

from __future__ import annotations

import ctypes
from math import prod
from typing import Any

import numpy as np

from ... import _native
from ...arrays.view import ArrayView
from ...errors import ArgumentError, ArrayError, IntentError, Mismatch, value_words
from ...layouts.ctypes_classes import C_POINTER
from ...types import VOID, ArrayRule, CArray, Named, Pointer, Scalar, Struct, Type
from ...values.conversion import Packed
from .ctypes_pointers import RECORDS, missing_room
from .needs import got_words
from .pointers import pointer_rule

_NULL = bytes(8)
# Objects that never change, so that nothing could be written to them.
_IMMUTABLE = (bool, int, float, complex, str, bytes, tuple, frozenset, np.generic, _native.Value)


def place_rule(type_: Pointer, obj: Any, dialect: str, *, one: bool) -> Packed:
    """The address of the object that C++ may change.

    Parameters
    ----------
    type_ : Pointer
        To what C++ writes.
    obj : object
        A record, a ``Pointer``, a writable array, or a ctypes object or pointer; None for a pointer parameter only.
    one : bool
        Whether the parameter is a reference: never null, and exactly one object.

    Raises
    ------
    Mismatch
        With IntentError as its error if the object is immutable.
    """
    words = _words(type_.target, one)
    if isinstance(obj, _IMMUTABLE):
        raise Mismatch(IntentError, words, value_words(obj), _advice(type_.target, obj))
    if one and (obj is None or (isinstance(obj, _native.Pointer) and not obj)):
        raise Mismatch(ArgumentError, words, value_words(obj), "A C++ reference is never null")
    if isinstance(obj, C_POINTER) and not (obj and issubclass(type(obj)._type_, (*RECORDS, C_POINTER))):
        return _target(type_, obj, dialect, one, words)
    try:
        # Of an array that a reference names only the number of elements counts, not their arrangement.
        packed = pointer_rule(Pointer(_element(type_.target)) if one else type_, obj, dialect)
    except Mismatch as mismatch:
        mismatch.expected = words
        raise
    if one and packed.data == _NULL:
        raise Mismatch(ArgumentError, words, value_words(obj), "A C++ reference is never null")
    if one and (missing := missing_room(type_.target, 1, obj)):
        raise Mismatch(ArgumentError, words, value_words(obj), missing)
    if one:
        _check_records(type_.target, obj, words)
        for seen in packed.owners:
            if isinstance(seen, ArrayView):
                _check_one(type_.target, seen, obj, words)
    return packed


def _target(type_: Pointer, obj: Any, dialect: str, one: bool, words: str) -> Packed:
    """What a ctypes pointer points to, and not the ctypes object itself."""
    if not obj:
        raise Mismatch(ArgumentError, words, f"a null {type(obj).__name__} (ctypes)")
    found = place_rule(type_, obj.contents, dialect, one=one)
    return Packed(found.data, (*found.owners, obj))


def _check_records(target: Type, obj: Any, words: str) -> None:
    """An array of ctypes' structures shows them one by one: a reference is of exactly one."""
    if isinstance(obj, ctypes.Array) and isinstance(target, Struct | Named) and len(obj) != 1:
        raise Mismatch(ArgumentError, words, f"{len(obj)} of them: {value_words(obj)}", "x[i] is one of them")


def _check_one(target: Type, seen: ArrayView, obj: Any, words: str) -> None:
    count = ArrayRule.of_reference(target).count
    if prod(seen.shape) != count:
        advice = "x[i:i + 1] is a place of one element" if count == 1 else f"it must have {count} elements"
        raise Mismatch(ArrayError, words, got_words(obj, seen), advice)


def _element(target: Type) -> Type:
    return target.element if isinstance(target, CArray) else target


def _words(target: Type, one: bool) -> str:
    mark = "&" if one else "*"
    if isinstance(target, Struct | Named):
        return f"a place that C++ may change: a record {target} or a Pointer ({target}{mark})"
    count = "n" if not one else str(target.count) if isinstance(target, CArray) else "1"
    element = _element(target)
    elements = "bytes" if element == VOID else f"{element}[{count}]"
    return (
        f"a place that C++ may change: a writable {elements}, a ctypes object or a Pointer ({target}{mark})"
    )


def _advice(target: Type, obj: Any) -> str:
    words = f"{type(obj).__name__} objects never change"
    if isinstance(target, Struct) and target.python is not None:
        return f"{words}: pass a record, {target.short_name}(...)"
    element = _element(target)
    count = target.count if isinstance(target, CArray) else 1
    made = f': numpy.zeros({count}, "{element}") is such a place' if isinstance(element, Scalar) else ""
    return words + made
