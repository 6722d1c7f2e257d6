"""A device's driver, CUDA's or HIP's: the device in use, code that is loaded for it, and the functions by which the
core launches."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from .. import _native
from ..errors import LaunchError, MissingDependency, lacking
from ..frozen import frozen
from .apis import APIS, CALLED, Api

_STEPS = {1: "enter", 2: "launch", 3: "wait", 4: "record", 5: "ask", 6: "await_event"}
# CU_STREAM_CAPTURE_STATUS_ACTIVE, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CU_GRAPH_USER_OBJECT_MOVE; the same of HIP.
_CAPTURES, _NO_SYNC, _MOVE = 1, 1, 1
_WITHOUT_TIMING, _NOT_READY = 2, 600  # CU_EVENT_DISABLE_TIMING, CUDA_ERROR_NOT_READY; the same numbers of HIP


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
        device = ctypes.c_int()
        driver.call("device", ctypes.byref(device), number)
        known = driver.api.attributes

        def asked(attribute: int) -> int:
            value = ctypes.c_int()
            driver.call("attribute", ctypes.byref(value), attribute, device)
            return value.value

        self.architecture = driver.api.architecture(driver.library, number, asked)
        block, grid = ([asked(attribute) for attribute in axes] for axes in (known.block, known.grid))
        self.limits = Limits(
            asked(known.threads),
            (block[0], block[1], block[2]),
            (grid[0], grid[1], grid[2]),
            asked(known.shared_asked_for),
            *(bool(driver.called[-1] and a and asked(a)) for a in (known.clusters, known.cooperative)),
        )
        # Bytes of dynamic shared memory that a kernel's launches may have, where that is more than all may.
        self._given, self._allowed = asked(known.shared), dict[int, int]()
        self.context = number
        if driver.api.functions["retain"]:
            context = ctypes.c_void_p()
            driver.call("retain", ctypes.byref(context), device)
            self.context = context.value or 0

    def load(self, code: bytes) -> int:
        """Load machine code for the rest of the process; its module."""
        module = ctypes.c_void_p()
        with self._current():
            self.driver.call("load", ctypes.byref(module), code)
        return module.value or 0

    @contextmanager
    def _current(self) -> Iterator[None]:
        call, before = self.driver.call, ctypes.c_void_p()
        if self.driver.api.functions["pop_current"]:
            call("set_current", ctypes.c_void_p(self.context))
            try:
                yield
            finally:
                call("pop_current", ctypes.byref(before))
            return
        there = ctypes.c_int()
        call("get_current", ctypes.byref(there))
        call("set_device", self.number)
        try:
            yield
        finally:
            call("set_device", there)

    def function(self, module: int, symbol: str) -> int:
        """A kernel of a module."""
        found = ctypes.c_void_p()
        self.driver.call("function", ctypes.byref(found), ctypes.c_void_p(module), symbol.encode())
        return found.value or 0

    def variable(self, module: int, symbol: str) -> tuple[int, int]:
        """The address and the bytes of a module's variable."""
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        with self._current():
            self.driver.call(
                "variable", ctypes.byref(place), ctypes.byref(size), ctypes.c_void_p(module),
                symbol.encode(),
            )  # fmt: skip
        return place.value or 0, size.value

    def read(self, address: int, size: int) -> bytes:
        """A copy of some of its memory."""
        room = ctypes.create_string_buffer(size)
        with self._current():
            self.driver.call("read", room, ctypes.c_void_p(address), ctypes.c_size_t(size))
        return room.raw

    def write(self, address: int, data: bytes) -> None:
        """Overwrite some of its memory."""
        with self._current():
            self.driver.call("write", ctypes.c_void_p(address), data, ctypes.c_size_t(len(data)))
            self.driver.call("synchronize")  # small copies may be staged, and return before they are there

    def is_captured(self, stream: int) -> bool:
        """Whether what a stream is given becomes a graph, and does not run."""
        status = ctypes.c_int()
        with self._current():
            self.driver.call("is_capturing", ctypes.c_void_p(stream), ctypes.byref(status))
        return status.value != 0

    def graph_of(self, stream: int) -> int:
        """The graph that a captured stream's launches are recorded into.

        Raises
        ------
        LaunchError
            If the capture is no longer valid.
        """
        status, number, graph = ctypes.c_int(), ctypes.c_ulonglong(), ctypes.c_void_p()
        with self._current():
            self.driver.call(
                "capture_info", ctypes.c_void_p(stream), ctypes.byref(status), ctypes.byref(number),
                ctypes.byref(graph), None, None,
            )  # fmt: skip
        if status.value != _CAPTURES or not graph.value:
            raise LaunchError("the capture of its stream has failed before, and is no longer valid")
        return graph.value

    def keep_in_graph(self, graph: int, held: Any) -> None:
        """Let a graph, and what is made of it, keep an object until they are gone."""
        made, place = ctypes.c_void_p(), ctypes.c_void_p(_native.hold_recorded(held))
        with self._current():
            drop = ctypes.c_void_p(_native.RECORDED_DROP)
            self.driver.call("make_object", ctypes.byref(made), place, drop, 1, _NO_SYNC)
            self.driver.call("retain_object", ctypes.c_void_p(graph), made, 1, _MOVE)

    def allow_shared(self, function: int, size: int) -> None:
        """Let launches of a kernel have so many bytes of dynamic shared memory: more than usual is asked for.

        Never less than before: others may be launched with more.
        """
        if self.driver.api.functions["allow"] and size > self._allowed.get(function, self._given):
            with self._current():
                self.driver.call(
                    "allow", ctypes.c_void_p(function), self.driver.api.attributes.dynamic_shared, size
                )
            self._allowed[function] = size

    def best_block(self, function: int, shared: int) -> int:
        """The threads of a block with which the most of them run at once, each with so many bytes of shared memory."""
        grid, block = ctypes.c_int(), ctypes.c_int()
        with self._current():
            self.driver.call(
                "occupancy", ctypes.byref(grid), ctypes.byref(block), ctypes.c_void_p(function),
                *self.driver.api.occupancy(shared),
            )  # fmt: skip
        return block.value


