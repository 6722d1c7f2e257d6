"""Stand-ins for cuda.core and HIP Python with the same interface, which count what they give and take back.

Memory of the device lies at addresses that nothing is mapped at: whoever reads them without asking the library crashes.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np

_ELSEWHERE = 1 << 62


class Heap:
    """What a library has given and not taken back, by address: the room, and how many bytes were asked for."""

    def __init__(self) -> None:
        self.given: dict[int, np.ndarray[Any, Any]] = {}
        self.taken: list[int] = []
        self.asked: dict[int, int] = {}

    def give(self, nbytes: int, *, elsewhere: bool) -> int:
        room = np.full(nbytes + 256, 0xA5, np.uint8)
        address = -(-room.ctypes.data // 256) * 256 + (_ELSEWHERE if elsewhere else 0)
        self.given[address], self.asked[address] = room, nbytes
        return address

    def take(self, address: int) -> None:
        self.taken.append(address)
        del self.asked[address], self.given[address]  # KeyError: given back twice

    def copy(self, target: int, source: int, nbytes: int) -> None:
        for end in (target, source):
            if end & _ELSEWHERE:
                assert any(a <= end and end + nbytes <= a + len(r) for a, r in self.given.items()), (
                    "not allocated"
                )
        ctypes.memmove(target & ~_ELSEWHERE, source & ~_ELSEWHERE, nbytes)


def cuda(heap: Heap) -> Any:
    """``cuda.core``: Device, Buffer and the two memory resources, stream-ordered."""

    class Stream:
        pending = 0

        def sync(self) -> None:
            Stream.pending = 0

    class Buffer:
        def __init__(self, address: int, size: int, owner: Any = None, *, ours: bool = False) -> None:
            self.handle, self.size, self.owner, self.ours = address, size, owner, ours

        @classmethod
        def from_handle(cls, ptr: int, size: int, mr: Any = None, owner: Any = None) -> Buffer:
            return cls(ptr, size, owner)

        def copy_from(self, src: Buffer, *, stream: Stream) -> None:
            assert src.size == self.size
            Stream.pending += 1
            heap.copy(self.handle, src.handle, self.size)

        def __del__(self) -> None:
            if self.ours:
                heap.take(self.handle)

    def resource(*, elsewhere: bool) -> Any:
        def allocate(size: int, *, stream: Stream) -> Buffer:
            assert isinstance(stream, Stream)
            Stream.pending += 1
            return Buffer(heap.give(size, elsewhere=elsewhere), size, ours=True)

        return SimpleNamespace(allocate=allocate)

    class Device:
        current = 0

        def __init__(self, device_id: int | None = None) -> None:
            self.device_id = Device.current if device_id is None else device_id
            if self.device_id > 1:
                raise ValueError(f"device_id must be 0 or 1, got {device_id}")
            self.default_stream = Stream()

        def set_current(self) -> None:
            Device.current = self.device_id

        def allocate(self, size: int, *, stream: Stream) -> Buffer:
            assert Device.current == self.device_id
            found: Buffer = resource(elsewhere=True).allocate(size, stream=stream)
            return found

    return SimpleNamespace(
        Device=Device, Buffer=Buffer, Stream=Stream, ManagedMemoryResource=lambda: resource(elsewhere=False),
        LegacyPinnedMemoryResource=lambda: resource(elsewhere=False),
    )  # fmt: skip


def hip(heap: Heap) -> Any:
    """``hip``: the functions that HIP Python has, each giving its status first."""
    status = IntEnum("hipError_t", {"hipSuccess": 0, "hipErrorInvalidDevice": 101})
    kinds = IntEnum("hipMemcpyKind", "hipMemcpyHostToDevice hipMemcpyDeviceToHost hipMemcpyDeviceToDevice")
    good = status["hipSuccess"]

    current = [0]

    def set_device(number: int) -> tuple[Any]:
        if number > 1:
            return (status["hipErrorInvalidDevice"],)
        current[0] = number
        return (good,)

    def memory_copy(target: int, source: int, nbytes: int, kind: Any) -> tuple[Any]:
        ends = {1: (True, False), 2: (False, True), 3: (True, True)}[kind]
        for end, device in zip((target, source), ends, strict=True):
            assert device or not end & _ELSEWHERE, "not the direction that was said"
        heap.copy(target, source, nbytes)
        return (good,)

    def free(address: int) -> tuple[Any]:
        heap.take(address)
        return (good,)

    functions = SimpleNamespace(
        hipError_t=status, hipMemcpyKind=kinds, hipMemcpy=memory_copy, hipFree=free, hipHostFree=free,
        hipSetDevice=set_device, hipGetDevice=lambda: (good, current[0]),
        hipDeviceSynchronize=lambda: (good,),
        hipMalloc=lambda n: (good, heap.give(n, elsewhere=True)),
        hipMallocManaged=lambda n, flags: (good, heap.give(n, elsewhere=False)),
        hipHostMalloc=lambda n, flags: (good, heap.give(n, elsewhere=False)),
    )  # fmt: skip
    return SimpleNamespace(hip=functions)
