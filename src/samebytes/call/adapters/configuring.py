"""``DeviceArray.configure``: a new description of the same address, checked before anything changes."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ... import _native
from ...arrays.memory import bytes_of
from ...arrays.view import ArrayView, Device, c_strides, numpy_type, numpy_words
from ...arrays.view.interfaces import dtype_here
from ...arrays.view.streams import checked
from ...errors import ArrayError, ProtocolError, value_words
from ...frozen import frozen
from ...options import check_options
from .allocation import extents, integers


class _Unchanged:
    def __repr__(self) -> str:
        return "unchanged"


UNCHANGED = _Unchanged()


@frozen
class Redescription:
    """What ``configure`` was told; None (and ``UNCHANGED``) is nothing."""

    shape: Any
    typestr: Any
    strides: Any
    itemsize: Any
    stream: Any
    read_only: Any


def configured(pointer: _native.Shown, device: Device, said: Redescription, *, force: bool) -> ArrayView:
    """The new view.

    Raises
    ------
    ArrayError
        If what is said contradicts itself or the bytes that are there.
    """
    check_options("configure", ArrayError, _force=force)
    before: ArrayView | None = pointer._array
    if before is None and not force:
        raise ArrayError(
            f"nothing says how many bytes are at {pointer!r}; _force=True takes your word for it"
        )
    facts = _elements(said, before)
    shape = extents(said.shape) if said.shape is not None else _known_shape(before)
    owner = pointer.owner if before is None else before
    if before is not None:
        device = before.device
    steps = _steps(said, before, shape, facts["itemsize"])
    readonly, stream = _readonly(said, before, pointer), _stream(said, before, device)
    try:
        after = ArrayView(
            **facts, ptr=int(pointer), shape=shape, byte_strides=steps, device=device, readonly=readonly,
            protocol="configure", owner=owner, stream=stream,
        )  # fmt: skip
    except (ValueError, OverflowError) as error:
        raise ArrayError(f"{pointer!r} cannot be that: {error}") from None
    if before is not None and not force:
        _check_bytes(before, after, said)
    return after


def _elements(said: Redescription, before: ArrayView | None) -> dict[str, Any]:
    dtype = _said_dtype(said)
    itemsize = None if said.itemsize is None else _counted(said.itemsize)
    if dtype is None and before is not None and itemsize in (None, before.itemsize):
        return {
            "type": before.type, "dtype_name": before.dtype_name, "itemsize": before.itemsize, "dtype": before.dtype,
            "element": before._element,
        }  # fmt: skip
    if dtype is None:
        dtype = np.dtype(np.uint8) if itemsize is None else np.dtype(f"V{itemsize}")
    if said.itemsize is not None and _counted(said.itemsize) != dtype.itemsize:
        raise ArrayError(f"itemsize: {dtype} elements have {dtype.itemsize} bytes, not {said.itemsize}")
    words = numpy_words(dtype)
    return {"type": numpy_type(dtype), "dtype_name": words, "itemsize": dtype.itemsize, "dtype": dtype}


def _said_dtype(said: Redescription) -> np.dtype[Any] | None:
    if said.typestr is None:
        return None
    try:
        dtype: np.dtype[Any] = np.dtype(said.typestr)
    except Exception as error:
        raise ArrayError(
            f"typestr: expected a type as NumPy writes it, got {value_words(said.typestr)}"
        ) from error
    if dtype.hasobject or not dtype.itemsize:
        raise ArrayError(f"typestr: {dtype} elements are not bytes on a device")
    return dtype


def _counted(number: Any) -> int:
    try:
        found = index(number)
    except TypeError:
        found = 0
    if not 0 < found < 1 << 31 or isinstance(number, bool):  # NumPy's limit
        raise ArrayError(f"itemsize: expected a number of bytes, got {value_words(number)}")
    return found


def _known_shape(before: ArrayView | None) -> tuple[int, ...]:
    if before is None:
        raise ArrayError("shape: it must be said, as nothing is known of the array")
    return before.shape


def _steps(
    said: Redescription, before: ArrayView | None, shape: tuple[int, ...], itemsize: int
) -> tuple[int, ...]:
    if said.strides is not None:
        steps = integers("strides", said.strides)
        if len(steps) != len(shape):
            raise ArrayError(f"strides: {len(steps)} for {len(shape)} dimensions")
        return steps
    if before is not None and before.shape == shape and before.itemsize == itemsize:
        return before.byte_strides
    if before is not None and not before.contiguous:
        raise ArrayError("strides: they must be said, as the elements have gaps between them")
    return c_strides(shape, itemsize)


def _readonly(said: Redescription, before: ArrayView | None, pointer: _native.Pointer) -> bool:
    if said.read_only is None:
        return pointer.is_const if before is None else before.readonly
    if not isinstance(said.read_only, bool):
        raise ArrayError(f"read_only: expected True or False, got {value_words(said.read_only)}")
    return said.read_only


def _stream(said: Redescription, before: ArrayView | None, device: Device) -> int | None:
    if said.stream is UNCHANGED:
        return None if before is None else before.stream
    if said.stream is None:
        return None
    try:
        if isinstance(said.stream, bool) or index(said.stream) < 0:
            raise TypeError
        return checked(index(said.stream), device)
    except (TypeError, ProtocolError):
        raise ArrayError(f"stream: {value_words(said.stream)} is no stream of {device}") from None


def _check_bytes(before: ArrayView, after: ArrayView, said: Redescription) -> None:
    low, nbytes = bytes_of(before)
    start, length = bytes_of(after)
    if length and not low <= start <= start + length <= low + nbytes:
        raise ArrayError(
            f"{list(after.shape)} elements of {after.itemsize} bytes lie outside the {nbytes} bytes that are there; "
            "_force=True takes your word for it"
        )
    if after.nbytes != before.nbytes and said.strides is None:
        raise ArrayError(
            f"{list(after.shape)} elements of {after.itemsize} bytes are {after.nbytes} bytes, and {before.nbytes} are "
            "there; _force=True takes your word for it"
        )


def typestr_of(seen: ArrayView) -> str:
    """The element type as the CUDA Array Interface writes it."""
    dtype = dtype_here(seen)
    return dtype.str if dtype is not None else f"|V{seen.itemsize}"
