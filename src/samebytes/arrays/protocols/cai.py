"""The CUDA Array Interface, version 3 (version 2 is tolerated): device memory described by a dict."""

from __future__ import annotations

from typing import Any

from ... import _native
from ...errors import ProtocolError
from ..view import ArrayView, Device, c_strides
from ..view.device import CUDA, ROCM
from ..view.streams import order
from .base import (
    Protocol,
    attribute,
    described,
    entries,
    interface_route,
    library,
    refuse_unready,
    view_of_facts,
)

_NAME = "__cuda_array_interface__"


def _device(obj: Any) -> Device:
    """The dict does not say which device it is: the object may."""
    own = getattr(obj, "device", None)
    if isinstance(own, Device) and own.type in CUDA | ROCM:
        return own
    numbers = [_number(n) for n in (own, getattr(own, "id", None), getattr(own, "index", None))]
    return Device(
        _native.DEVICE_ROCM if _on_rocm(obj) else _native.DEVICE_CUDA, next(filter(None, numbers), 0)
    )


def _number(value: Any) -> int:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
    return int(value) if known else 0


def _on_rocm(obj: Any) -> bool:
    """HIP Python's arrays, and those of torch where it was built for ROCm."""
    package = library(type(obj))
    if package == "torch":
        import torch

        return getattr(torch.version, "hip", None) is not None
    return package == "hip"


def _stream(obj: Any, value: Any, device: Device) -> int | None:
    if value is None:
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    forbidden = (1, 2) if device.type in ROCM else ()
    if number <= 0 or number in forbidden or number >= 1 << 64 or isinstance(value, bool):
        raise ProtocolError(f"{type(obj).__qualname__}.{_NAME} has a stream that means nothing: {value!r}")
    return number


def _checked_version(obj: Any, version: Any) -> None:
    if not isinstance(version, int) or version < 2:
        raise ProtocolError(
            f"{type(obj).__qualname__}.{_NAME} has version {version!r}; 2 and newer can be read"
        )


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view that ``obj.__cuda_array_interface__`` describes; it holds the object.

    Where the dict names a stream, ``stream`` is ordered after it, or the view's consumers are.
    """
    refuse_unready(obj)
    facts = entries(obj, _NAME, attribute(obj, _NAME))
    found = described(obj, _NAME, facts)
    device = _device(obj)
    _checked_version(obj, facts.get("version"))
    ready = _stream(obj, facts.get("stream"), device)
    if facts.get("data") is None:
        raise ProtocolError(f"{type(obj).__qualname__}.{_NAME} has no data")
    itemsize = found.dtype.itemsize
    view = view_of_facts(
        obj, _NAME, type=found.type, dtype_name=found.words, ptr=found.pointer, shape=found.shape,
        byte_strides=c_strides(found.shape, itemsize) if found.strides is None else found.strides,
        itemsize=itemsize, device=device, readonly=found.readonly, owner=obj, stream=ready, dtype=found.dtype,
    )  # fmt: skip
    if stream is None or ready is None:
        return view
    order(stream, ready, device)
    return view.derive(stream=None if stream == -1 else stream)


PROTOCOL = Protocol(_NAME, 20, lambda cls: True, describe, interface_route)
