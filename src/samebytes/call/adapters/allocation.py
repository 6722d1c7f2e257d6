"""Allocates arrays: from shape, type, order and alignment to a view of new memory."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any

import numpy as np

from ...arrays.memory import Memory, bytes_of, memory_of
from ...arrays.view import ArrayView, Device, c_strides, dtype_of, numpy_type, numpy_words
from ...errors import OVERWHELMED, ArgumentError, ArrayError, value_words
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import Type, as_type

_HOST_ALIGN = 64  # bytes: a cache line, and what JAX shares
_LARGEST_ALIGN = 1 << 30


def element(hint: Any) -> tuple[Type | None, str, int, int, Any]:
    """Type, words, size and alignment in bytes, and NumPy dtype of what a user names.

    Raises
    ------
    ArrayError
        If elements of it are no plain bytes.
    """
    try:
        if isinstance(hint, str | np.dtype):
            return _numpy(np.dtype(hint))
        found = as_type(hint)
        facts = compute(found, find_dialect("cxx"))
    except ArrayError:
        raise
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ArrayError(f"dtype: {error}") from error
    return found, str(found), facts.size, facts.align, dtype_of(found)


def _numpy(dtype: np.dtype[Any]) -> tuple[Type | None, str, int, int, Any]:
    if dtype.hasobject or not dtype.itemsize:
        raise ArrayError(f"dtype: {dtype} elements are not bytes that can be kept")
    return numpy_type(dtype), numpy_words(dtype), dtype.itemsize, dtype.alignment, dtype


def integers(name: str, values: Any) -> tuple[int, ...]:
    """Integers that a parameter asks for.

    Raises
    ------
    ArrayError
        If they are others; ``name`` is the parameter's.
    """
    try:
        return tuple(map(index, values))
    except TypeError:
        raise ArrayError(f"{name}: expected integers, got {value_words(values)}") from None


def extents(shape: Any) -> tuple[int, ...]:
    """A shape as NumPy takes it.

    Raises
    ------
    ArrayError
        If it is none.
    """
    found = integers("shape", shape if isinstance(shape, tuple | list) else (shape,))
    if any(n < 0 for n in found):
        raise ArrayError(f"shape: an extent is negative in {found}")
    return found


def _byte_strides(shape: tuple[int, ...], size: int, order: str, strides: Any) -> tuple[int, ...]:
    if strides is not None:
        steps = integers("strides", strides)
        if len(steps) != len(shape):
            raise ArrayError(f"strides: {len(steps)} for {len(shape)} dimensions")
        return tuple(size * s for s in steps)
    if order not in ("C", "F"):
        raise ArgumentError(f"order: expected 'C' or 'F', got {value_words(order)}")
    return c_strides(shape, size) if order == "C" else c_strides(shape[::-1], size)[::-1]


def _checked_align(align: Any, least: int) -> int:
    if align is None:
        return least
    if not isinstance(align, int) or align & (align - 1) or not 0 < align <= _LARGEST_ALIGN:
        raise ArgumentError(f"align: expected a power of two in bytes, up to 2**30, got {value_words(align)}")
    return max(align, least)


def _span(shape: tuple[int, ...], steps: tuple[int, ...], size: int) -> tuple[int, int]:
    """Bytes before the element with all indices 0, and bytes of all elements together."""
    if 0 in shape:
        return 0, 0
    reach = [(n - 1) * s for n, s in zip(shape, steps, strict=True)]
    before = -sum(r for r in reach if r < 0)
    return before, before + sum(r for r in reach if r > 0) + size


def allocated(
    shape: Any, dtype: Any, memory: Memory, where: Any, kind: str | None, align: int | None, order: str,
    strides: Any,
) -> ArrayView:  # fmt: skip
    """A view of new memory, which it owns."""
    type_, words, size, natural, numpy_dtype = element(dtype)
    found = extents(shape)
    steps = _byte_strides(found, size, order, strides)
    kind = next(iter(memory.kinds)) if kind is None else kind
    if kind not in memory.kinds:
        raise ArgumentError(
            f"kind: expected one of {', '.join(memory.kinds)} on {memory.name!r}, got {value_words(kind)}"
        )
    before, nbytes = _span(found, steps, size)
    if nbytes >= 1 << 62 or prod(found) >= 1 << 62:
        raise ArrayError(f"shape {found} has more bytes than memory can hold")
    block = memory.allocate(where, kind, max(nbytes, 1), _checked_align(align, max(natural, _HOST_ALIGN)))
    return ArrayView(
        type=type_, dtype_name=words, ptr=block.address + before, shape=found, byte_strides=steps, itemsize=size,
        device=block.device, readonly=False, protocol="DeviceArray", owner=block.owner, dtype=numpy_dtype,
    )  # fmt: skip


def bytes_at(address: int, nbytes: int, device: Device, stream: int | None, owner: Any) -> ArrayView:
    """Bytes that somebody else allocated, as one row; ``owner`` lives as long as they are shown."""
    uint8 = np.dtype(np.uint8)
    return ArrayView(
        type=numpy_type(uint8), dtype_name="uint8", ptr=address, shape=(nbytes,), byte_strides=(1,), itemsize=1,
        device=device, readonly=False, protocol="DeviceArray", owner=owner, dtype=uint8, stream=stream,
    )  # fmt: skip


def memory_like(seen: ArrayView) -> ArrayView:
    """New memory of the same kind and device for the same elements, in C order."""
    memory = memory_of(seen.device)
    kind = seen.device.usm or next(k for k, number in memory.kinds.items() if number == seen.device.type)
    block = memory.allocate(memory.place(seen), kind, max(seen.nbytes, 1), _HOST_ALIGN)
    return seen.derive(
        ptr=block.address, byte_strides=c_strides(seen.shape, seen.itemsize), device=block.device, readonly=False,
        owner=block.owner, stream=None, protocol="DeviceArray",
    )  # fmt: skip


def span_of(seen: ArrayView) -> ArrayView:
    """All bytes from the lowest to the highest element, as one row."""
    low, nbytes = bytes_of(seen)
    return seen.derive(
        type=as_type(np.uint8), dtype_name="uint8", dtype=np.dtype(np.uint8), element=(1, 8, 1), itemsize=1, ptr=low,
        shape=(nbytes,), byte_strides=(1,),
    )  # fmt: skip
