"""CUDA's driver: the device in use, code that is loaded for it, and the functions by which the core launches."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from .. import _native
from ..errors import LaunchError, MissingDependency, lacking
from ..frozen import frozen
from ..toolchain.cuda import cuda_driver

_LAUNCH_AS = "cuLaunchKernelEx"  # of drivers from 11.8 on
# What the core calls, in the order of Driver in native/launch/cuda.cpp.
_CALLED = (
    "cuCtxGetCurrent",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuLaunchKernel",
    "cuStreamSynchronize",
    _LAUNCH_AS,
)
_STEPS = {1: "cuCtxPushCurrent", 2: "cuLaunchKernel", 3: "cuStreamSynchronize"}
# CUdevice_attribute
_MAJOR, _MINOR = 75, 76
_THREADS, _BLOCK, _GRID = 1, (2, 3, 4), (5, 6, 7)
_SHARED, _SHARED_ASKED_FOR = 8, 97  # MAX_SHARED_MEMORY_PER_BLOCK, and …_OPTIN
_WITHOUT_TIMING, _NOT_READY = 2, 600  # CU_EVENT_DISABLE_TIMING, CUDA_ERROR_NOT_READY
_COOPERATIVE, _CLUSTERS = 95, 120
_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


@frozen
class Limits:
    """What a device can launch.

    Attributes
    ----------
    threads : int
        Of a block.
    block, grid : tuple of int
        Their extents.
    shared : int
        Bytes of shared memory.
    clusters, cooperative : bool
        Whether it has clusters of blocks, and grids whose blocks run at once.
    """

    threads: int
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    shared: int
    clusters: bool = False
    cooperative: bool = False


class Device:
    """One device with its primary context, which is kept for the rest of the process.

    Attributes
    ----------
    number : int
    architecture : str
        ``"sm_90"``.
    limits : Limits
    context : int
    """

    def __init__(self, driver: Driver, number: int) -> None:
        self.driver, self.number = driver, number
        device, context = ctypes.c_int(), ctypes.c_void_p()
        driver.call("cuDeviceGet", ctypes.byref(device), number)

        def asked(attribute: int) -> int:
            value = ctypes.c_int()
            driver.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            return value.value

        self.architecture = f"sm_{asked(_MAJOR)}{asked(_MINOR)}"
        block, grid = ([asked(attribute) for attribute in axes] for axes in (_BLOCK, _GRID))
        self.limits = Limits(
            asked(_THREADS),
            (block[0], block[1], block[2]),
            (grid[0], grid[1], grid[2]),
            asked(_SHARED_ASKED_FOR),
            *(bool(driver.called[-1] and asked(attribute)) for attribute in (_CLUSTERS, _COOPERATIVE)),
        )
        # Bytes of dynamic shared memory that a kernel's launches may have, where that is more than all may.
        self._given, self._allowed = asked(_SHARED), dict[int, int]()
        driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.context = context.value or 0

    def load(self, code: bytes) -> int:
        """Load machine code for the rest of the process; its module."""
        module = ctypes.c_void_p()
        with self._current():
            self.driver.call("cuModuleLoadData", ctypes.byref(module), code)
        return module.value or 0

    @contextmanager
    def _current(self) -> Iterator[None]:
        before = ctypes.c_void_p()
        self.driver.call("cuCtxPushCurrent_v2", ctypes.c_void_p(self.context))
        try:
            yield
        finally:
            self.driver.call("cuCtxPopCurrent_v2", ctypes.byref(before))

    def function(self, module: int, symbol: str) -> int:
        """A kernel of a module."""
        found = ctypes.c_void_p()
        self.driver.call("cuModuleGetFunction", ctypes.byref(found), ctypes.c_void_p(module), symbol.encode())
        return found.value or 0

    def variable(self, module: int, symbol: str) -> tuple[int, int]:
        """The address and the bytes of a module's variable."""
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        with self._current():
            self.driver.call(
                "cuModuleGetGlobal_v2", ctypes.byref(place), ctypes.byref(size), ctypes.c_void_p(module),
                symbol.encode(),
            )  # fmt: skip
        return place.value or 0, size.value

    def read(self, address: int, size: int) -> bytes:
        """A copy of some of its memory."""
        room = ctypes.create_string_buffer(size)
        with self._current():
            self.driver.call("cuMemcpyDtoH_v2", room, ctypes.c_void_p(address), ctypes.c_size_t(size))
        return room.raw

    def write(self, address: int, data: bytes) -> None:
        """Overwrite some of its memory."""
        with self._current():
            self.driver.call("cuMemcpyHtoD_v2", ctypes.c_void_p(address), data, ctypes.c_size_t(len(data)))
            self.driver.call(
                "cuCtxSynchronize"
            )  # small copies may be staged, and return before they are there

    def recorded(self, stream: int) -> int:
        """An event behind what a stream has been given so far."""
        event = ctypes.c_void_p()
        with self._current():
            self.driver.call("cuEventCreate", ctypes.byref(event), _WITHOUT_TIMING)
            self.driver.call("cuEventRecord", event, ctypes.c_void_p(stream))
        return event.value or 0

    def has_happened(self, event: int) -> bool:
        """Whether all before an event is done."""
        with self._current():
            return self.driver.call("cuEventQuery", ctypes.c_void_p(event), but=_NOT_READY) == 0

    def await_event(self, event: int) -> None:
        """Wait until all before an event is done."""
        with self._current():
            self.driver.call("cuEventSynchronize", ctypes.c_void_p(event))

    def drop(self, event: int) -> None:
        """Give an event back."""
        with self._current():
            self.driver.call("cuEventDestroy_v2", ctypes.c_void_p(event))

    def is_captured(self, stream: int) -> bool:
        """Whether what a stream is given becomes a graph, and does not run."""
        status = ctypes.c_int()
        with self._current():
            self.driver.call("cuStreamIsCapturing", ctypes.c_void_p(stream), ctypes.byref(status))
        return status.value != 0

    def allow_shared(self, function: int, size: int) -> None:
        """Let launches of a kernel have so many bytes of dynamic shared memory: more than usual is asked for."""
        if size > self._allowed.get(function, self._given):  # never less: others may be launched with more
            with self._current():
                self.driver.call("cuFuncSetAttribute", ctypes.c_void_p(function), _DYNAMIC_SHARED, size)
            self._allowed[function] = size

    def best_block(self, function: int, shared: int) -> int:
        """The threads of a block with which the most of them run at once, each with so many bytes of shared memory."""
        grid, block = ctypes.c_int(), ctypes.c_int()
        with self._current():
            self.driver.call(
                "cuOccupancyMaxPotentialBlockSize", ctypes.byref(grid), ctypes.byref(block), ctypes.c_void_p(function),
                None, ctypes.c_size_t(shared), 0,
            )  # fmt: skip
        return block.value


