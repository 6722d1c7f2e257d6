"""``__array_interface__``: host memory described by a dict (NumPy, "The array interface protocol", version 3)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from operator import index
from typing import Any

import numpy as np

from ... import _native
from ...errors import OVERWHELMED, ProtocolError
from ..view import HOST, ArrayView, c_strides
from .base import HOSTS, Protocol, attribute, described, entries, from_ndarray, interface_route, view_of_facts

_NAME = "__array_interface__"


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view that ``obj.__array_interface__`` describes, without a copy.

    ``data`` is a pointer, or a buffer with an ``offset`` in bytes; without it, the object's own buffer.
    """
    if isinstance(obj, np.generic):  # its dict points at a copy that is gone already
        return from_ndarray(np.asarray(obj), _NAME, readonly=True)
    facts = entries(obj, _NAME, attribute(obj, _NAME))
    data = facts.get("data")
    in_buffer = not isinstance(data, tuple | list)
    found = described(obj, _NAME, {**facts, "data": None} if in_buffer else facts)
    strides = c_strides(found.shape, found.dtype.itemsize) if found.strides is None else found.strides
    pointer, readonly, owner = found.pointer, found.readonly, obj
    if in_buffer:
        pointer, readonly, owner = _inside(obj, data, facts, found.shape, strides, found.dtype.itemsize)
    return view_of_facts(
        obj, _NAME, type=found.type, dtype_name=found.words, ptr=pointer, shape=found.shape, byte_strides=strides,
        itemsize=found.dtype.itemsize, device=HOST, readonly=readonly, owner=owner, dtype=found.dtype,
    )  # fmt: skip


def _inside(
    obj: Any,
    data: Any,
    facts: Mapping[str, Any],
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    itemsize: int,
) -> tuple[int, bool, Any]:
    """Pointer, read-only flag and owner of elements that must lie inside a buffer."""
    try:
        start, extents, _, _, size, _, _, readonly, lock = _native.describe_buffer(
            obj if data is None else data
        )
        offset = index(facts.get("offset", 0) or 0)
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ProtocolError(
            f"{type(obj).__qualname__}.{_NAME} has no usable buffer as data: {error}"
        ) from error
    reach = [(n - 1) * s for n, s in zip(shape, strides, strict=True)] if 0 not in shape else []
    low = offset + sum(r for r in reach if r < 0)
    high = offset + sum(r for r in reach if r > 0) + (itemsize if 0 not in shape else 0)
    if low < 0 or high > prod(extents) * size:
        raise ProtocolError(f"{type(obj).__qualname__}.{_NAME} shows elements outside its buffer")
    return start + offset, readonly, (lock, obj)


# Each object is asked: unlike a method, the dict is often an attribute of the instance alone.
PROTOCOL = Protocol(_NAME, 40, lambda cls: True, describe, interface_route, HOSTS)
