"""Lengths and instants of datetime and NumPy in exact integers: nothing wraps, and nothing is cut off."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ...errors import ArgumentError, Mismatch, value_words
from ..times import UNITS

_MONTHS = {"Y": 12, "M": 1}


def exact_length(value: Any) -> tuple[int, int] | None:
    """A length as a number of parts, and how many of those a second has; None if it is none.

    Raises
    ------
    Mismatch
        If it is not a time, or has a unit without a fixed length.
    """
    if isinstance(value, np.timedelta64):
        return _counted(value, "a length in weeks or smaller units: years and months have none")
    if isinstance(value, datetime.timedelta):
        micro = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
        return micro * 1000 + getattr(value, "nanoseconds", 0), 10**9  # pandas has nanoseconds beside
    return None


def exact_instant(value: np.datetime64) -> tuple[int, int]:
    """An instant as its length since 1970.

    Raises
    ------
    Mismatch
        If it is not a time.
    """
    unit, step = np.datetime_data(value.dtype)
    if unit in _MONTHS and not np.isnat(value):
        months = int(value.view(np.int64)) * step * _MONTHS[unit]
        return _days(1970 + months // 12, months % 12 + 1) * 86_400, 1
    return _counted(value, "an instant with a unit")


def _counted(value: Any, expected: str) -> tuple[int, int]:
    if np.isnat(value):
        raise Mismatch(ArgumentError, "a time", "NaT, which is none")
    unit, step = np.datetime_data(value.dtype)
    if unit not in UNITS:
        raise Mismatch(ArgumentError, expected, value_words(value))
    parts, seconds = UNITS[unit]
    return int(value.view(np.int64)) * step * seconds, parts


def _days(year: int, month: int) -> int:
    """Days from 1970-01-01 to the first of a month, by the Gregorian calendar before and after its time.

    400 years have 146,097 days, whichever they are; datetime counts the rest.
    """
    periods, within = divmod(year - 1, 400)
    return periods * 146_097 + datetime.date(within + 1, month, 1).toordinal() - _EPOCH


_EPOCH = datetime.date(1970, 1, 1).toordinal()
