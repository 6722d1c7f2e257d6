"""HIP's memory, allocated by HIP Python: of the device, managed (shared) and pinned (host)."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ... import _native
from ...errors import AllocationError
from ..view import ArrayView, Device
from .base import Block, Bytes, Memory, aligned

_GRANTED = 256  # bytes: hipMalloc's alignment
_ATTACH_GLOBAL = 1  # hip_runtime_api.h, hipMemAttachGlobal
_HOST_DEFAULT = 0  # hipHostMallocDefault

# kind -> function that allocates, its arguments after the size, function that frees
_FUNCTIONS: dict[str, tuple[str, tuple[int, ...], str]] = {
    "device": ("hipMalloc", (), "hipFree"),
    "shared": ("hipMallocManaged", (_ATTACH_GLOBAL,), "hipFree"),
    "host": ("hipHostMalloc", (_HOST_DEFAULT,), "hipHostFree"),
}


class _Allocation:
    """Frees its memory when it dies, or when the interpreter ends."""

    def __init__(self, free: Any, address: int) -> None:
        self.address = address
        weakref.finalize(self, free, address)


class _Hip(Memory):
    name = "hip"
    # DLPack has no managed memory of ROCm: that is device memory which the host may read.
    kinds = {  # noqa: RUF012
        "device": _native.DEVICE_ROCM, "shared": _native.DEVICE_ROCM, "host": _native.DEVICE_ROCM_HOST,
    }  # fmt: skip
    package, install = "hip", "hip-python"

    def _call(self, name: str, *args: Any) -> Any:
        """What a function of HIP returns beside its status."""
        hip = self.library().hip
        with self.translating_errors(f"call {name}()"):
            status, *rest = getattr(hip, name)(*args)
        if status != hip.hipError_t.hipSuccess:
            raise AllocationError(f"{name}() failed: {getattr(status, 'name', status)} ({int(status)})")
        return rest[0] if rest else None

    @contextmanager
    def _on(self, number: int) -> Iterator[None]:
        """Make a device current, and afterwards the one that was."""
        before = int(self._call("hipGetDevice"))
        self._call("hipSetDevice", number)
        try:
            yield
        finally:
            self._call("hipSetDevice", before)

    def allocate(self, where: Any, kind: str, nbytes: int, align: int) -> Block:
        number = self.number(where)
        allocate, more, free = _FUNCTIONS[kind]
        spare = align if align > _GRANTED else 0
        with self._on(number):
            pointer = self._call(allocate, nbytes + spare, *more)
        allocation = _Allocation(getattr(self.library().hip, free), int(pointer))
        return Block(aligned(allocation.address, align), self.device(kind, number), allocation)

    def device(self, kind: str, number: int) -> Device:
        return Device(self.kinds[kind], number, kind if kind == "shared" else "")

    def _copy(self, number: int, target: int, source: int, nbytes: int, kind: str) -> None:
        hip = self.library().hip
        with self._on(number):
            self._call("hipMemcpy", target, source, nbytes, getattr(hip.hipMemcpyKind, kind))
            self._call("hipDeviceSynchronize")

    def read(self, span: ArrayView, room: Bytes) -> None:
        self._copy(span.device.id, room.ctypes.data, span.ptr, span.size, "hipMemcpyDeviceToHost")

    def write(self, span: ArrayView, data: Bytes) -> None:
        self._copy(span.device.id, span.ptr, data.ctypes.data, span.size, "hipMemcpyHostToDevice")

    def move(self, target: ArrayView, source: ArrayView) -> None:
        self._copy(target.device.id, target.ptr, source.ptr, target.size, "hipMemcpyDeviceToDevice")


MEMORY = _Hip()
