"""Members and ints into enumerations."""

from __future__ import annotations

import operator
from typing import Any

from ...errors import ArgumentError, Mismatch, RangeError, value_words
from ...layouts.namesakes import enumeration_difference
from ...types import BOOL, Enum, Type
from ..codecs import codec
from .base import Packed
from .numbers import limits, number, whole_number


def convert_enum(type_: Enum, value: Any, dialect: str) -> Packed:
    """An enumerator, or an integer that the underlying type holds: C++ has enumerators without a name, too."""
    if is_class_of(type_, type(value)):
        packed = Packed(_underlying(type_, operator.index(value)))
        if type_.python is not None and type(value) is not type_.python:
            codec(type_, dialect).accept(type(value))  # from here on the core takes all of this class
        return packed
    named = ", ".join(name for name, _ in type_.members[:4]) + (", …" if len(type_.members) > 4 else "")
    words = f"{type_} ({named})"
    whole = whole_number(value)
    if whole is None or getattr(type(value), "__samebytes_type__", None) is not None:
        raise Mismatch(ArgumentError, words, value_words(value), class_advice(type_, type(value)))
    low, high = (0, 1) if type_.underlying == BOOL else limits(type_.underlying)
    if not low <= whole <= high:  # a number without a name is a value, too: C++ has such
        raise Mismatch(RangeError, words, value_words(value), f"Its numbers are {low} to {high}")
    return Packed(_underlying(type_, whole))


def is_class_of(type_: Enum, cls: type) -> bool:
    """Whether a class is that of an enumeration: its own, or the one that another library has for it."""
    own = type_.python is not None and issubclass(cls, type_.python)
    return own or _difference(type_, cls) == ""


def is_namesake(type_: Type, cls: type) -> bool:
    """Whether a class is that of another enumeration of the same name."""
    return isinstance(type_, Enum) and bool(_difference(type_, cls))


def class_advice(type_: Enum, cls: type) -> str:
    """What to pass instead of an object of a class that is not that of an enumeration."""
    found = _difference(type_, cls)
    if found:
        return f"Its enumeration is named {type_}, too, but {found}"
    return f"Pass a member of {type_.short_name}"


def _difference(type_: Enum, cls: type) -> str | None:
    """How the enumeration of a class differs from one of its name; None for a class of anything else."""
    described = getattr(cls, "__samebytes_type__", None)
    if not isinstance(described, Enum) or described.name != type_.name:
        return None
    return enumeration_difference(type_, described)


def _underlying(type_: Enum, value: int) -> bytes:
    return number(type_.underlying, bool(value) if type_.underlying == BOOL else value)
