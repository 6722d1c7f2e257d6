"""The arrays of the matrix: their element types, their shapes, and the memory of which every library shows one."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
    "float32", "float64", "complex64", "complex128", "float8_e4m3fn",
)  # fmt: skip

# DLPack's code and bits (dlpack.h, DLDataTypeCode)
CODES = {
    "bool": (6, 8), "int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "int64": (0, 64), "uint8": (1, 8),
    "uint16": (1, 16), "uint32": (1, 32), "uint64": (1, 64), "float16": (2, 16), "bfloat16": (4, 16),
    "float32": (2, 32), "float64": (2, 64), "complex64": (5, 64), "complex128": (5, 128),
    "float8_e4m3fn": (10, 8),
}  # fmt: skip

SHAPES = ("0-d", "empty", "1-d", "strided", "negative", "broadcast", "Fortran", "read-only")


def dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def numbers(name: str) -> np.ndarray[Any, Any]:
    """Six elements, different where the format can tell them apart; aligned to 64 bytes: JAX shares nothing less."""
    kind = dtype(name)
    room = np.zeros(64 + 6 * kind.itemsize, "u1")
    made = room[-room.ctypes.data % 64 :][: 6 * kind.itemsize].view(kind)
    made[:] = np.arange(6, dtype="u1").astype(kind) if name != "bool" else np.array([0, 1, 1, 0, 1, 0], "?")
    return made


def shaped(x: np.ndarray[Any, Any], shape: str) -> np.ndarray[Any, Any]:
    """One of the shapes of the matrix, as a view."""
    found = {
        "0-d": lambda: x[:1].reshape(()),
        "empty": lambda: x[:0],
        "1-d": lambda: x,
        "strided": lambda: x[1::2],
        "negative": lambda: x[::-1],
        "broadcast": lambda: np.lib.stride_tricks.as_strided(x, (3, 6), (0, x.itemsize)),
        "Fortran": lambda: x.reshape(2, 3).T,
        "read-only": lambda: x[:],
    }[shape]()
    if shape == "read-only":
        found.flags.writeable = False
    return found


@dataclass(frozen=True)
class Memory:
    """Six elements of a type, and the array of a shape that a producer is to show."""

    dtype: str
    shape: str
    all: np.ndarray[Any, Any]  # the elements, always writable
    shown: np.ndarray[Any, Any]

    @property
    def address(self) -> int:
        """Address of the element with all indices 0."""
        return int(self.shown.__array_interface__["data"][0])

    @property
    def index(self) -> int:
        """Which of all elements that is."""
        return int(self.address - self.all.__array_interface__["data"][0]) // self.all.itemsize

    def flip(self) -> None:
        """Write another value there, through NumPy."""
        self.all[self.index] = self.other()

    def other(self) -> Any:
        """A value that it does not have."""
        return self.all.dtype.type(0 if self.all[self.index] else 1)


def memory(name: str, shape: str) -> Memory:
    everything = numbers(name)
    return Memory(name, shape, everything, shaped(everything, shape))


@cache
def nanobind_peer() -> Any:
    """The extension of nanobind_peer.cpp, built once a session."""
    nanobind = import_module("nanobind")
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source = nanobind.source_dir()
    include = (sysconfig.get_path("include"), nanobind.include_dir(), f"{source}/../ext/robin_map/include")
    subprocess.run(
        ["g++", "-std=c++17", "-w", "-shared", "-fPIC", "-fvisibility=hidden", *(f"-I{i}" for i in include),
         str(Path(__file__).with_name("nanobind_peer.cpp")), f"{source}/nb_combined.cpp",
         "-o", f"{folder}/nanobind_peer.so"],
        check=True,
    )  # fmt: skip
    sys.path.insert(0, folder)
    try:
        return import_module("nanobind_peer")
    finally:
        sys.path.remove(folder)
