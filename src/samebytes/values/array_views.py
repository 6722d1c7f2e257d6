"""C arrays in records: descriptors that read them as views and write them through the native fields."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from .. import _native
from ..layouts import FieldLayout, compute
from ..layouts.dialects import find_dialect
from ..types import CArray, Enum, Scalar, Struct, Type, Vector, unqualified
from .building import field_names
from .conversion import structs


class _View:
    """Reads a C array as a view into the record; writes it through the native field."""

    __slots__ = ("_field", "_read")

    def __init__(self, field: Any, read: Callable[[Any], Any]) -> None:
        self._field = field
        self._read = read

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        shown = self._read(instance)
        if not getattr(instance, "__samebytes_const__", False):
            return shown
        return unwritable(shown, _native.mark_const if _native.is_const(instance) else _native.mark_copy)

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


def unwritable(value: Any, mark: Callable[[Any], Any]) -> Any:
    """What an object shows through which nothing is written: it is const, or a copy, as ``mark`` says.

    Records in it are copies.
    """
    if isinstance(value, tuple):
        return tuple(unwritable(item, mark) for item in value)
    if isinstance(value, _native.Handle):
        return mark(const_view(value))
    if isinstance(value, _native.Record):
        return mark(copy(value))
    return read_only(value) if isinstance(value, np.ndarray) else value


def const_view(handle: Any) -> Any:
    """A view of an object as const; its class is known, as the object's is."""
    return type(handle).__samebytes_view__(handle.__samebytes_address__, handle, const=True, exact=True)


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A view of a contiguous array that refuses to be written to, which no flag of NumPy's undoes."""
    if not array.size:
        return array
    data = array.reshape(-1).view(np.uint8).data.toreadonly()
    return np.frombuffer(data, array.dtype).reshape(array.shape)


# Of an object that shows no bytes of its own: what shows those of a C array at an offset.
Window = Callable[[CArray, int], Callable[[Any], Any]]


def _numbers(place: FieldLayout, array: CArray, window: Window | None) -> Callable[[Any], Any] | None:
    """A NumPy view of the numbers, where the elements are numbers or vectors of them."""
    element = unqualified(array.element)
    if isinstance(element, Enum):
        element = element.underlying
    extra: tuple[int, ...] = ()
    if isinstance(element, Vector):
        element, extra = element.element, (element.size,)
    if not isinstance(element, Scalar):
        return None
    dtype, shape = element.dtype, (*array.shape, *extra)
    count = place.size // dtype.itemsize
    if window is not None:
        look = window(array, place.offset)
        return lambda handle: np.frombuffer(look(handle), dtype, count).reshape(shape)
    return lambda record: np.frombuffer(record, dtype, count, place.offset).reshape(shape)


def _text(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The characters before the first NUL; what is behind it is in the record's own bytes."""
    return lambda record: read(record).tobytes().partition(b"\0")[0]


def _records(place: FieldLayout, array: CArray, python: Any) -> Callable[[Any], Any]:
    """Nested tuples of record views."""

    def read(record: Any) -> Any:
        address = structs.address_of(record) + place.offset
        return nested(array, place.size, lambda offset: python.__samebytes_view__(address + offset, record))

    return read


def _records_in(array: CArray) -> tuple[Type, CArray]:
    """The innermost element of arrays in one another, as a ``std::array`` of these is, and the array of all of them."""
    shape, element = array.shape, unqualified(array.element)
    while isinstance(element, CArray):
        shape, element = (*shape, *element.shape), unqualified(element.element)
    return element, CArray(element, shape)


def nested(array: CArray, size: int, element: Callable[[int], Any]) -> tuple[Any, ...]:
    """The elements of a C array as nested tuples.

    Parameters
    ----------
    array : CArray
    size : int
        Of the whole array, in bytes.
    element : callable
        Shows the one at an offset (bytes).
    """
    step = size // array.count
    items = [element(i * step) for i in range(array.count)]
    for extent in reversed(array.shape[1:]):
        items = [tuple(items[i : i + extent]) for i in range(0, len(items), extent)]
    return tuple(items)


def array_views(
    struct: Struct, fields: dict[str, Any], python: Callable[[Type], Any], window: Window | None = None
) -> dict[str, Any]:
    """Descriptors that read C arrays as views, in the place of the native ones."""
    views = {}
    names = field_names(struct)
    texts = {f.name for f in struct.fields if f.text}
    for place in compute(struct, find_dialect("cxx")).fields:
        array = unqualified(place.type)
        if not isinstance(array, CArray):
            continue
        read = _numbers(place, array, window)
        element, array = _records_in(array)
        if read is None and isinstance(element, Struct):
            inner = python(element)
            is_record = inner is not None and issubclass(inner, _native.Record)
            read = _records(place, array, inner) if is_record else None
        if read is not None and place.name in texts:
            read = _text(read)
        if read is not None:
            views[names[place.name]] = _View(fields[names[place.name]], read)
    return views
