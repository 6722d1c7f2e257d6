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
    Choice,
    Container,
    Converted,
    Dictionary,
    Enum,
    Function,
    Matrix,
    Maybe,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Struct,
    Target,
    Type,
    Vector,
)
from ..values.handle import CxxHandle

# What can be changed in place, so that somebody may wait for what C++ writes: the elements of an array, or a container.
_CONTAINERS = (list, dict, set, deque)  # of Python's objects, which C++ does not write to
_LISTS = (*_CONTAINERS, bytearray, memoryview, array, np.ndarray, np.void)
_VALUES = (
    int, float, complex, str, bytes, range, type(None), np.generic, _native.Value, _native.Pointer,
)  # fmt: skip
_OBJECTS = (_native.Record, CxxHandle)
# What is made of such an argument for a call, and is gone after it. A pointer's or a span's elements are C++'s own.
_COPIED = (Scalar, Enum, Vector, Struct, CArray, Container, Dictionary, Product, Maybe, Choice, Matrix)


def refuse_unstated(parameter: Parameter, obj: Any) -> None:
    """Refuse an array or a list where C++ may write, and no intent says whether to it or to a copy.

    Raises
    ------
    Mismatch
        With IntentError as its error; it names the intents that say so.
    """
    type_ = _written_type(parameter)
    if type_ is not None and _changes(type_, obj):
        raise _mismatch(parameter, type_, value_words(obj), memory=not isinstance(obj, _CONTAINERS))


def refuse_unstated_array(parameter: Parameter, got: str) -> None:
    """The same for an array of which only the type is known."""
    type_ = _written_type(parameter) if parameter.is_unstated else None
    if type_ is not None:
        raise _mismatch(parameter, type_, got, memory=True)


def _written_type(parameter: Parameter) -> Type | None:
    """The type of which C++ gets a copy, and may write to that; None: it gets the very elements."""
    type_ = parameter.value_type
    type_ = type_.value if isinstance(type_, Target) else type_
    shown = isinstance(type_, Matrix) and type_.shows
    return type_ if isinstance(type_, _COPIED) and not shown else None


def _mismatch(parameter: Parameter, type_: Type, got: str, *, memory: bool) -> Mismatch:
    words = type_.words if isinstance(type_, Converted) else str(type_)
    advice = unstated_advice(
        parameter.name, place=not isinstance(type_, Converted), memory=memory,
        one=isinstance(type_, Scalar | Enum),
    )  # fmt: skip
    return Mismatch(IntentError, f"a value for {parameter.spelling} ({words})", got, advice)


def _changes(type_: Type, obj: Any, *, inside: bool = False) -> bool:
    """Whether an object is an array, a list, or C++'s own where a copy of it is passed; not a value.

    A tuple is a value if all in it are. A record is a place for its own class alone.
    """
    if isinstance(obj, _LISTS):
        return True
    if isinstance(obj, tuple):
        places = type_.parts if isinstance(type_, Product | Struct) else ()
        parts = places if len(places) == len(obj) else (type_,) * len(obj)
        return any(_changes(part, inner, inside=True) for part, inner in zip(parts, obj, strict=True))
    if isinstance(obj, _OBJECTS):
        return (inside or not isinstance(type_, Struct)) and _copies_records(type_)
    if isinstance(obj, C_OBJECT):
        return inside or not isinstance(type_, Struct)  # of a record it is a place
    return not isinstance(obj, _VALUES) and _shows_array(obj)


def _copies_records(type_: Type) -> bool:
    """Whether C++ gets records by value in it, not by addresses."""
    if isinstance(type_, Pointer | Owner | Function) or (isinstance(type_, Object) and type_.refers):
        return False
    return isinstance(type_, Struct) or any(map(_copies_records, type_.parts))


def _shows_array(obj: Any) -> bool:
    try:
        protocols.view(obj)
    except ProtocolError:
        return False
    return True
