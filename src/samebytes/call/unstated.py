"""A ``T&`` of which no intent says what becomes of what C++ writes there: what no argument may leave open."""

from __future__ import annotations

from array import array
from collections import deque
from typing import Any

import numpy as np

from .. import _native
from ..arrays import protocols
from ..errors import IntentError, Mismatch, ProtocolError, unstated_advice, value_words
from ..layouts.ctypes_classes import C_OBJECT
from ..model.signature import Parameter
from ..types import (
    CArray,
    Container,
    Converted,
    Dictionary,
    Enum,
    Matrix,
    Product,
    Scalar,
    Struct,
    Type,
    Vector,
)

# What can be changed in place, so that somebody may wait for what C++ writes: the elements of an array, or a container.
_CONTAINERS = (list, dict, set, deque)  # of Python's objects, which C++ does not write to
_LISTS = (*_CONTAINERS, bytearray, memoryview, array, np.ndarray, np.void)
_VALUES = (
    int, float, complex, str, bytes, tuple, range, frozenset, type(None), np.generic,
    _native.Value, _native.Record, _native.Pointer,
)  # fmt: skip
# What is made of such an argument for a call, and is gone after it. A pointer's or a span's elements are C++'s own.
_COPIED = (Scalar, Enum, Vector, Struct, CArray, Container, Dictionary, Product, Matrix)


def refuse_unstated(parameter: Parameter, obj: Any) -> None:
    """Refuse an array or a list where C++ may write, and no intent says whether to it or to a copy.

    Raises
    ------
    Mismatch
        With IntentError as its error; it names the intents that say so.
    """
    type_ = parameter.value_type
    shown = isinstance(type_, Matrix) and type_.shows  # the very elements of the array
    if not isinstance(type_, _COPIED) or shown or not _changes(type_, obj):
        return
    words = type_.words if isinstance(type_, Converted) else str(type_)
    advice = unstated_advice(
        parameter.name, place=not isinstance(type_, Converted), memory=not isinstance(obj, _CONTAINERS),
        one=isinstance(type_, Scalar | Enum),
    )  # fmt: skip
    raise Mismatch(IntentError, f"a value for {parameter.spelling} ({words})", value_words(obj), advice)


def _changes(type_: Type, obj: Any) -> bool:
    """Whether an object is an array or a list, and not a value."""
    if isinstance(obj, _LISTS):
        return True
    if isinstance(obj, C_OBJECT):
        return not isinstance(type_, Struct)  # of a record it is a place
    return not isinstance(obj, _VALUES) and _shows_array(obj)


def _shows_array(obj: Any) -> bool:
    try:
        protocols.view(obj)
    except ProtocolError:
        return False
    return True
