"""Which arguments choose alike: whether what the native core tells of them decides if they fit."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _native
from ..model.signature import Parameter
from ..types import (
    Bits,
    CArray,
    Choice,
    Container,
    Duration,
    Handle,
    Matrix,
    Maybe,
    NdArray,
    Object,
    Owner,
    Pointer,
    Span,
    Struct,
    Type,
    Vector,
    unqualified,
)

_PLAIN = (bool, float, complex, type(None), _native.Pointer, np.bool_)
_TEXTS = (str, bytes)


def keys_decide(values: Sequence[Any], parameters: Sequence[Sequence[Parameter]]) -> bool:
    """Whether arguments of which the core tells the same always choose the same overload.

    It tells an object's class, an int's magnitude, a text's NULs, and of an array everything but extents and values.

    Parameters
    ----------
    values : sequence
        The arguments.
    parameters : sequence
        For each candidate: the parameters that they would go to.
    """
    for position, value in enumerate(values):
        sort = _sort(value)
        if sort is None or not all(_is_told(sort, p[position]) for p in parameters):
            return False
    return True


def _sort(value: Any) -> str | None:
    """What counts in a value besides its class; None where the core does not know."""
    kind = type(value)
    if kind is int or (isinstance(value, enum.Enum | np.integer) and kind is not np.timedelta64):
        return "int"
    if kind in _TEXTS:
        return "text"
    if kind is np.ndarray:
        return "array"
    if kind in _PLAIN or isinstance(value, _native.Value | _native.Record | np.floating | np.complexfloating):
        return "plain"
    return "array" if not isinstance(value, _native.Pointer) and _native.shows(value) else None


def _is_told(sort: str, parameter: Parameter) -> bool:
    if sort == "array" and parameter.place and parameter.passing != "value":
        return False  # of one element
    return _decides(sort, unqualified(parameter.value_type))


def _decides(sort: str, type_: Type) -> bool:
    """Whether a type takes or refuses all values of which the core tells the same."""
    rule = next((r for kinds, r in _RULES if isinstance(type_, kinds)), None)
    return rule is None or rule(sort, type_)


def _by_parts(sort: str, type_: Any) -> bool:
    parts = type_.elements if isinstance(type_, Choice) else (type_.value,)
    return all(_decides(sort, unqualified(part)) for part in parts)


def _by_makers(sort: str, type_: Any) -> bool:
    """C++ makes an object of what any of its constructors takes."""
    python: Any = getattr(type_, "python", None)
    makers = python.__dict__.get("__samebytes_makers__", ()) if python else ()
    parameters = [m.parameter for m in makers]
    # An object for it is not made in turn: C++ allows one conversion by a class's own functions.
    return all(isinstance(unqualified(p.value_type), Struct) or _is_told(sort, p) for p in parameters)


def _by_target(sort: str, type_: Any) -> bool:
    target = type_.target
    if isinstance(target, CArray):
        return sort not in ("array", "text")
    if type_.adapter:
        return sort == "plain"
    # One value serves for a pointer to const.
    return not type_.const or sort != "text" or not isinstance(target, Vector)


# Where more decides than the core tells; the first row that fits counts.
_RULES: tuple[tuple[Any, Callable[[str, Any], bool]], ...] = (
    (Handle | Struct, _by_makers),
    (Vector | CArray, lambda sort, type_: sort not in ("array", "text")),
    (Pointer, _by_target),
    (Span, lambda sort, type_: sort != "array" or not any(n is not None for n in type_.extents)),
    (Matrix | NdArray, lambda sort, type_: sort != "array"),
    (Container, lambda sort, type_: sort != "array" or type_.numbers is not None),
    (Maybe | Choice, _by_parts),
    (Bits, lambda sort, type_: sort != "int"),
    (Duration | Object | Owner, lambda sort, type_: sort != "plain"),
)
