"""Members and ints into enumerations."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..errors import ArgumentError, Mismatch, RangeError, value_words
from ..types import BOOL, Enum
from .base import Packed
from .numbers import limits, number


def is_flags(enum: Enum) -> bool:
    """Whether an enumeration is a set of bits: then combinations without a name are values, too.

    So it is if it is unscoped, its members are single bits (at least two) or unions of them, and they are not
    simply numbered one after the other.
    """
    values = sorted({value for _, value in enum.members})
    bits = [v for v in values if v > 0 and v & (v - 1) == 0]
    union = sum(bits)
    numbered = bool(values) and values == list(range(values[0], values[0] + len(values)))
    return (
        not enum.scoped
        and len(bits) > 1
        and not numbered
        and all(v >= 0 and v | union == union for v in values)
    )


def convert_enum(type_: Enum, value: Any, dialect: str) -> Packed:
    python = type_.python
    if python is not None and isinstance(value, python):
        return Packed(_underlying(type_, operator.index(value)))  # type: ignore[arg-type]
    named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
    words = f"{type_} ({named})"
    whole = (
        isinstance(value, int | np.integer) and not isinstance(value, bool) and hasattr(value, "__index__")
    )
    if not whole or getattr(type(value), "__samebytes_type__", None) is not None:
        raise Mismatch(ArgumentError, words, value_words(value), f"Pass a member of {type_.short_name}")
    if is_flags(type_) or not type_.members:
        low, high = limits(type_.underlying)
        fits = low <= value <= high
    else:
        fits = any(value == member for _, member in type_.members)
    if not fits:
        raise Mismatch(
            RangeError, words, value_words(value), f"No member of {type_.short_name} has this value"
        )
    return Packed(_underlying(type_, int(value)))


def _underlying(type_: Enum, value: int) -> bytes:
    return number(type_.underlying, bool(value) if type_.underlying == BOOL else value)
