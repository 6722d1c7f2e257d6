"""ArrayView: one description of any array, whoever owns it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from .errors import ArrayError
from .types import Type

# DLPack device types (dlpack.h, DLDeviceType)
DEVICES = {
    1: "host", 2: "CUDA", 3: "CUDA pinned host", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm",
    11: "ROCm pinned host", 13: "CUDA managed", 14: "oneAPI", 15: "WebGPU",
}  # fmt: skip
HOST_READABLE = frozenset({1, 3, 11, 13})


@dataclass(frozen=True, slots=True)
class Device:
    """Where memory lies.

    Attributes
    ----------
    type : int
        DLPack's device type; 1 is the host.
    id : int
    """

    type: int = 1
    id: int = 0

    @property
    def is_host(self) -> bool:
        """Whether host code may read the memory."""
        return self.type in HOST_READABLE

    def __str__(self) -> str:
        name = DEVICES.get(self.type, f"DLPack device {self.type}")
        return f"{name} memory" if self.type == 1 else f"{name} device memory (device {self.id})"


HOST = Device()


@dataclass(frozen=True, slots=True, eq=False)
class ArrayView:
    """What an array object says about the memory that it shows.

    Attributes
    ----------
    type : Type or None
        The element type; None where the elements have no machine representation of ours.
    dtype_name : str
        The element type in words, also where ``type`` is None.
    ptr : int
        Address of the element with all indices 0.
    shape : tuple of int
        Elements.
    byte_strides : tuple of int
        Bytes between neighbours in each dimension.
    itemsize : int
        Bytes of one element.
    device : Device
    readonly : bool
    protocol : str
        How the description was obtained.
    owner : object
        Keeps the memory alive and, for a buffer, locked.
    stream : int or None
        The producer's stream, where the protocol has one.
    dtype : object
        The producer's own dtype object, where there is one.
    """

    type: Type | None
    dtype_name: str
    ptr: int
    shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    itemsize: int
    device: Device
    readonly: bool
    protocol: str
    owner: Any
    stream: int | None = None
    dtype: Any = None

    def _identity(self) -> tuple[Any, ...]:
        return self.type, self.dtype_name, self.ptr, self.shape, self.byte_strides, self.device, self.readonly

    def __eq__(self, other: object) -> bool:
        """Whether both show the same memory in the same way."""
        return self._identity() == other._identity() if isinstance(other, ArrayView) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        only = "read-only " if self.readonly else ""
        return f"<{only}{self.dtype_name}{list(self.shape)} in {self.device} at {self.ptr:#x}>"

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides in elements.

        Raises
        ------
        ArrayError
            If a stride in bytes is no multiple of the element's size.
        """
        if not self.divisible:
            raise ArrayError(
                f"strides {self.byte_strides} in bytes are no multiples of the {self.itemsize}-byte element"
            )
        return tuple(
            s // self.itemsize if n > 1 else s // max(self.itemsize, 1)
            for s, n in zip(self.byte_strides, self.shape, strict=True)
        )

    @property
    def divisible(self) -> bool:
        """Whether every stride that is used is a whole number of elements."""
        return all(
            n <= 1 or s % self.itemsize == 0 for s, n in zip(self.byte_strides, self.shape, strict=True)
        )

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps; extents of 0 and 1 put no constraint on their stride."""
        if 0 in self.shape:
            return True
        expected = self.itemsize
        for extent, stride in zip(reversed(self.shape), reversed(self.byte_strides), strict=True):
            if extent != 1 and stride != expected:
                return False
            expected *= extent
        return True


def c_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides in bytes of a C-ordered array without gaps."""
    strides, step = [], itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))
