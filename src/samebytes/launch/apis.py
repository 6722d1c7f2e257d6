"""The names of the drivers' functions, and their numbers: what CUDA's and HIP's have is the same, but for these."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping
from typing import Any

from .. import _native
from ..frozen import frozen
from ..toolchain.cuda import cuda_driver
from ..toolchain.rocm import hip_runtime

# What the core calls, in the order of Driver in native/launch/driver.hpp.
CALLED = (
    "get_current", "set_current", "set_device", "pop_current", "launch", "wait", "make_event", "record", "ask",
    "await_event", "drop_event", "is_capturing", "launch_as",
)  # fmt: skip


@frozen
class Attributes:
    """The numbers of what a device is asked (``CUdevice_attribute``, ``hipDeviceAttribute_t``); 0: it has no such.

    Attributes
    ----------
    threads, block, grid
        The most threads of a block, and the extents of blocks and of grids.
    shared, shared_asked_for
        Bytes of a block's shared memory, and with what is asked for beside.
    cooperative, clusters
        Whether it launches such.
    dynamic_shared
        What is asked for (``CUfunction_attribute``).
    """

    threads: int
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    shared: int
    shared_asked_for: int
    cooperative: int = 0
    clusters: int = 0
    dynamic_shared: int = 0


@frozen(slots=False)
class Api:
    """One driver.

    Attributes
    ----------
    dialect, title, owner : str
        ``"cuda"``, ``"CUDA"``, and whose it is in messages.
    example : str
        An architecture.
    memory : int
        DLPack's number of its devices' memory.
    path : callable
        Where the library is.
    functions : mapping
        Their names by what they do; empty: there is none.
    steps : mapping
        What a launch calls, as messages say it.
    attributes : Attributes
    architecture : callable
        Of a device, from the library, its number, and what asks for an attribute.
    occupancy : callable
        The last arguments of the function that knows the best block, from the bytes of shared memory.
    words : callable
        An error's name and text, from the library and its number.
    """

    dialect: str
    title: str
    owner: str
    example: str
    memory: int
    path: Callable[[], str]
    functions: Mapping[str, str]
    steps: Mapping[str, str]
    attributes: Attributes
    architecture: Callable[[Any, int, Callable[[int], int]], str]
    occupancy: Callable[[int], tuple[Any, ...]]
    words: Callable[[Any, int], list[bytes | None]]


_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…


def _compute_capability(library: Any, number: int, asked: Callable[[int], int]) -> str:
    return f"sm_{asked(_MAJOR)}{asked(_MINOR)}"


def _cuda_words(library: Any, code: int) -> list[bytes | None]:
    found = [ctypes.c_char_p(), ctypes.c_char_p()]
    library.cuGetErrorName(code, ctypes.byref(found[0]))
    library.cuGetErrorString(code, ctypes.byref(found[1]))
    return [one.value for one in found]


_CUDA = Api(
    "cuda", "CUDA", "NVIDIA's driver", "sm_90", _native.DEVICE_CUDA, cuda_driver,
    {
        "init": "cuInit", "device": "cuDeviceGet", "attribute": "cuDeviceGetAttribute",
        "retain": "cuDevicePrimaryCtxRetain", "current_device": "cuCtxGetDevice", "load": "cuModuleLoadData",
        "function": "cuModuleGetFunction", "variable": "cuModuleGetGlobal_v2", "read": "cuMemcpyDtoH_v2",
        "write": "cuMemcpyHtoD_v2", "synchronize": "cuCtxSynchronize", "allow": "cuFuncSetAttribute",
        "occupancy": "cuOccupancyMaxPotentialBlockSize", "get_current": "cuCtxGetCurrent",
        "set_current": "cuCtxPushCurrent_v2",
        "set_device": "", "pop_current": "cuCtxPopCurrent_v2", "launch": "cuLaunchKernel",
        "wait": "cuStreamSynchronize", "make_event": "cuEventCreate", "record": "cuEventRecord",
        "ask": "cuEventQuery", "await_event": "cuEventSynchronize", "drop_event": "cuEventDestroy_v2",
        "is_capturing": "cuStreamIsCapturing", "launch_as": "cuLaunchKernelEx",  # of drivers from 11.8 on
        "capture_info": "cuStreamGetCaptureInfo_v2", "make_object": "cuUserObjectCreate",
        "retain_object": "cuGraphRetainUserObject",
    },
    {
        "enter": "cuCtxPushCurrent", "launch": "cuLaunchKernel", "wait": "cuStreamSynchronize",
        "record": "cuEventRecord", "ask": "cuEventQuery", "await_event": "cuEventSynchronize",
    },
    Attributes(1, (2, 3, 4), (5, 6, 7), 8, 97, cooperative=95, clusters=120, dynamic_shared=8),
    _compute_capability, lambda shared: (None, ctypes.c_size_t(shared), 0), _cuda_words,
)  # fmt: skip

_PROPERTIES = 1 << 13  # bytes, more than hipDeviceProp_t has in any version
_NAME = re.compile(rb"gfx[0-9a-f]{3,5}(?=[:\0])")


def _name_of_properties(library: Any, number: int, asked: Callable[[int], int]) -> str:
    """``gcnArchName`` of a device, wherever a version of HIP has it in its properties."""
    room = ctypes.create_string_buffer(_PROPERTIES)
    newer = getattr(library, "hipGetDevicePropertiesR0600", None)  # since ROCm 6
    (newer or library.hipGetDeviceProperties)(room, number)
    found = _NAME.search(room.raw[256:])  # behind the device's name
    return found[0].decode() if found else ""


def _hip_words(library: Any, code: int) -> list[bytes | None]:
    says = (library.hipGetErrorName, library.hipGetErrorString)
    for function in says:
        function.restype = ctypes.c_char_p
    return [function(code) for function in says]


# hipDeviceAttribute_t counts what both have from 0 on, since ROCm 4.3.
_HIP = Api(
    "hip", "HIP", "ROCm's runtime", "gfx90a", _native.DEVICE_ROCM, hip_runtime,
    {
        "init": "hipInit", "device": "hipDeviceGet", "attribute": "hipDeviceGetAttribute", "retain": "",
        "current_device": "hipGetDevice", "load": "hipModuleLoadData", "function": "hipModuleGetFunction",
        "variable": "hipModuleGetGlobal", "read": "hipMemcpyDtoH", "write": "hipMemcpyHtoD",
        "synchronize": "hipDeviceSynchronize", "allow": "", "occupancy": "hipModuleOccupancyMaxPotentialBlockSize",
        "get_current": "hipGetDevice",
        "set_current": "", "set_device": "hipSetDevice", "pop_current": "", "launch": "hipModuleLaunchKernel",
        "wait": "hipStreamSynchronize", "make_event": "hipEventCreateWithFlags", "record": "hipEventRecord",
        "ask": "hipEventQuery", "await_event": "hipEventSynchronize", "drop_event": "hipEventDestroy",
        "is_capturing": "hipStreamIsCapturing", "launch_as": "",
        "capture_info": "hipStreamGetCaptureInfo_v2", "make_object": "hipUserObjectCreate",
        "retain_object": "hipGraphRetainUserObject",
    },
    {
        "enter": "hipSetDevice", "launch": "hipModuleLaunchKernel", "wait": "hipStreamSynchronize",
        "record": "hipEventRecord", "ask": "hipEventQuery", "await_event": "hipEventSynchronize",
    },
    Attributes(56, (26, 27, 28), (29, 30, 31), 74, 74), _name_of_properties,
    lambda shared: (ctypes.c_size_t(shared), 0), _hip_words,
)  # fmt: skip

APIS = {api.dialect: api for api in (_CUDA, _HIP)}
