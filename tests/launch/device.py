"""A device without a GPU: arrays that say they lie in its memory, and launches that a machine for PTX runs."""

from __future__ import annotations

import ctypes
import itertools
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from block import give_shared, run_block, waits

from machine import Machine, parameters

_HOOK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint), ctypes.c_uint, ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
)  # fmt: skip
_VARIABLE_HOOK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
)
_GRAPH_HOOK = ctypes.CFUNCTYPE(None, ctypes.c_int)
# A kernel of any dialect with CUDA's words: the sum of each block, in memory that its threads share.
REDUCTION = """
__global__ void sums(const float* x, float* out) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  tile[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  if (!t) out[blockIdx.x] = tile[0];
}
"""
LIBRARY = "libcuda_of_tests.so"  # of another name than NVIDIA's: NVRTC, too, opens that, and asks for more
_ROOM = 1 << 20  # bytes of a machine


def built_driver(folder: Path, *defines: str) -> Path:
    """The driver of the tests, compiled."""
    source, library = Path(__file__).parent / "driver.cpp", folder / LIBRARY
    flags = ["-std=c++17", "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-pthread"]
    subprocess.run(["g++", *flags, *(f"-D{d}" for d in defines), "-o", library, source], check=True)
    return library


class Memory:
    """An array of the device, as CuPy's say it; what is in it is NumPy's."""

    def __init__(
        self, array: np.ndarray[Any, Any], *, readonly: bool = False, stream: int | None = None
    ) -> None:
        self.array = array
        address = array.__array_interface__["data"][0]
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (address, readonly), "version": 3,
            "strides": None if array.flags.c_contiguous else array.strides, "stream": stream,
            "descr": array.dtype.descr,
        }  # fmt: skip


class Launched:
    """One launch as the driver was given it."""

    def __init__(self, name: str, extents: list[int], shared: int, stream: int, data: list[bytes]) -> None:
        self.name, self.grid, self.block = name, tuple(extents[:3]), tuple(extents[3:])
        self.shared, self.stream, self.data = shared, stream, data


class Library:
    """A driver of the tests."""

    library: Any

    def calls(self, name: str) -> int:
        return int(self.library.fake_calls(name.encode()))

    recorded: list[Launched] | None = None  # of the stream that is captured

    @contextmanager
    def capture(self, stream: int) -> Iterator[list[Launched]]:
        """Record what is launched on a stream, and run nothing of it."""
        self.library.fake_capture(ctypes.c_void_p(stream))
        self.recorded = []
        try:
            yield self.recorded
        finally:
            self.library.fake_capture(None)
            self.recorded = None

    def calls_back(self, name: str, function: Callable[[], object], patience: int = 10_000) -> None:
        """Let the next call of a function return when the driver has called back, in a thread of its own.

        Parameters
        ----------
        patience : int
            Milliseconds, after which it is an error.
        """
        self._callback = ctypes.CFUNCTYPE(None)(function)
        self.library.fake_call_back(name.encode(), self._callback, patience)


def _declares(ptx: str, name: str) -> bool:
    return re.search(rf"\.(global|const)\s[^;]*[\s]{re.escape(name)}\s*[\[;=]", ptx) is not None


