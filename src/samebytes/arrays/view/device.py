"""Where memory lies, in DLPack's numbers."""

from __future__ import annotations

from ... import _native
from ...frozen import frozen

# DLPack device types (dlpack.h, DLDeviceType)
DEVICES = {
    _native.DEVICE_CPU: "host",
    _native.DEVICE_CUDA: "CUDA",
    _native.DEVICE_CUDA_HOST: "CUDA pinned host",
    _native.DEVICE_OPENCL: "OpenCL",
    _native.DEVICE_VULKAN: "Vulkan",
    _native.DEVICE_METAL: "Metal",
    _native.DEVICE_ROCM: "ROCm",
    _native.DEVICE_ROCM_HOST: "ROCm pinned host",
    _native.DEVICE_CUDA_MANAGED: "CUDA managed",
    _native.DEVICE_ONEAPI: "oneAPI",
    _native.DEVICE_WEBGPU: "WebGPU",
}
PINNED = frozenset({_native.DEVICE_CUDA_HOST, _native.DEVICE_ROCM_HOST})
HOST_READABLE = PINNED | {_native.DEVICE_CPU, _native.DEVICE_CUDA_MANAGED}
CUDA = frozenset({_native.DEVICE_CUDA, _native.DEVICE_CUDA_HOST, _native.DEVICE_CUDA_MANAGED})
ROCM = frozenset({_native.DEVICE_ROCM, _native.DEVICE_ROCM_HOST})
ONEAPI = _native.DEVICE_ONEAPI
_USM_ON_HOST = frozenset({"shared", "host"})


@frozen
class Device:
    """Where memory lies.

    Attributes
    ----------
    type : int
        DLPack's device type.
    id : int
    usm : str
        The kind of a SYCL allocation, ``"device"``, ``"shared"`` or ``"host"``, where its producer tells.
    """

    type: int = _native.DEVICE_CPU
    id: int = 0
    usm: str = ""

    @property
    def is_host(self) -> bool:
        """Whether host code may read the memory."""
        return self.type in HOST_READABLE or self.usm in _USM_ON_HOST

    def __str__(self) -> str:
        name = DEVICES.get(self.type, f"DLPack device {self.type}")
        kind = f" USM-{self.usm}" if self.usm else ""
        return (
            f"{name} memory"
            if self.type == _native.DEVICE_CPU
            else f"{name}{kind} device memory (device {self.id})"
        )


HOST = Device()
