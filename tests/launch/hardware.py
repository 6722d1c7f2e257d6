"""A device that is there: NVIDIA's driver behind one that notes what it is given, with the words of the tests' own.

Its arrays lie in managed memory, which host and device have at the same address: what a test of the tests' own driver
does with NumPy, it does here, too. `SAMEBYTES_TESTS_ON=gpu` chooses it; `=own` has the tests' own driver stand behind
the same code, so that it is known to work before it meets hardware.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_int, c_size_t, c_void_p
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from device import _HOOK, LIBRARY, Fake, Launched, Memory, built_driver

VARIABLE = "SAMEBYTES_TESTS_ON"
_COMPILED = "SAMEBYTES_TESTS_DRIVERS"  # the folder of the libraries
_CHUNK = 1 << 25  # bytes of managed memory that are asked for at once
_GLOBAL, _NON_BLOCKING, _THREAD_LOCAL = 1, 1, 1  # CU_MEM_ATTACH_, CU_STREAM_, CU_STREAM_CAPTURE_MODE_


def chosen() -> str:
    """What the tests run on: ``"gpu"``, ``"own"``, or ``""``, the tests' own driver without more."""
    return os.environ.get(VARIABLE, "")


def driver_of_machine() -> Path | None:
    """Where NVIDIA's driver lies."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    lines = Path("/proc/self/maps").read_text().splitlines()
    found = [line.split(maxsplit=5)[5] for line in lines if "/libcuda.so" in line]
    return Path(found[0]) if found else None


@cache
def device() -> Fake:
    """The device of this run, made once; processes that it starts find what was compiled for it."""
    if _COMPILED not in os.environ:
        os.environ[_COMPILED] = mkdtemp(prefix="driver-")
        atexit.register(shutil.rmtree, os.environ[_COMPILED], ignore_errors=True)
    folder = Path(os.environ[_COMPILED])
    if chosen() != "gpu":
        there = folder / LIBRARY
        own = Fake(there if there.exists() else built_driver(folder))
        return Hardware(folder, own.path, own) if chosen() else own
    path = driver_of_machine()
    assert path is not None, "no libcuda.so.1 is there"
    return Hardware(folder, path)


class _OfDrivers:
    """A library without what only the tests' own driver has, also where that stands behind it."""

    def __init__(self, library: Any) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        assert not name.startswith("fake_"), f"{name}() is none of a driver's: no test for hardware"
        return getattr(self._library, name)


class Hardware(Fake):
    """NVIDIA's driver and its first device."""

    def __init__(self, folder: Path, driver: Path, own: Fake | None = None) -> None:
        source, library = Path(__file__).parent / "recorder.cpp", folder / "libcuda_that_notes.so"
        flags = ["-std=c++17", "-shared", "-fPIC", "-O1", "-fvisibility=hidden", f'-DDRIVER="{driver}"']
        rest = ["-Wl,--no-as-needed", str(driver), "-ldl"]
        if not library.exists():
            subprocess.run(["g++", *flags, "-o", library, source, *rest], check=True)
        self._own = own
        super().__init__(library)
        if own is not None:
            own.arrays = self.arrays
        self._chunks: list[tuple[int, int]] = []  # what is left: address and bytes
        self._graph, self._captures = c_void_p(), c_void_p()
        number = c_int()
        self.asks("cuInit", 0), self.asks("cuDeviceGet", byref(number), 0)
        self._context = c_void_p()
        self.asks("cuDevicePrimaryCtxRetain", byref(self._context), number)

    def _hooked(self) -> None:
        self._hook = _HOOK(self._launched)
        self.library.record_on_launch(self._hook)
        self.library = _OfDrivers(self.library)

    def asks(self, name: str, *arguments: Any) -> None:
        """Call the driver."""
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name}() returned {status}"

    @contextmanager
    def inside(self) -> Iterator[None]:
        """In the context of the device."""
        self.asks("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self.asks("cuCtxPopCurrent_v2", byref(c_void_p()))

    def calls(self, name: str) -> int:
        return int(self.library.record_calls(name.encode()))

    def reset(self) -> None:
        self.launches.clear(), self.arrays.clear(), self.errors.clear()
        self.code = 0
        if self._own is not None:
            self._own.reset()

    def runs(self, text: str, library: Any = None) -> Any:
        if self._own is not None:
            self._own.runs(text)
        return super().runs(text, library)

    def array(self, data: Any, **how: Any) -> Memory:
        given = np.array(data)
        place = self._place(given.nbytes)
        memory = (ctypes.c_char * max(1, given.nbytes)).from_address(place)
        made: np.ndarray[Any, Any] = np.ndarray(given.shape, given.dtype, memory)
        made[...] = given
        self.arrays.append(made)
        return Memory(made, **how)

    def _place(self, size: int) -> int:
        size = -(-max(size, 1) // 256) * 256
        if not self._chunks or self._chunks[-1][1] < size:
            place, room = c_void_p(), max(size, _CHUNK)
            with self.inside():
                self.asks("cuMemAllocManaged", byref(place), c_size_t(room), _GLOBAL)
            self._chunks.append((place.value or 0, room))
        start, left = self._chunks.pop()
        self._chunks.append((start + size, left - size))
        return start

    def _launched(self, name: bytes, extents: Any, shared: int, stream: int | None, given: Any) -> int:
        if name.decode() in self._ptx:
            return super()._launched(name, extents, shared, stream, given)
        self.launches.append(Launched(name.decode(), extents[:6], shared, stream or 0, []))
        return self.code

    def _run(self, ptx: str, said: Launched) -> None:
        """The driver behind does."""

    def stream(self) -> int:
        made = c_void_p()
        with self.inside():
            self.asks("cuStreamCreate", byref(made), _NON_BLOCKING)
        return made.value or 0

    @contextmanager
    def capture(self, stream: int) -> Iterator[list[Launched]]:
        self._captures, self._graph = c_void_p(stream), c_void_p()
        with self.inside():
            self.asks("cuStreamBeginCapture_v2", self._captures, _THREAD_LOCAL)
        self.recorded = []
        try:
            yield self.recorded
        finally:
            self.recorded = None
            with self.inside():
                self.asks("cuStreamEndCapture", self._captures, byref(self._graph))

    def replay(self, recorded: list[Launched]) -> None:
        made = c_void_p()
        with self.inside():
            self.asks("cuGraphInstantiateWithFlags", byref(made), self._graph, ctypes.c_ulonglong(0))
            self.asks("cuGraphLaunch", made, self._captures)
            self.asks("cuStreamSynchronize", self._captures)
            self.asks("cuGraphExecDestroy", made)

    def drop_graph(self) -> None:
        with self.inside():
            self.asks("cuGraphDestroy", self._graph)
