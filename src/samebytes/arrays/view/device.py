"""Where memory lies, in DLPack's numbers."""

from __future__ import annotations

from dataclasses import dataclass

# DLPack device types (dlpack.h, DLDeviceType)
DEVICES = {
    1: "host", 2: "CUDA", 3: "CUDA pinned host", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm",
    11: "ROCm pinned host", 13: "CUDA managed", 14: "oneAPI", 15: "WebGPU",
}  # fmt: skip
HOST_READABLE = frozenset({1, 3, 11, 13})
CUDA = frozenset({2, 3, 13})
ROCM = frozenset({10, 11})
ONEAPI = 14
_USM_ON_HOST = frozenset({"shared", "host"})


@dataclass(frozen=True, slots=True)
class Device:
    """Where memory lies.

    Attributes
    ----------
    type : int
        DLPack's device type; 1 is the host.
    id : int
    usm : str
        The kind of a SYCL allocation, ``"device"``, ``"shared"`` or ``"host"``, where its producer tells.
    """

    type: int = 1
    id: int = 0
    usm: str = ""

    @property
    def is_host(self) -> bool:
        """Whether host code may read the memory."""
        return self.type in HOST_READABLE or self.usm in _USM_ON_HOST

    def __str__(self) -> str:
        name = DEVICES.get(self.type, f"DLPack device {self.type}")
        kind = f" USM-{self.usm}" if self.usm else ""
        return f"{name} memory" if self.type == 1 else f"{name}{kind} device memory (device {self.id})"


HOST = Device()
