"""DLPack: the protocol that most array libraries share (versioned and legacy capsules)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _native
from ...errors import OVERWHELMED, ProtocolError
from ..view import ArrayView, Device, Usm, c_strides
from ..view.device import CUDA, ONEAPI, ROCM
from ..view.streams import order
from .base import (
    Protocol,
    Refused,
    dlpack_type,
    library,
    refuse_unready,
    usm_kind,
    view_of_facts,
)

_NAME = "DLPack"

# Immutable arrays whose producer never gives a versioned capsule, so that no read-only flag travels.
_IMMUTABLE = frozenset({"jax", "jaxlib"})
_TORCH = frozenset({"torch"})

# The stream on which memory is ready where none was asked for: the producer orders its default stream.
_DEFAULT = {**dict.fromkeys(CUDA, 1), **dict.fromkeys(ROCM, 0)}


def is_immutable(cls: type) -> bool:
    """Whether objects of this class are read-only although their capsule cannot say so."""
    return _descends(cls, _IMMUTABLE)


def _descends(cls: type, libraries: frozenset[str]) -> bool:
    """Whether a class, or one that it is derived from, is of one of the libraries."""
    return any(library(base) in libraries for base in cls.__mro__)


def _capsule(obj: Any, **how: Any) -> tuple[Any, bool]:
    """A capsule, and whether the producer took the words of ``how``."""
    try:
        return obj.__dlpack__(max_version=_native.DLPACK_VERSION, **how), True
    except TypeError:
        pass
    try:
        return obj.__dlpack__(**how), True  # a producer from before DLPack 1.0
    except TypeError:
        if not how:
            raise
    return obj.__dlpack__(), False  # one that takes no keyword at all


def _question(obj: Any, stream: int | None) -> dict[str, Any]:
    """The stream is named only where a device has streams: others refuse the word."""
    if stream is None:
        return {}
    kind = int(obj.__dlpack_device__()[0])
    return {"stream": stream} if kind in CUDA | ROCM else {}


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view of a DLPack producer; its deleter runs when the view dies."""
    refuse_unready(obj)
    try:
        how = _question(obj, stream)
        capsule, heard = _capsule(obj, **how)
    except (BufferError, NotImplementedError) as error:
        raise Refused(str(error)) from error
    except OVERWHELMED:
        raise
    except Exception as error:
        other = (
            "; x.numpy() may show it" if callable(getattr(obj, "numpy", None)) else ""
        )  # structs of Warp's
        raise ProtocolError(f"{type(obj).__qualname__}.__dlpack__() failed: {error}{other}") from error
    if heard or stream is None:
        return adopt(capsule, obj, how.get("stream"))
    seen = adopt(capsule, obj)  # left ready on the device's default stream
    order(stream, seen.stream, seen.device)
    return seen.derive(stream=None if stream == -1 else stream)


def adopt(capsule: Any, producer: Any = None, stream: int | None = None) -> ArrayView:
    """The view of a capsule, which is consumed.

    Raises
    ------
    ProtocolError
        If it is no DLPack capsule of a version that is known, was consumed before, or describes no possible array.
    """
    maker = type(capsule if producer is None else producer)
    try:
        address, shape, strides, dtype, itemsize, kind, number, readonly, owner = _native.describe_dlpack(
            capsule
        )
    except (BufferError, ValueError) as error:
        raise ProtocolError(f"{maker.__qualname__} gave an unusable DLPack capsule: {error}") from None
    type_, words = dlpack_type(*dtype)
    if not itemsize:
        raise ProtocolError(
            f"{maker.__qualname__} shows {words} elements by DLPack that are packed into less than whole bytes, "
            "or have no bits at all: a view needs elements that can be addressed"
        )
    device = Device(kind, number, usm_kind(producer) if kind == ONEAPI else "")
    ready = _DEFAULT.get(kind) if stream is None else None if stream == -1 else stream
    return view_of_facts(
        producer, _NAME, type=type_, dtype_name=words, ptr=address, shape=shape,
        byte_strides=c_strides(shape, itemsize) if strides is None else strides, itemsize=itemsize, device=device,
        readonly=readonly or is_immutable(maker), owner=(owner, _held(producer, kind)), stream=ready, element=dtype,
    )  # fmt: skip


def _held(producer: Any, device: int) -> Any:
    """The producer; of USM memory with its context, which DLPack does not carry."""
    if device == ONEAPI and producer is not None:
        interface = getattr(producer, "__sycl_usm_array_interface__", None)
        if interface and "syclobj" in interface:
            return Usm(producer, interface["syclobj"])
    return producer


# Exact classes whose objects the native core may read by a shorter way that is known to say the same.
_ROUTES: dict[tuple[str, str], tuple[str, bool]] = {
    ("torch", "Tensor"): ("torch", False),
    ("torch", "Parameter"): ("torch", False),
    ("jaxlib", "ArrayImpl"): ("buffer", True),
}


# Their capsules leave out what must be known first: a pending negation, immutability.
_ASKED = _IMMUTABLE | _TORCH


def _route(cls: type) -> tuple[str, bool] | None:
    own = _ROUTES.get((library(cls), cls.__qualname__))
    if own or issubclass(cls, np.ndarray) or _descends(cls, _ASKED):
        return own
    return "dlpack", False


_native.set_adopt(adopt)

PROTOCOL = Protocol(_NAME, 10, lambda cls: hasattr(cls, "__dlpack__"), describe, _route)
