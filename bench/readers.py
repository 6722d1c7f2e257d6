"""What views are compared on: arrays of every library, and the functions of others that describe any array."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from cases import LENGTH
from peers.base import LeftOut

SHAPE = (8, 6)
FIRST = 1.5  # the first element; the others follow in steps of 1


class Shown:
    """Shows memory by a dict, as an attribute of its own."""

    def __init__(self, name: str, facts: dict[str, Any], owner: Any = None) -> None:
        setattr(self, name, facts)
        self.owner = owner


def _numpy(shape: tuple[int, ...] = SHAPE) -> Any:
    return (np.arange(math.prod(shape), dtype=np.float32) + np.float32(FIRST)).reshape(shape)


def _dict(shape: tuple[int, ...] = SHAPE) -> Any:
    x = _numpy(shape)
    return Shown("__array_interface__", x.__array_interface__, x)


def _cai() -> Any:
    facts = {"shape": SHAPE, "typestr": "<f4", "data": (1 << 40, False), "strides": None, "version": 3}
    return Shown("__cuda_array_interface__", facts)


def _torch(shape: tuple[int, ...] = SHAPE) -> Any:
    return import_module("torch").arange(FIRST, FIRST + math.prod(shape)).reshape(shape)


def _jax(shape: tuple[int, ...] = SHAPE) -> Any:
    return import_module("jax.numpy").arange(FIRST, FIRST + math.prod(shape)).reshape(shape)


def _tvm(shape: tuple[int, ...] = SHAPE) -> Any:
    return import_module("tvm_ffi").from_dlpack(_numpy(shape))


SOURCES: dict[str, Callable[[], Any]] = {
    "NumPy": _numpy, "torch": _torch, "JAX": _jax, "tvm-ffi": _tvm, "CAI": _cai, "dict": _dict,
    "buffer": lambda: bytearray(192),
}  # fmt: skip

_LINE = (LENGTH,)
ARGUMENTS: dict[str, Callable[[], Any]] = {
    "NumPy": lambda: _numpy(_LINE),
    "torch": lambda: _torch(_LINE),
    "JAX": lambda: _jax(_LINE),
    "tvm-ffi": lambda: _tvm(_LINE),
    "dict": lambda: _dict(_LINE),
    "memoryview": lambda: memoryview(_numpy(_LINE)),
    "sb.view": lambda: import_module("samebytes").view(_numpy(_LINE)),
}


@dataclass(frozen=True)
class Reader:
    """A function by its place, its distribution, what it reads, further arguments, and what it leaves as it is."""

    name: str
    place: str
    package: str
    sources: tuple[str, ...] = tuple(SOURCES)
    more: tuple[Any, ...] = ()
    own: str = ""

    def load(self) -> Callable[..., Any]:
        """The function; raises LeftOut if it is not installed."""
        try:
            version(self.package)
            module, _, path = self.place.partition(":")
            found: Any = import_module(module)
            for name in path.split("."):
                found = getattr(found, name)
        except PackageNotFoundError:
            raise LeftOut(f"Views: {self.name} is left out: {self.package} is not installed.") from None
        except (ImportError, AttributeError) as error:
            raise LeftOut(f"Views: {self.name} is left out: {error}") from None
        return found


_TENSORS = ("NumPy", "torch", "JAX", "tvm-ffi")
_CUDA = "cuda.core.utils:StridedMemoryView"
_UNORDERED = (-1,)  # cuda.core's stream pointer: there is no stream to order

READERS = {
    reader.name: reader
    for reader in (
        Reader("samebytes", "samebytes:view", "samebytes", own="NumPy"),
        Reader("np.from_dlpack", "numpy:from_dlpack", "numpy", _TENSORS),
        Reader("np.asarray", "numpy:asarray", "numpy", ("torch", "JAX", "tvm-ffi", "dict", "buffer"), own="NumPy"),
        Reader("memoryview", "builtins:memoryview", "numpy", ("NumPy", "JAX", "buffer")),
        Reader("torch.from_dlpack", "torch:from_dlpack", "torch", _TENSORS),
        Reader("torch.from_numpy", "torch:from_numpy", "torch", ("NumPy",)),
        Reader("torch.as_tensor", "torch:as_tensor", "torch", ("NumPy", "CAI"), own="torch"),
        Reader("jax.dlpack.from_dlpack", "jax.dlpack:from_dlpack", "jax", _TENSORS),
        Reader("tvm_ffi.from_dlpack", "tvm_ffi:from_dlpack", "apache-tvm-ffi", _TENSORS),
        Reader("StridedMemoryView, any", f"{_CUDA}.from_any_interface", "cuda-core", (*_TENSORS, "CAI"), _UNORDERED),
        Reader("StridedMemoryView, DLPack", f"{_CUDA}.from_dlpack", "cuda-core", _TENSORS, _UNORDERED),
        Reader("StridedMemoryView, CAI", f"{_CUDA}.from_cuda_array_interface", "cuda-core", ("CAI",), _UNORDERED),
        Reader("StridedMemoryView, dict", f"{_CUDA}.from_array_interface", "cuda-core", ("dict",)),
    )
}  # fmt: skip
