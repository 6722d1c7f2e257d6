"""The host's memory, allocated by NumPy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ...errors import AllocationError
from ..view import HOST, ArrayView
from .base import Block, Bytes, Memory, aligned


class _Cpu(Memory):
    name = "cpu"
    kinds = {"host": 1}  # noqa: RUF012
    package, install = "numpy", "numpy"

    def allocate(self, where: Any, kind: str, nbytes: int, align: int) -> Block:
        self.number(where)
        try:
            room = np.empty(nbytes + align - 1, np.uint8)
        except (MemoryError, ValueError) as error:
            raise AllocationError(f"the host has no {nbytes} bytes to give") from error
        return Block(aligned(room.__array_interface__["data"][0], align), HOST, room)

    def read(self, span: ArrayView, room: Bytes) -> None:
        ctypes.memmove(room.ctypes.data, span.ptr, span.size)

    def write(self, span: ArrayView, data: Bytes) -> None:
        ctypes.memmove(span.ptr, data.ctypes.data, span.size)

    def move(self, target: ArrayView, source: ArrayView) -> None:
        ctypes.memmove(target.ptr, source.ptr, target.size)


MEMORY = _Cpu()
