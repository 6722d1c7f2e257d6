"""From a request to a library on disk: what is asked for, what is read, written and compiled for it, and stored."""

from ..later import later

__getattr__ = later(
    __name__,
    "device_code",
    "device_sources",
    "disproved",
    "hip_kernels",
    "kernels",
    "modules",
    "overriding",
    "portable",
    "refusals",
    "styling",
    "sycl_kernels",
    "used",
)
