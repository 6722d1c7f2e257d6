"""What else than lists goes into containers: sequences of any class, views of dicts, rows of arrays, and iterators.

An iterator gives each element once, so that only what converts it exactly once may take it: an argument of a call.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, KeysView, Mapping, Sequence, Set, ValuesView
from typing import Any

import numpy as np

# Sequences that are one value, a text or its bytes.
_WHOLE = (str, bytes, bytearray, memoryview)
_IN_ORDER = (Sequence, KeysView, ValuesView, ItemsView)


def is_listed(value: Any) -> bool:
    """Whether an object says that it has elements in an order, which it gives as often as it is asked."""
    return isinstance(value, _IN_ORDER) and not isinstance(value, _WHOLE)


def is_set(value: Any) -> bool:
    """Whether an object says that it is a set."""
    return isinstance(value, Set)


def has_rows(value: Any) -> bool:
    """Whether an object is an array, whose first axis counts what goes into a container."""
    return isinstance(value, np.ndarray) and value.ndim > 0


def is_mapping(value: Any) -> bool:
    """Whether an object says that it has values by their keys."""
    return isinstance(value, Mapping)


def without_repetitions(values: Iterable[Any]) -> list[Any]:
    """The elements of a list without those that are the very same value again, which a set has once."""
    listed = list(values)
    try:
        if len(set(listed)) == len(listed):
            return listed
    except TypeError:
        pass
    return list({_identity(value): value for value in reversed(listed)}.values())[::-1]


def _identity(value: Any) -> Any:
    """What no other value has, be it equal: 1 and True, 0.0 and -0.0, and two objects are different."""
    kind = type(value)
    if isinstance(value, list | tuple):
        return (kind, *map(_identity, value))
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return (kind, value.dtype, value.shape, value.tobytes())
    if isinstance(value, np.generic):
        return (kind, value.dtype, value.tobytes())
    if kind in (float, complex):
        return (kind, repr(value))
    return (kind, value if kind in _PLAIN else id(value))


_PLAIN = (int, bool, str, bytes)


def advice(value: Any) -> str:
    """What to do with an object whose elements a container does not take from it."""
    if hasattr(type(value), "__next__"):
        return "list(x) takes what it has left: in here it could be asked twice"
    return "sorted(x) gives its elements an order" if isinstance(value, Set) else ""
