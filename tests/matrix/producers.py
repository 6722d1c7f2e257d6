"""The producers of the matrix: how each library shows given memory as an array of its own."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

import samebytes as sb

from .arrays import CODES, Memory, nanobind_peer, shaped
from .limits import Lacks


class ByCapsule:
    """Memory that speaks DLPack alone: NumPy's own arrays have none for ml_dtypes' types."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.view = sb.view(array)

    def __dlpack__(self, **how: Any) -> Any:
        return self.view.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def _torch(memory: Memory) -> Any:
    torch = import_module("torch")
    x = torch.frombuffer(memory.all.view("u1"), dtype=getattr(torch, memory.dtype))
    made = {
        "0-d": lambda: x[0],
        "empty": lambda: x[:0],
        "1-d": lambda: x,
        "strided": lambda: x[1::2],
        "negative": lambda: x[::-1],
        "broadcast": lambda: x.expand(3, 6),
        "Fortran": lambda: x.reshape(2, 3).T,
    }
    if memory.shape not in made:
        raise Lacks("torch has no read-only tensors")
    return made[memory.shape]()


def _jax(memory: Memory) -> Any:
    jax = import_module("jax")
    # All its arrays are read-only; it takes none that is so already.
    shown = memory.all if memory.shape == "read-only" else memory.shown
    with jax.enable_x64(True):
        return jax.numpy.from_dlpack(ByCapsule(shown), copy=False)


def _pyarrow_array(memory: Memory) -> Any:
    pyarrow = import_module("pyarrow")
    if memory.shape not in ("empty", "1-d", "read-only"):
        raise Lacks("pyarrow.Array has one dimension without gaps")
    if memory.dtype == "bool":
        return pyarrow.array(memory.shown)
    pyarrow.array(memory.shown)  # refuses what Arrow has no type for
    buffer = pyarrow.py_buffer(memory.shown)
    return pyarrow.Array.from_buffers(getattr(pyarrow, memory.dtype)(), memory.shown.size, [None, buffer])


def _pyarrow_tensor(memory: Memory) -> Any:
    return import_module("pyarrow").Tensor.from_numpy(memory.shown)


def _tvm(memory: Memory) -> Any:
    return import_module("tvm_ffi").from_dlpack(ByCapsule(memory.shown))


def _nanobind(memory: Memory) -> Any:
    x = memory.shown
    strides = [s // x.itemsize for s in x.strides]
    return nanobind_peer().show(
        memory.address, x.shape, strides, CODES[memory.dtype], x, memory.shape == "read-only"
    )


def _array(memory: Memory) -> Any:
    codes = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
             "uint64": "Q", "float32": "f", "float64": "d"}  # fmt: skip
    if memory.dtype not in codes:
        raise Lacks("array.array has integers, float and double only")
    if memory.shape not in ("empty", "1-d"):
        raise Lacks("array.array has one dimension without gaps, always writable")
    tried = [array.array(codes[memory.dtype], memory.shown.tobytes())]
    while (
        memory.shown.size and tried[-1].buffer_info()[0] % 64 == 0
    ):  # JAX shares what is aligned to 64 bytes
        tried.append(tried[-1][:])
    return _moved(memory, tried[-1])


def _ctypes(memory: Memory) -> Any:
    codes = {"bool": "bool", "float32": "float", "float64": "double"}
    element = getattr(ctypes, f"c_{codes.get(memory.dtype, memory.dtype)}", None)
    if element is None:
        raise Lacks("ctypes has no such element type")
    kinds = {"0-d": element, "empty": element * 0, "1-d": element * 6}
    if memory.shape not in kinds:
        raise Lacks("ctypes' arrays are in C order without gaps, and writable")
    return kinds[memory.shape].from_buffer(memory.all)


def _moved(memory: Memory, made: Any) -> Any:
    """A library that has memory of its own: what is shown is that."""
    everything = np.frombuffer(made, memory.all.dtype)
    object.__setattr__(memory, "all", everything)
    object.__setattr__(memory, "shown", everything)
    return made


def _described(memory: Memory, name: str, **entries: Any) -> Any:
    """An object with one attribute: a dict of the entries that three protocols share, and its own."""
    x = memory.shown
    if x.dtype.kind not in "biufc":
        raise Lacks(f"{name} has no word for bfloat16 and the 8-bit floats")
    facts = {"shape": x.shape, "typestr": x.dtype.str, "strides": x.strides,
             "data": (memory.address, memory.shape == "read-only")}  # fmt: skip
    return SimpleNamespace(**{name: facts | entries}, memory=x)


def _suai(memory: Memory) -> Any:
    """USM of kind shared; the pointer is the allocation's, and the strides count elements."""
    x, start = memory.shown, memory.all.__array_interface__["data"][0]
    strides = tuple(s // x.itemsize for s in x.strides)
    data, offset = (start, memory.shape == "read-only"), (memory.address - start) // x.itemsize
    made = _described(
        memory,
        "__sycl_usm_array_interface__",
        version=1,
        syclobj="cpu",
        strides=strides,
        data=data,
        offset=offset,
    )
    made.usm_type = "shared"
    return made


def _device_array(memory: Memory) -> Any:
    """Host memory of its own, and shapes by its own operations."""
    own = sb.DeviceArray.from_host(memory.all, memory.all.dtype, align=64)
    made = {
        "0-d": lambda: own[:1].reshape(()),
        "empty": lambda: own[:0],
        "1-d": lambda: own,
        "strided": lambda: own[1::2],
        "negative": lambda: own[::-1],
        "Fortran": lambda: own.reshape(2, 3).T,
    }
    if memory.shape not in made:
        raise Lacks("a DeviceArray has an element of its own for each index, and may be written to")
    everything = np.asarray(own)
    object.__setattr__(memory, "all", everything)
    object.__setattr__(memory, "shown", shaped(everything, memory.shape))
    return made[memory.shape]()


PRODUCERS: dict[str, Callable[[Memory], Any]] = {
    "numpy": lambda memory: memory.shown,
    "torch": _torch,
    "jax": _jax,
    "pyarrow.Array": _pyarrow_array,
    "pyarrow.Tensor": _pyarrow_tensor,
    "tvm-ffi": _tvm,
    "nanobind": _nanobind,
    "memoryview": lambda memory: memoryview(memory.shown),
    "array.array": _array,
    "ctypes": _ctypes,
    "__array_interface__": lambda memory: _described(memory, "__array_interface__", version=3),
    "__cuda_array_interface__": lambda memory: _described(memory, "__cuda_array_interface__", version=3),
    "__sycl_usm_array_interface__": _suai,
    "samebytes.DeviceArray": _device_array,
    "samebytes.view": lambda memory: sb.view(memory.shown),
}