class Driver:
    """One library of the driver.

    Attributes
    ----------
    called : tuple of int
        The addresses of the functions that the core calls.
    """

    def __init__(self, path: str) -> None:
        try:
            self._library: Any = ctypes.CDLL(path)
        except OSError as error:
            raise MissingDependency(
                f"kernels are launched by NVIDIA's driver, and {path} is not there ({lacking(error) or error}); with "
                "arch='sm_90' they are compiled, checked and explained without it"
            ) from error
        self.called = tuple(
            ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0
            if name != _LAUNCH_AS or hasattr(self._library, name)
            else 0
            for name in _CALLED
        )
        self.call("cuInit", 0)
        self._devices: dict[int, Device] = {}

    def call(self, name: str, *arguments: Any, but: int = 0) -> int:
        """Call a function of the driver; the status, which is zero or ``but``.

        Raises
        ------
        LaunchError
            If it fails.
        """
        code: int = getattr(self._library, name)(*arguments)
        if code not in (0, but):
            raise LaunchError(f"{name.removesuffix('_v2')}() failed: {self.words(code)}")
        return code

    def words(self, code: int) -> str:
        """An error as the driver words it."""
        name, text = ctypes.c_char_p(), ctypes.c_char_p()
        self._library.cuGetErrorName(code, ctypes.byref(name))
        self._library.cuGetErrorString(code, ctypes.byref(text))
        known = [part.decode(errors="replace") for part in (name.value, text.value) if part]
        return ", ".join(known) or f"error {code}"

    def status_words(self, status: int) -> str:
        """What a launch by the core has failed with."""
        step, code = status >> _native.LAUNCH_STEP_BITS, status & ((1 << _native.LAUNCH_STEP_BITS) - 1)
        return f"{_STEPS[step]}() failed: {self.words(code)}"

    def device(self, number: int = 0) -> Device:
        if number not in self._devices:
            self._devices[number] = Device(self, number)
        return self._devices[number]

    def in_use(self) -> Device:
        """The device whose context is current in this thread, else the first."""
        current, number = ctypes.c_void_p(), ctypes.c_int(0)
        self.call("cuCtxGetCurrent", ctypes.byref(current))
        if current.value:
            self.call("cuCtxGetDevice", ctypes.byref(number))
        return self.device(number.value)


@cache
def _opened(path: str) -> Driver:
    return Driver(path)


def driver() -> Driver:
    """The driver of this process.

    Raises
    ------
    MissingDependency
        If there is none.
    """
    return _opened(cuda_driver())
