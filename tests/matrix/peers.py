"""The producers and consumers of the matrix: how each library makes an array of our memory's kinds, and takes one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np

import samebytes as sb

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
    "float32", "float64", "complex64", "complex128", "float8_e4m3fn",
)  # fmt: skip

SHAPES = ("0-d", "empty", "1-d", "strided", "negative", "broadcast", "Fortran", "read-only")


def dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def numbers(name: str) -> np.ndarray[Any, Any]:
    """Six elements that every format holds, aligned to 64 bytes: JAX shares nothing less."""
    kind = dtype(name)
    room = np.zeros(64 + 6 * kind.itemsize, "u1")
    made = room[-room.ctypes.data % 64 :][: 6 * kind.itemsize].view(kind)
    made[:] = np.array([0, 1, 1, 0, 1, 0], "u1").astype(kind)
    return made


def shaped(x: np.ndarray[Any, Any], shape: str) -> np.ndarray[Any, Any]:
    """One of the shapes of the matrix, as a view."""
    if shape == "read-only":
        x.flags.writeable = False
    return {
        "0-d": lambda: x[1:2].reshape(()),
        "empty": lambda: x[:0],
        "1-d": lambda: x,
        "strided": lambda: x[::2],
        "negative": lambda: x[::-1],
        "broadcast": lambda: np.lib.stride_tricks.as_strided(x, (3, 6), (0, x.itemsize), writeable=True),
        "Fortran": lambda: x.reshape(2, 3).T,
        "read-only": lambda: x,
    }[shape]()


@dataclass(frozen=True)
class Made:
    """A producer's array, and the NumPy array of the same memory where there is one."""

    array: Any
    memory: np.ndarray[Any, Any] | None


def _torch(name: str, shape: str) -> Made:
    torch = import_module("torch")
    x = torch.tensor([0, 1, 1, 0, 1, 0], dtype=torch.uint8).to(getattr(torch, name))
    made = {
        "0-d": lambda: x[1],
        "empty": lambda: x[:0],
        "1-d": lambda: x,
        "strided": lambda: x[::2],
        "broadcast": lambda: x.expand(3, 6),
        "Fortran": lambda: x.reshape(2, 3).T,
    }
    return Made(made[shape](), _of_torch(made[shape]()))


def _of_torch(tensor: Any) -> np.ndarray[Any, Any]:
    torch = import_module("torch")
    raw = tensor.view({1: torch.uint8, 2: torch.int16}.get(tensor.element_size(), tensor.dtype)).numpy()
    return raw.view(dtype(str(tensor.dtype).partition(".")[2]))


def _jax(name: str, shape: str) -> Made:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    made = {"0-d": lambda x: x[1].reshape(()), "empty": lambda x: x[:0], "1-d": lambda x: x}[shape]
    return Made(jax.numpy.asarray(made(numbers(name))), None)


def _pyarrow(name: str, shape: str) -> Made:
    pyarrow = import_module("pyarrow")
    made = {"empty": lambda x: x[:0], "1-d": lambda x: x}[shape]
    return Made(pyarrow.array(made(numbers(name))), None)


def _numpy(name: str, shape: str) -> Made:
    x = shaped(numbers(name), shape)
    return Made(x, x)


def _ours(name: str, shape: str) -> Made:
    x = shaped(numbers(name), shape)
    return Made(sb.view(x), x)


def _memoryview(name: str, shape: str) -> Made:
    x = shaped(numbers(name), shape)
    return Made(memoryview(x), x)


def _tvm(name: str, shape: str) -> Made:
    x = shaped(numbers(name), shape)
    return Made(import_module("tvm_ffi").from_dlpack(_ByCapsule(x) if name == "bfloat16" else x), x)


class _ByCapsule:
    """NumPy's own arrays have no DLPack for ml_dtypes; our view does."""

    def __init__(self, x: Any) -> None:
        self.view = sb.view(x)

    def __dlpack__(self, **how: Any) -> Any:
        return self.view.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


PRODUCERS: dict[str, Callable[[str, str], Made]] = {
    "numpy": _numpy,
    "torch": _torch,
    "jax": _jax,
    "pyarrow": _pyarrow,
    "tvm-ffi": _tvm,
    "memoryview": _memoryview,
    "samebytes": _ours,
}


def _address_of_view(obj: Any) -> Any:
    return sb.view(obj).ptr


CONSUMERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], int]]] = {
    "numpy.asarray": (np.asarray, lambda x: x.__array_interface__["data"][0]),
    "numpy.from_dlpack": (np.from_dlpack, lambda x: x.__array_interface__["data"][0]),
    "torch.from_dlpack": (lambda x: import_module("torch").from_dlpack(x), lambda x: x.data_ptr()),
    "jax.from_dlpack": (
        lambda x: import_module("jax").numpy.from_dlpack(x, copy=False),
        lambda x: x.unsafe_buffer_pointer(),
    ),
    "tvm_ffi.from_dlpack": (lambda x: import_module("tvm_ffi").from_dlpack(x), _address_of_view),
    "memoryview": (memoryview, _address_of_view),
    "pyarrow.py_buffer": (lambda x: import_module("pyarrow").py_buffer(x), lambda x: x.address),
    "samebytes.view": (sb.view, lambda x: x.ptr),
}
NEEDS = {"torch": "torch", "jax": "jax", "pyarrow": "pyarrow", "tvm-ffi": "tvm_ffi", "tvm_ffi": "tvm_ffi"}
