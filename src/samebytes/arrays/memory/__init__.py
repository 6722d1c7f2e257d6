"""Memory of our own: one file for each library that allocates it, found by file name and imported on use."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...errors import ArgumentError, value_words
from ...plugins import Plugins
from ..view import ArrayView, Device
from .base import Block, Memory


@cache
def memories() -> dict[str, Memory]:
    """Every memory of this folder, by the name that starts a device's: ``cpu``, ``cuda``, ``hip``, ``sycl``."""
    found: Plugins[Memory] = Plugins(__name__, "MEMORY")
    return {memory.name: memory for memory in found.all()}


def find_memory(device: Any) -> tuple[Memory, Any]:
    """The memory of a device, and the rest of its name.

    Parameters
    ----------
    device : object
        ``"cpu"``, ``"cuda:1"``, ``"sycl:cpu"`` …, a view's ``device``, or a dpctl queue, context or device.

    Raises
    ------
    ArgumentError
        If there is no such memory.
    """
    if isinstance(device, Device):
        return memory_of(device), str(device.id)
    for memory in memories().values():
        if memory.accepts(device):
            return memory, device
    name, _, where = device.partition(":") if isinstance(device, str) else ("", "", "")
    if name not in memories():
        known = ", ".join(f"'{known}'" for known in sorted(memories()))
        raise ArgumentError(
            f"device: expected a name that starts with one of {known}, got {value_words(device)}"
        )
    return memories()[name], where


def memory_of(device: Device) -> Memory:
    """The library that reads and writes memory of a device.

    Raises
    ------
    ArgumentError
        If it is none of ours.
    """
    for memory in memories().values():
        if device.type in memory.kinds.values():
            return memory
    raise ArgumentError(f"no library that is known here reads or writes {device}")


def bytes_of(view: ArrayView) -> tuple[int, int]:
    """The lowest address of a view's elements, and the number of bytes from there to their end."""
    if not view.size:
        return view.ptr, 0
    reach = [(n - 1) * s for n, s in zip(view.shape, view.byte_strides, strict=True)]
    low = sum(r for r in reach if r < 0)
    return view.ptr + low, sum(r for r in reach if r > 0) - low + view.itemsize


__all__ = ["Block", "Memory", "bytes_of", "find_memory", "memories", "memory_of"]
