"""Lengths and instants as C++ counts them, in datetime's classes, or in NumPy's where those do not suffice."""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import uncounted_error
from ..types import Duration, Instant

# NumPy's units: so many of them are so many seconds.
UNITS = {
    "W": (1, 604_800), "D": (1, 86_400), "h": (1, 3_600), "m": (1, 60), "s": (1, 1),
    "ms": (10**3, 1), "us": (10**6, 1), "ns": (10**9, 1), "ps": (10**12, 1), "fs": (10**15, 1), "as": (10**18, 1),
}  # fmt: skip
# In the order of preference: nanoseconds are the most usual, then what reaches further, then what is finer.
_ORDER = ("ns", "us", "ms", "s", "m", "h", "D", "W", "ps", "fs", "as")
_FINER = ("ns", "ps", "fs", "as")
# C++'s fraction of ticks is rounded to microseconds where it loses no more than this part; else to finer units.
_LOST = 1e-3
_MICROSECONDS = 1_000_000
_END = 2**63  # of NumPy's counts; the negative one says NaT
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def length(type_: Duration, count: float) -> Any:
    """A timedelta, or what says more than one does: a numpy.timedelta64.

    Raises
    ------
    RangeError
        For what none of both holds.
    """
    found = _timedelta(type_, count)
    return np.timedelta64(*_counted(type_, count)) if found is None else found


def moment(type_: Instant, count: float) -> Any:
    """A datetime in UTC; a numpy.datetime64 where that does not suffice.

    Raises
    ------
    RangeError
        For what none of both holds.
    """
    since = _timedelta(type_, count)
    try:
        if since is not None:
            return _EPOCH + since
    except OverflowError:  # before the year 1, or after 9999
        pass
    return np.datetime64(*_counted(type_, count))


def _timedelta(type_: Duration, count: float) -> datetime.timedelta | None:
    micro = count * _MICROSECONDS * type_.numerator
    try:
        if type_.count.kind == "float":
            exact = micro / type_.denominator
            found = datetime.timedelta(microseconds=exact)
            lost = abs(found / datetime.timedelta(microseconds=1) - exact)
            return found if lost <= _LOST * abs(exact) else None
        if micro % type_.denominator == 0:
            return datetime.timedelta(microseconds=int(micro // type_.denominator))
    except (OverflowError, ValueError):  # longer than one is; infinite; NaN
        pass
    return None


def _counted(type_: Duration, count: float) -> tuple[int, Any]:
    """A number of NumPy's units that are exactly so many ticks; of a fraction of ticks the nearest number."""
    if math.isfinite(count):
        seconds = Fraction(count) * type_.numerator / type_.denominator
        for unit in _ORDER:
            parts, whole = UNITS[unit]
            found = seconds * parts / whole
            if found.denominator == 1 and abs(found) < _END:
                return found.numerator, unit
        for unit in _FINER if type_.count.kind == "float" else ():
            nearest = round(seconds * UNITS[unit][0])
            if abs(nearest) < _END and abs(nearest - seconds * UNITS[unit][0]) <= Fraction(_LOST) * abs(
                nearest
            ):
                return nearest, unit
    raise uncounted_error(type_.words, count)
