"""Subscripts that count from the end, and slices, of objects whose ``[]`` counts elements from zero."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from .. import _native
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
    assert special.extent is not None
    extent = _extent(special.extent, obj)
    if isinstance(index, slice):
        if value:
            return _assign(function, obj, range(*index.indices(extent)), index.step, value[0])
        return [function(obj, i) for i in range(*index.indices(extent))]
    if index + extent < 0:
        raise index_error(type(obj).__name__, index, extent)
    return function(obj, index + extent, *value)


def _assign(function: Callable[..., Any], obj: Any, places: range, step: Any, value: Any) -> None:
    """Assign the elements of an iterable to those of a slice, as a list does."""
    try:
        elements = iter(value)
    except TypeError:
        words = f"a slice of {type(obj).__name__} takes an iterable of elements, not {type(value).__name__}"
        raise TypeError(words) from None
    # What lies in C++ may be one of the very elements that are assigned to: it is as it was before.
    items = [copy(item) if isinstance(item, _native.Record) else item for item in elements]
    if step not in (None, 1) and len(items) != len(places):
        many = f"sequence of size {len(items)} to extended slice of size {len(places)}"
        raise ValueError(f"{type(obj).__name__}: attempt to assign {many}")
    common = min(len(items), len(places))
    insert, erase = (getattr(type(obj), f"__samebytes_{what}__", None) for what in ("insert", "erase"))
    if (len(items) > common and insert is None) or (len(places) > common and erase is None):
        what = "insert" if len(items) > common else "erase"
        words = f"a slice of {len(places)} takes as many elements, not {len(items)}: it has no {what}() for others"
        raise ValueError(f"{type(obj).__name__}: {words}")
    for place, item in zip(places, items, strict=False):
        function(obj, place, item)
    for place, item in enumerate(items[common:], places.start + common):
        assert insert is not None
        insert(obj, place, item)
    if len(places) > common:
        assert erase is not None
        erase(obj, places.start + common, places.start + len(places))


def deletion(extent: Callable[[Any], int], erase: Callable[..., Any]) -> Callable[[Any, Any], None]:
    """The ``__delitem__`` of a class.

    Parameters
    ----------
    extent : callable
        How many elements an object has.
    erase : callable
        Takes an object, and between which two places its elements are to go.
    """

    def __delitem__(self: Any, index: Any) -> None:  # noqa: N807
        count = _extent(extent, self)
        if isinstance(index, slice):
            places = range(*index.indices(count))
            if places.step == 1:
                if places:
                    erase(self, places.start, places.stop)
                return
            for place in sorted(places, reverse=True):
                erase(self, place, place + 1)
            return
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(
                f"{type(self).__name__} deletes by integers and slices, not {type(index).__name__}"
            )
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise index_error(type(self).__name__, index, count)
        erase(self, place, place + 1)

    return __delitem__


def _extent(extent: Callable[[Any], int], obj: Any) -> int:
    """How many elements there are, if C++ says the same by ``size()`` and by its iterators."""
    found, length = extent(obj), len(obj)
    if found != length:
        words = f"size() says {length} elements, and end() is {found} behind begin()"
        raise TypeError(f"{type(obj).__name__} takes no such subscript: {words}")
    return found