class Fake(Library):
    """The driver's side of the tests: every launch is read by the kernel's PTX, and run by it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.library = ctypes.CDLL(str(path))
        self.launches: list[Launched] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.code = 0  # what the next launches give back
        self.errors: list[BaseException] = []
        self._ptx: dict[str, str] = {}
        self._one = threading.RLock()  # each launch reads and writes all of the memory
        self.variables: dict[str, np.ndarray[Any, Any]] = {}  # the bytes of those of the device
        self.sizes: dict[str, int] = {}  # that the driver says instead
        self._streams = itertools.count(0x60)
        self._graph_launches: list[Launched] = []
        self._hooked()

    def _hooked(self) -> None:
        """Have the driver tell what it is given."""
        self._hook, self._variable_hook = _HOOK(self._launched), _VARIABLE_HOOK(self._variable)
        self._graph_hook = _GRAPH_HOOK(self._of_graph)
        self.library.fake_on_launch(self._hook)
        self.library.fake_on_variable(self._variable_hook)
        self.library.fake_on_graph(self._graph_hook)

    def reset(self) -> None:
        """As it was before any test."""
        for kept in (self.launches, self.arrays, self.errors, self.variables, self.sizes):
            kept.clear()
        self.library.fake_hold(0), self.library.fake_fail_later(0)
        self.code = 0

    def stream(self) -> int:
        """A stream's handle."""
        return next(self._streams)

    def drop_graph(self) -> None:
        """End the graph of the last capture, and what it keeps."""
        self.library.fake_destroy_graph()

    def _of_graph(self, step: int) -> None:
        """A capture that the driver was asked for begins, has ended, or its graph is launched."""
        if step == 0:
            self.recorded = []
        elif step == 1:
            self._graph_launches, self.recorded = self.recorded or [], None
        else:
            self.replay(self._graph_launches)

    def knows(self, library: Any) -> Any:
        """Let the machine run the kernels of a library, whose PTX lies beside its cubin."""
        return self.runs(Path(library.__file__).with_suffix(".ptx").read_text(), library)

    def runs(self, text: str, library: Any = None) -> Any:
        """Let the machine run the kernels of PTX. Of two units with a name, the last one given has it."""
        head, *parts = re.split(r"(?m)(?=^(?:\.visible |\.weak )?\.entry )", text)
        for part in parts:
            found = re.search(r"\.entry\s+(\w+)", part)
            assert found is not None
            self._ptx.pop(found[1], None)
            self._ptx[found[1]] = head + part
        return library

    def array(self, data: Any, **how: Any) -> Memory:
        """Memory of the device with a copy of an array."""
        self.arrays.append(np.array(data))
        return Memory(self.arrays[-1], **how)

    def _launched(self, name: bytes, extents: Any, shared: int, stream: int | None, given: Any) -> int:
        try:
            ptx = self._ptx[name.decode()]
            data = [ctypes.string_at(given[i], size) for i, (size, _) in enumerate(parameters(ptx))]
            said = Launched(name.decode(), extents[:6], shared, stream or 0, data)
            (self.launches if self.recorded is None else self.recorded).append(said)
            if not self.code and self.recorded is None:
                with self._one:
                    self._run(ptx, said)
        except BaseException as error:  # ctypes would only print it
            self.errors.append(error)
            return 1
        return self.code

    def replay(self, recorded: list[Launched]) -> None:
        """Launch a graph."""
        for said in recorded:
            self._run(self._ptx[said.name], said)

    def _variable(self, name: bytes, place: Any, size: Any) -> int:
        """Where a variable lies: as large as the PTX says, and with its first value."""
        found = name.decode()
        if found not in self.variables:
            machines = (Machine(ptx, _ROOM) for ptx in reversed(self._ptx.values()) if _declares(ptx, found))
            machine = next(machines, None)
            if machine is None:
                return 0
            self._keep(machine)
        place[0] = self.variables[found].ctypes.data
        size[0] = self.sizes.get(found, self.variables[found].nbytes)
        return 1

    def _keep(self, machine: Machine) -> None:
        """Give the variables of a unit memory that outlives its launches."""
        for name, length in machine.lengths.items():
            start = machine.names[name]
            first = np.frombuffer(bytes(machine.memory[start : start + length]), np.uint8).copy()
            self.variables.setdefault(name, first)

    def _run(self, ptx: str, said: Launched) -> None:
        machine = Machine(ptx, _ROOM)
        places = [(a.ctypes.data, a.nbytes, machine.place(a.tobytes()), a) for a in self.arrays]
        for _, size, place, array in places:
            if array.dtype == np.uint64:  # which may be addresses
                machine.memory[place : place + size] = self._moved(array.tobytes(), places)
        self._keep(machine)
        for name, length in machine.lengths.items():
            start = machine.names[name]
            machine.memory[start : start + length] = self._moved(self.variables[name].tobytes(), places)
        values = [self._moved(value, places) for value in said.data]
        axes = "xyz"
        sizes = {f"%ntid.{a}": n for a, n in zip(axes, said.block, strict=True)}
        sizes |= {f"%nctaid.{a}": n for a, n in zip(axes, said.grid, strict=True)}
        names = [f"%{kind}.{axis}" for kind in ("ctaid", "tid") for axis in axes]
        give_shared(machine, ptx, said.shared)
        start = machine._next
        together = waits(ptx)
        for block in itertools.product(*map(range, said.grid)):
            # The threads of a block in their order, x first.
            inside = [at[::-1] for at in itertools.product(*map(range, said.block[::-1]))]
            specials = [sizes | dict(zip(names, (*block, *at), strict=True)) for at in inside]
            for special in specials if not together else ():
                machine.special, machine.registers, machine._next = special, {}, start
                machine.run(*values)
            if together:
                machine._next = start
                run_block(machine, ptx, specials, values)
        for name, length in machine.lengths.items():
            start = machine.names[name]
            after = bytes(machine.memory[start : start + length])
            if after != self._moved(self.variables[name].tobytes(), places):  # not where it holds addresses
                self.variables[name][:] = np.frombuffer(after, np.uint8)
        for _, size, place, array in places:
            if array.dtype == np.uint64 and self._moved(array.tobytes(), places) != array.tobytes():
                continue
            array.reshape(-1).view(np.uint8)[:] = np.frombuffer(
                machine.memory[place : place + size], np.uint8
            )

    @staticmethod
    def _moved(value: bytes, places: list[tuple[int, int, int, Any]]) -> bytes:
        """A parameter, with the addresses of the device's memory in it as the machine has them."""
        moved = bytearray(value)
        for at in range(0, len(value) - 7, 8):
            number = int.from_bytes(value[at : at + 8], "little")
            for address, size, place, _ in places:
                if address <= number <= address + size:
                    moved[at : at + 8] = (number - address + place).to_bytes(8, "little")
        return bytes(moved)