class Driver:
    """One library of a driver.

    Attributes
    ----------
    api : Api
        Whose it is.
    called : tuple of int
        The addresses of the functions that the core calls; 0: it has none.
    """

    def __init__(self, api: Api, path: str) -> None:
        self.api = api
        try:
            self.library: Any = ctypes.CDLL(path)
        except OSError as error:
            raise MissingDependency(
                f"kernels are launched by {api.owner}, and {path} is not there ({lacking(error) or error}); "
                f"with arch={api.example!r} they are compiled, checked and explained without it"
            ) from error
        self.called = tuple(map(self._address, CALLED))
        self.call("init", 0)
        self._devices: dict[int, Device] = {}

    def _address(self, word: str) -> int:
        function = getattr(self.library, self.api.functions[word] or "none", None)
        return (ctypes.cast(function, ctypes.c_void_p).value or 0) if function is not None else 0

    def call(self, word: str, *arguments: Any, but: int = 0) -> int:
        """Call a function of the driver by what it does; the status, which is zero or ``but``.

        Raises
        ------
        LaunchError
            If it fails.
        """
        name = self.api.functions[word]
        code: int = getattr(self.library, name)(*arguments)
        if code not in (0, but):
            raise LaunchError(f"{name.removesuffix('_v2')}() failed: {self.words(code)}")
        return code

    def words(self, code: int) -> str:
        """An error as the driver words it."""
        known = [part.decode(errors="replace") for part in self.api.words(self.library, code) if part]
        return ", ".join(known) or f"error {code}"

    def status_words(self, status: int) -> str:
        """What a launch by the core has failed with."""
        step, code = status >> _native.LAUNCH_STEP_BITS, status & ((1 << _native.LAUNCH_STEP_BITS) - 1)
        return f"{self.api.steps[_STEPS[step]]}() failed: {self.words(code)}"

    def device(self, number: int = 0) -> Device:
        if number not in self._devices:
            self._devices[number] = Device(self, number)
        return self._devices[number]

    def in_use(self) -> Device:
        """The device whose context is current in this thread, else the first."""
        current, number = ctypes.c_void_p(), ctypes.c_int(0)
        if self.api.functions["pop_current"]:
            self.call("get_current", ctypes.byref(current))
            if current.value:
                self.call("current_device", ctypes.byref(number))
        else:
            self.call("get_current", ctypes.byref(number))
        return self.device(number.value)


@cache
def _opened(dialect: str, path: str) -> Driver:
    return Driver(APIS[dialect], path)


def driver(dialect: str = "cuda") -> Driver:
    """The driver of this process.

    Raises
    ------
    MissingDependency
        If there is none.
    """
    return _opened(dialect, APIS[dialect].path())
