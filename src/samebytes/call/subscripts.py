"""Subscripts that count from the end, and slices, of objects whose ``[]`` counts elements from zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import index_error
from .candidate import Special


def subscript(special: Special, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What such a call gives, by calls that C++ knows.

    Parameters
    ----------
    special : Special
        ``__getitem__`` or ``__setitem__``.
    function : callable
        Calls C++'s ``[]``.
    args : tuple
        The object, the subscript, and what is assigned.
    """
    obj, index, *value = args
    extent = _extent(special, obj)
    if isinstance(index, slice):
        if value:
            raise TypeError(f"{type(obj).__name__} does not support slice assignment: assign its elements")
        return [function(obj, i) for i in range(*index.indices(extent))]
    if index + extent < 0:
        raise index_error(type(obj).__name__, index, extent)
    return function(obj, index + extent, *value)


def _extent(special: Special, obj: Any) -> int:
    """How many elements there are, if C++ says the same by ``size()`` and by its iterators."""
    assert special.extent is not None
    extent, length = special.extent(obj), len(obj)
    if extent != length:
        words = f"size() says {length} elements, and end() is {extent} behind begin()"
        raise TypeError(f"{type(obj).__name__} takes no such subscript: {words}")
    return extent
