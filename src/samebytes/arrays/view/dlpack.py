"""Views as DLPack capsules: versions, devices, streams and copies as the Array API standard wants them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _native
from ...errors import ProtocolError
from .device import CUDA, PINNED, ROCM, Device
from .facts import Facts
from .interfaces import as_numpy
from .streams import checked, finish, order

_DEFAULT_STREAM = {**dict.fromkeys(CUDA, 1), **dict.fromkeys(ROCM, 0)}  # what None means


def capsule(
    view: Facts, stream: Any, max_version: tuple[int, int] | None, dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:  # fmt: skip
    """A capsule that holds the view.

    ``max_version`` of 1.0 or newer gives a versioned one. The consumer's stream is ordered after the view's; -1 asks
    for no order. Memory moves to no other device: pinned host memory may be asked for as the host's.

    Raises
    ------
    ProtocolError
        A BufferError, as the standard wants it.
    """
    if max_version is not None and not all(isinstance(part, int) for part in max_version):
        raise TypeError(f"__dlpack__() max_version is None or (major, minor), got {max_version!r}")
    versioned = max_version is not None and max_version[0] >= 1
    target = _target(view, dl_device)
    number = checked(stream, view.device if target == view.device.type else Device(target))
    if copy:
        return _copied(view, target, versioned)
    _hand_over(view, number, target)
    try:
        return view._capsule(versioned, target)
    except BufferError as error:
        raise ProtocolError(f"{view.dtype_name}{list(view.shape)} cannot travel by DLPack: {error}") from None


def _target(view: Facts, dl_device: tuple[int, int] | None) -> int:
    own = view.device
    if dl_device is None or tuple(dl_device) == (own.type, own.id):
        return own.type
    if int(dl_device[0]) == _native.DEVICE_CPU and own.type in PINNED:
        return _native.DEVICE_CPU
    raise ProtocolError(f"{own} cannot be shown as DLPack device {tuple(dl_device)} without a copy to there")


def _hand_over(view: Facts, consumer: int | None, target: int) -> None:
    if view.stream is None or consumer == -1:
        return
    if target in _DEFAULT_STREAM:
        order(_DEFAULT_STREAM[target] if consumer is None else consumer, view.stream, view.device)
    else:
        finish(view.stream, view.device)


def _copied(view: Facts, target: int, versioned: bool) -> Any:
    if target != _native.DEVICE_CPU or not view.device.is_host:
        raise ProtocolError(f"copy=True is served for host memory only, and this is in {view.device}")
    finish(view.stream, view.device)
    array = np.array(as_numpy(view), order="C")
    fresh = view.derive(
        ptr=array.ctypes.data, shape=array.shape, byte_strides=array.strides, readonly=False, owner=array,
        device=Device(), stream=None,
    )  # fmt: skip
    return fresh._capsule(versioned, _native.DEVICE_CPU, True)
