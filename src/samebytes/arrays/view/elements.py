"""What one element of a view is as a Python value, and a field of all its elements as a view."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ... import _native
from ...errors import ArrayError, ArrayIndexError
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import CArray, Struct, Type, Vector, unqualified
from ...values.codecs import codec
from .dtypes import dtype_of, numpy_type, numpy_words
from .facts import Facts, Shown
from .interfaces import as_numpy


def element(view: Facts) -> Any:
    """The value of a view without dimensions: a number, a struct value, a view of a record."""
    type_ = view.type
    if isinstance(type_, Struct) and type_.python is not None:
        return _instance(type_.python, view)
    if isinstance(type_, Vector):
        return codec(type_).unpack(_bytes(view))
    if view.dtype is None and dtype_of(type_) is None:
        raise ArrayError(f"elements of {view.dtype_name} have no Python value; v[i, ...] gives a view")
    return as_numpy(view)[()]


def _bytes(view: Facts) -> bytes:
    return ctypes.string_at(view.ptr, view.itemsize)


def _instance(python: Any, view: Facts) -> Any:
    """A record shows the element itself where it may write there; anything else is a copy."""
    aligned = view.ptr % compute(python.__samebytes_type__, find_dialect("cxx")).align == 0
    if issubclass(python, _native.Record) and aligned and not view.readonly:
        return python.__samebytes_view__(view.ptr, view)
    return python.__samebytes_from_buffer__(_bytes(view))


def field(view: Shown, name: str) -> Shown:
    """One field of every element; sub-arrays add their dimensions at the end.

    Raises
    ------
    ArrayIndexError
        If the elements have no such field.
    """
    if isinstance(view.type, Struct):
        for place in compute(view.type, find_dialect("cxx")).fields:
            if place.name == name and not place.bit_width:
                return _typed_field(view, unqualified(place.type), place.offset, name)
    elif view.dtype is not None and name in (view.dtype.fields or ()):
        dtype, offset = view.dtype.fields[name][:2]
        base, shape = dtype.subdtype or (dtype, ())
        return _part(view, numpy_type(base), numpy_words(base), base.itemsize, base, offset, shape)
    raise ArrayIndexError(f"{view.dtype_name} elements have no field {name!r}")


def _typed_field(view: Shown, type_: Type, offset: int, name: str) -> Shown:
    shape: tuple[int, ...] = ()
    while isinstance(type_, CArray):
        shape, type_ = shape + type_.shape, unqualified(type_.element)
    dtype = dtype_of(type_)
    if view.dtype is not None and name in (view.dtype.fields or ()):
        own = view.dtype.fields[name][0]
        dtype = own.subdtype[0] if own.subdtype else own
    size = compute(type_, find_dialect("cxx")).size
    if dtype is not None and dtype.itemsize != size:
        dtype = None
    return _part(view, type_, str(type_), size, dtype, offset, shape)


def _part(
    view: Shown, type_: Type | None, words: str, size: int, dtype: np.dtype[Any] | None, offset: int,
    shape: tuple[int, ...],
) -> Shown:  # fmt: skip
    strides, step = [], size
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return view.derive(
        type=type_, dtype_name=words, itemsize=size, dtype=dtype, element=None,
        ptr=view.ptr + offset if view.ptr else 0,
        shape=(*view.shape, *shape), byte_strides=(*view.byte_strides, *reversed(strides)),
    )  # fmt: skip
