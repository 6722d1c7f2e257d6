"""Kernels of numba-cuda, linked to PTX and run by the tests' machine."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import sources
from .arguments import Lacks
from .base import Fault, Memory, Target, written
from .kinds import Kind


class NumbaCuda(Target):
    """Kernels of numba-cuda, linked to PTX and run by the tests' machine."""

    dialect = sources.DEVICE
    options = {"target": "numba_cuda", "std": "c++20"}  # noqa: RUF012
    objects = False

    def __init__(self, kinds: Sequence[Kind]) -> None:
        super().__init__(kinds)
        self._linked: dict[Any, str | Exception] = {}
        self._bases: list[np.ndarray[Any, Any]] = []

    def reset(self) -> None:
        self._bases = []

    def reads_host(self, kind: Kind) -> bool:
        """All arrays lie in the device's memory: a kernel reads them."""
        return False

    def put(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        if not own:
            raise Lacks("a launch of Numba's copies arrays of the host")
        self._bases.append(base)
        return array

    def memory(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        return Memory(self.put(array, base, own))

    def ptx(self, kind: Kind, typed: Any) -> str:
        """The kernel of a kind for an argument of a type, linked once; without one for None, which no launch passes."""
        from numba import types

        key = kind.name, typed
        if key not in self._linked:
            outputs = types.uint64[::1], types.float64[::1]
            use = written(kind, self.function(kind), fixed=None if typed is None else ...)
            return self.linked(key, use, *([] if typed is None else [typed]), *outputs)
        return self.linked(key)

    def linked(self, key: Any, use: Any = None, *typed: Any) -> str:
        """The PTX of a kernel, linked when it is first asked for."""
        if key not in self._linked:
            try:
                found = import_module("ptx").linked(use, *typed)
                assert not import_module("ptx").calls(found), "the kernel calls what is not there"
                self._linked[key] = found
            except Exception as error:
                self._linked[key] = error
        linked = self._linked[key]
        if isinstance(linked, Exception):
            raise linked
        return linked

    def call(self, kind: Kind, x: Any) -> list[Any]:
        given = [] if x is None else [(typed_as(x), x)]
        text = self.ptx(kind, given[0][0] if given else None)
        digest, more = np.zeros(1, "u8"), np.zeros(4)
        try:
            self.run(text, given, [digest, more])
        except import_module("machine").Trap:
            if x is None:  # known when compiling, where it can be refused: what traps is a read at null
                raise Fault("the kernel reads at null") from None
            raise
        return [int(digest[0]), more.tolist()]

    def run(
        self, text: str, typed: Sequence[tuple[Any, Any]], outputs: Sequence[np.ndarray[Any, Any]]
    ) -> None:
        """Run a kernel with arguments and their types, and arrays that it fills."""
        machine = import_module("machine")
        run = machine.Machine(text, 1 << 17)
        # Aligned as on the host: what lies there may ask for it.
        places = []
        bases = [*self._bases, *self._copied(x for _, x in typed)]
        for b in bases:
            before = b.ctypes.data % 64
            places.append((b.ctypes.data, b.nbytes, run.place(bytes(before) + b.tobytes(), 64) + before))
        filled = [run.place(bytes(out.nbytes)) for out in outputs]
        sizes, given = machine.parameters(text), list[bytes]()
        for kind, value in typed:
            given += _parameters(kind, value, sizes[len(given) :])
        moved = [_moved(value, places) for value in given]
        for place, out in zip(filled, outputs, strict=True):
            moved += machine.array(place, out.shape, out.itemsize)
        try:
            run.run(*moved)
        except AssertionError as error:
            raise Fault(re.sub(r"0x\w+", "an address", str(error))) from None
        for base, (_, size, place) in zip(bases, places, strict=True):
            base[:] = np.frombuffer(bytes(run.memory[place : place + size]), "u1")
        for place, out in zip(filled, outputs, strict=True):
            out[...] = np.frombuffer(bytes(run.memory[place : place + out.nbytes]), out.dtype)

    def _copied(self, values: Iterable[Any]) -> Iterator[np.ndarray[Any, Any]]:
        """The memory of arrays beside the target's own, which a launch of Numba's copies to the device and back."""
        own = [(b.ctypes.data, b.ctypes.data + b.nbytes) for b in self._bases]
        for x in values:
            if isinstance(x, np.ndarray) and not any(a <= x.ctypes.data <= e for a, e in own):
                yield x.reshape(-1).view("u1")


def typed_as(x: Any) -> Any:
    """The type that a launch of Numba's gives an argument."""
    found = import_module("numba.cuda.typing.typeof")
    return found.typeof(x, found.Purpose.argument)


def _parameters(typed: Any, x: Any, sizes: Sequence[tuple[int, int]]) -> list[bytes]:
    """The bytes of a kernel's parameters for an argument, as Numba's launch prepares them."""
    from numba import types
    from numba.cuda import dispatcher

    if isinstance(typed, types.Array):
        numbers = (0, 0, x.size, x.itemsize, x.ctypes.data, *x.shape, *x.strides)
        return [n.to_bytes(8, "little", signed=True) for n in numbers]
    if isinstance(typed, types.Record):
        raise Lacks("a launch of Numba's copies elements of arrays")
    found: list[Any] = []
    kernel = SimpleNamespace(extensions=())
    kernel._prepare_args = partial(dispatcher._Kernel._prepare_args, kernel)
    kernel._prepare_args(typed, x, None, [], found)
    return [_bytes(value, size) for value, (size, _) in zip(found, sizes, strict=False)]


def _bytes(value: Any, size: int) -> bytes:
    """One parameter: a number, or what samebytes passes by value."""
    if isinstance(value, np.generic):
        return value.tobytes()
    if isinstance(held := getattr(value, "data", None), ctypes.Array):
        return bytes(held)
    if isinstance(value, ctypes._SimpleCData):
        return bytes(value)
    return int(value).to_bytes(size, "little", signed=value < 0)


def _moved(value: bytes, places: Sequence[tuple[int, int, int]]) -> bytes:
    """A parameter with the addresses in it as the machine has them."""
    moved = bytearray(value)
    for at in range(0, len(value) - 7, 8):
        number = int.from_bytes(value[at : at + 8], "little")
        for address, size, place in places:
            if address <= number <= address + size:
                moved[at : at + 8] = (number - address + place).to_bytes(8, "little")
    return bytes(moved)
