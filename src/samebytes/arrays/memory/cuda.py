"""CUDA's memory, allocated by cuda.core: of the device, managed (shared) and pinned (host)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ... import _native
from ..view import ArrayView
from .base import Block, Bytes, Memory, aligned

_GRANTED = 256  # bytes: CUDA's own alignment (CUDA C++ Programming Guide, "Size and Alignment Requirement")


class _Cuda(Memory):
    name = "cuda"
    kinds = {  # noqa: RUF012
        "device": _native.DEVICE_CUDA, "shared": _native.DEVICE_CUDA_MANAGED, "host": _native.DEVICE_CUDA_HOST,
    }  # fmt: skip
    package, install = "cuda.core", "'cuda-core>=1.2' 'cuda-bindings>=13'"

    @contextmanager
    def _on(self, number: int) -> Iterator[tuple[Any, Any, Any]]:
        """The library, a device that is current meanwhile, and its stream."""
        core = self.library()
        with self.translating_errors(f"use device {number}"):
            device, before = core.Device(number), core.Device()
            device.set_current()
            stream = device.default_stream
        try:
            yield core, device, stream
        finally:
            if before.device_id != number:
                before.set_current()

    def allocate(self, where: Any, kind: str, nbytes: int, align: int) -> Block:
        number = self.number(where)
        more = align if align > _GRANTED else 0
        asked = f"allocate {nbytes} bytes of kind {kind!r} on device {number}"
        with self._on(number) as (core, device, stream), self.translating_errors(asked):
            buffer = _ALLOCATE[kind](core, device, nbytes + more, stream)
            stream.sync()  # stream-ordered: only from here on may every stream use it
            address = aligned(int(buffer.handle), align)
        return Block(address, self.device(kind, number), buffer)

    def _copy(self, number: int, target: tuple[int, Any], source: tuple[int, Any], nbytes: int) -> None:
        with self._on(number) as (core, _, stream), self.translating_errors(f"copy {nbytes} bytes"):
            ends = [core.Buffer.from_handle(at, nbytes, owner=owner) for at, owner in (target, source)]
            ends[0].copy_from(ends[1], stream=stream)
            stream.sync()

    def read(self, span: ArrayView, room: Bytes) -> None:
        self._copy(span.device.id, (room.ctypes.data, room), (span.ptr, span), span.size)

    def write(self, span: ArrayView, data: Bytes) -> None:
        self._copy(span.device.id, (span.ptr, span), (data.ctypes.data, data), span.size)

    def move(self, target: ArrayView, source: ArrayView) -> None:
        self._copy(target.device.id, (target.ptr, target), (source.ptr, source), target.size)


_ALLOCATE = {
    "device": lambda core, device, nbytes, stream: device.allocate(nbytes, stream=stream),
    "shared": lambda core, device, nbytes, stream: core.ManagedMemoryResource().allocate(
        nbytes, stream=stream
    ),
    "host": lambda core, device, nbytes, stream: core.LegacyPinnedMemoryResource().allocate(
        nbytes, stream=stream
    ),
}

MEMORY = _Cuda()
