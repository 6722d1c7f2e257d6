"""Members and ints into enumerations."""

from __future__ import annotations

import operator
from typing import Any

from ...errors import ArgumentError, Mismatch, RangeError, value_words
from ...types import BOOL, Enum
from .base import Packed
from .numbers import limits, number, whole_number


def convert_enum(type_: Enum, value: Any, dialect: str) -> Packed:
    """An enumerator, or an integer that the underlying type holds: C++ has enumerators without a name, too."""
    python = type_.python
    if python is not None and isinstance(value, python):
        return Packed(_underlying(type_, operator.index(value)))  # type: ignore[arg-type]
    named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
    words = f"{type_} ({named})"
    whole = whole_number(value)
    if whole is None or getattr(type(value), "__samebytes_type__", None) is not None:
        raise Mismatch(ArgumentError, words, value_words(value), f"Pass a member of {type_.short_name}")
    low, high = (0, 1) if type_.underlying == BOOL else limits(type_.underlying)
    if not low <= whole <= high:  # a number without a name is a value, too: C++ has such
        raise Mismatch(RangeError, words, value_words(value), f"Its numbers are {low} to {high}")
    return Packed(_underlying(type_, whole))


def _underlying(type_: Enum, value: int) -> bytes:
    return number(type_.underlying, bool(value) if type_.underlying == BOOL else value)
