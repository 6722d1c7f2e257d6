"""Order between streams: work put into one begins after what another has been given so far."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

from ...errors import MissingDependency, ProtocolError
from ...frozen import frozen
from ...toolchain.cuda import cuda_driver
from .device import CUDA, ROCM, Device

_WITHOUT_TIMING = 2  # CU_EVENT_DISABLE_TIMING, hipEventDisableTiming


class Driver(Protocol):
    """What a device's runtime must offer."""

    def wait(self, consumer: int, producer: int, device: int) -> None:
        """Let later work of ``consumer`` begin after the present work of ``producer``."""

    def finish(self, stream: int, device: int) -> None:
        """Return once the present work of a stream is done."""


@frozen(slots=False)
class _Runtime:
    """A C library whose functions give 0 on success: CUDA's driver, or HIP's runtime."""

    library: Any
    event: tuple[str, str, str, str]  # create, record, let a stream wait, destroy
    synchronize: str
    on: Callable[[Any, int], Any]  # a context manager that makes a device current

    def _call(self, name: str, *args: Any) -> None:
        if code := getattr(self.library, name)(*args):
            raise ProtocolError(f"{name}() failed with code {code}")

    def wait(self, consumer: int, producer: int, device: int) -> None:
        create, record, wait, destroy = self.event
        event = ctypes.c_void_p()
        with self.on(self, device):
            self._call(create, ctypes.byref(event), _WITHOUT_TIMING)
            try:
                self._call(record, event, ctypes.c_void_p(producer))
                self._call(wait, ctypes.c_void_p(consumer), event, 0)
            finally:
                # At once: the runtime frees it when nothing waits for it any more.
                self._call(destroy, event)

    def finish(self, stream: int, device: int) -> None:
        with self.on(self, device):
            self._call(self.synchronize, ctypes.c_void_p(stream))


@contextmanager
def _cuda_device(runtime: _Runtime, number: int) -> Iterator[None]:
    device, context = ctypes.c_int(), ctypes.c_void_p()
    runtime._call("cuInit", 0)
    runtime._call("cuDeviceGet", ctypes.byref(device), number)
    runtime._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    try:
        runtime._call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            runtime._call("cuCtxPopCurrent_v2", ctypes.byref(context))
    finally:
        runtime._call("cuDevicePrimaryCtxRelease_v2", device)


@contextmanager
def _hip_device(runtime: _Runtime, number: int) -> Iterator[None]:
    before = ctypes.c_int()
    runtime._call("hipGetDevice", ctypes.byref(before))
    runtime._call("hipSetDevice", number)
    try:
        yield
    finally:
        runtime._call("hipSetDevice", before)


def _load(names: tuple[str, ...], what: str) -> Any:
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise MissingDependency(f"{what} is needed to order streams, and {names[0]} is not installed")


@cache
def driver(device_type: int) -> Driver:
    """The runtime of a kind of device, loaded when it is first needed."""
    if device_type in ROCM:
        library = _load(("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"), "ROCm's runtime")
        names = ("hipEventCreateWithFlags", "hipEventRecord", "hipStreamWaitEvent", "hipEventDestroy")
        return _Runtime(library, names, "hipStreamSynchronize", _hip_device)
    library = _load((cuda_driver(),), "NVIDIA's driver")
    names = ("cuEventCreate", "cuEventRecord", "cuStreamWaitEvent", "cuEventDestroy_v2")
    return _Runtime(library, names, "cuStreamSynchronize", _cuda_device)


def order(consumer: int, producer: int | None, device: Device) -> None:
    """Let a consumer's stream begin after a producer's, where there is anything to wait for."""
    # -1 is a consumer that asks for no order (DLPack, "stream").
    if producer is not None and consumer not in (producer, -1) and device.type in CUDA | ROCM:
        driver(device.type).wait(consumer, producer, device.id)


def finish(stream: int | None, device: Device) -> None:
    """Wait on the host until a producer's stream is done."""
    if stream is not None and device.type in CUDA | ROCM:
        driver(device.type).finish(stream, device.id)


_FORBIDDEN: dict[int, tuple[int, ...]] = {**dict.fromkeys(CUDA, (0,)), **dict.fromkeys(ROCM, (1, 2))}


def checked(stream: Any, device: Device) -> int | None:
    """A consumer's stream, if DLPack allows it for a device.

    Raises
    ------
    BufferError
        For a number that the standard forbids: 0 on CUDA, 1 and 2 on ROCm, anything but None and -1 on the host.
    """
    if stream is None:
        return None
    number = int(stream)
    known = device.type in CUDA | ROCM
    if number < -1 or number in _FORBIDDEN.get(device.type, ()) or (not known and number != -1):
        raise ProtocolError(f"stream {number} means nothing for {device}")
    return number
