"""The same bytes under another shape or element type; what would need a copy is refused."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...errors import OVERWHELMED, ArrayError
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import Struct, Type, Vector, as_type
from ...values.conversion.structured import dtype_fits
from .dtypes import dtype_of, numpy_type, numpy_words
from .facts import Facts, Shown

_COPY = "numpy.array(v)"  # in host memory


def transpose(view: Shown, axes: tuple[Any, ...]) -> Shown:
    """The view with its dimensions permuted."""
    if len(axes) == 1 and isinstance(axes[0], tuple | list):
        axes = tuple(axes[0])
    order = [a + view.ndim if a < 0 else a for a in axes] if axes else list(reversed(range(view.ndim)))
    if sorted(order) != list(range(view.ndim)):
        raise ArrayError(
            f"transpose(): expected each of the {view.ndim} dimensions once, counted from 0, got axes {axes}"
        )
    return view.derive(
        shape=tuple(view.shape[a] for a in order), byte_strides=tuple(view.byte_strides[a] for a in order)
    )


def _wanted(view: Facts, shape: tuple[Any, ...]) -> tuple[int, ...]:
    extents = list(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else list(shape)
    if extents.count(-1) == 1:
        known = prod(e for e in extents if e != -1)
        if known and view.size % known == 0:
            extents[extents.index(-1)] = view.size // known
    if any(e < 0 for e in extents) or prod(extents) != view.size:
        raise ArrayError(
            f"reshape(): expected a shape of {view.size} elements, as {view.shape} is, got {tuple(shape)}"
        )
    return tuple(extents)


def reshape(view: Shown, shape: tuple[Any, ...]) -> Shown:
    """The same elements in C order under another shape."""
    extents = _wanted(view, shape)
    strides = _reshaped(view, extents)
    if strides is None:
        raise ArrayError(
            f"reshape(): shape {view.shape} with strides {view.byte_strides} in bytes cannot become {extents} "
            f"without a copy; {_COPY} makes one"
        )
    return view.derive(shape=extents, byte_strides=strides)


def _c_strides(extents: Sequence[int], step: int) -> list[int]:
    strides = []
    for extent in reversed(extents):
        strides.append(step)
        step *= extent
    return strides[::-1]


def _reshaped(view: Facts, extents: tuple[int, ...]) -> tuple[int, ...] | None:
    """Strides in bytes; None where there are none.

    Old and new dimensions are taken in groups of equal products; inside a group, the old dimensions must follow
    each other without gaps.
    """
    if view.size == 0:
        return tuple(_c_strides(extents, view.itemsize))
    old = [(n, s) for n, s in zip(view.shape, view.byte_strides, strict=True) if n != 1]
    new, strides = list(extents), []
    while old:
        group, (product, step) = [new.pop(0)], old.pop(0)
        wanted = group[0]
        while wanted != product:
            if wanted < product:
                group.append(new.pop(0))
                wanted *= group[-1]
            else:
                extent, inner = old.pop(0)
                if step != extent * inner:
                    return None
                product, step = product * extent, inner
        strides += _c_strides(group, step)
    return (*strides, *[view.itemsize] * len(new))


def _target(hint: Any, function: str) -> tuple[Type | None, str, int, Any]:
    """Type, words, itemsize and NumPy dtype of what a user names."""
    if isinstance(hint, str) or (isinstance(hint, np.dtype) and (hint.fields or not hint.isnative)):
        dtype = np.dtype(hint)
        if dtype.hasobject or dtype.itemsize == 0:
            raise ArrayError(f"{function}(): {dtype} elements are not bytes that can be viewed")
        return numpy_type(dtype), numpy_words(dtype), dtype.itemsize, dtype
    try:
        found = as_type(hint)
        size = compute(found, find_dialect("cxx")).size
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ArrayError(f"{function}(): {error}") from error
    return found, str(found), size, dtype_of(found)


def reinterpret(view: Shown, hint: Any) -> Shown:
    """The same bytes as elements of another type."""
    type_, words, size, dtype = _target(hint, "view")
    if view.dtype is not None and view.dtype.hasobject:
        raise ArrayError(f"view(): Python objects are not bytes that can be viewed as {words}")
    if isinstance(type_, Struct) and view.dtype is not None and view.dtype.names and size == view.itemsize:
        if not dtype_fits(type_, view.dtype):
            raise ArrayError(
                f"view(): expected fields with the names, types and offsets of {type_}, got {view.dtype_name}"
            )
        dtype = view.dtype
    shape, strides = view.shape, view.byte_strides
    if size != view.itemsize:
        shape, strides = _resized(view, size)
    return view.derive(
        type=type_, dtype_name=words, itemsize=size, dtype=dtype, shape=shape, byte_strides=strides,
        element=(*type_.element.dlpack[:2], type_.size) if isinstance(type_, Vector) else None,
    )  # fmt: skip


def _resized(view: Facts, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not view.shape:
        raise ArrayError(
            f"view(): without dimensions elements keep their {view.itemsize} bytes, got a type of {size}; "
            "reshape(1) gives the view a dimension"
        )
    *outer, last = view.shape
    if last != 1 and view.byte_strides[-1] != view.itemsize and view.size:
        raise ArrayError(
            f"view(): elements of {view.itemsize} bytes become elements of {size} only where the last dimension has "
            f"no gaps, got a stride of {view.byte_strides[-1]} bytes; {_COPY} has none"
        )
    count, rest = divmod(last * view.itemsize, size or 1)
    if rest or not size:
        raise ArrayError(
            f"view(): {last * view.itemsize} bytes in the last dimension are no whole number of {size}-byte elements"
        )
    return (*outer, count), (*view.byte_strides[:-1], size)


def astype(view: Shown, hint: Any, copy: bool) -> Shown:
    """The view itself, if nothing must be allocated."""
    type_, words, _, dtype = _target(hint, "astype")
    same = type_ == view.type if view.type is not None else dtype is not None and dtype == view.dtype
    if same and not copy:
        return view
    why = "copied" if same else f"converted to {words}"
    raise ArrayError(
        f"astype(): {view.dtype_name} elements would have to be {why}, and a view allocates nothing; "
        f"{_COPY}.astype(...) makes a copy"
    )
