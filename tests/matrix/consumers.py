"""The consumers of the matrix: how each library takes an array, what it then knows of it, reads in it and writes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

import samebytes as sb

from .arrays import CODES, dtype, nanobind_peer


@dataclass(frozen=True)
class Seen:
    """What a consumer says of what it took; None where it has no such notion.

    Attributes
    ----------
    read : callable
        All elements' bytes as the consumer reads them, in the order ``order`` (NumPy's ``tobytes``).
    write : callable or None
        Puts a value where all indices are 0; None where the library cannot write.
    """

    address: int
    shape: tuple[int, ...] | None
    dtype: str | None
    readonly: bool | None
    read: Callable[[], bytes]
    write: Callable[[Any], Any] | None = None
    order: str = "C"


@dataclass(frozen=True)
class Consumer:
    take: Callable[[Any], Any]
    see: Callable[[Any], Seen]
    notes: str = ""


def _numpy(x: Any) -> Seen:
    return Seen(
        x.__array_interface__["data"][0], x.shape, x.dtype.name, not x.flags.writeable, x.tobytes,
        lambda value: x.__setitem__((0,) * x.ndim, value),
    )  # fmt: skip


def _torch(x: Any) -> Seen:
    torch = import_module("torch")
    return Seen(
        x.data_ptr(), tuple(x.shape), str(x.dtype).partition(".")[2], None,
        lambda: x.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes(),
        lambda value: x.__setitem__((0,) * x.ndim, complex(value) if x.is_complex() else float(value)),
    )  # fmt: skip


def _from_jax(view: Any) -> Any:
    jax = import_module("jax")
    with jax.enable_x64(True):
        return jax.numpy.from_dlpack(view, copy=False)


def _jax(x: Any) -> Seen:
    copied = import_module("jax").numpy.copy  # computed anew: a NumPy view of it is made once
    return Seen(
        x.unsafe_buffer_pointer(), x.shape, x.dtype.name, True, lambda: np.asarray(copied(x)).tobytes()
    )


def _buffer(x: Any) -> Seen:
    """pyarrow.Buffer: bytes in the order of memory."""
    return Seen(x.address, None, None, not x.is_mutable, x.to_pybytes, lambda v: _poke(x.address, v), "A")


_ARROW = {"halffloat": "float16", "float": "float32", "double": "float64"}


def _tensor(x: Any) -> Seen:
    seen = x.to_numpy()
    name = _ARROW.get(str(x.type), str(x.type))
    return Seen(
        seen.__array_interface__["data"][0], x.shape, name, not x.is_mutable, lambda: x.to_numpy().tobytes()
    )


def _poke(address: int, value: Any) -> None:
    ctypes.memmove(address, value.tobytes(), value.itemsize)


def _raw(address: int, shape: Any, strides: Any, name: str) -> Callable[[], bytes]:
    """The elements at an address, by strides in bytes (None: C order): for libraries that compute on devices only."""
    size = dtype(name).itemsize
    steps = strides or np.empty(shape, f"V{size}").strides

    def read() -> bytes:
        places = (
            address + sum(i * s for i, s in zip(at, steps, strict=True)) for at in product(*map(range, shape))
        )
        return b"".join(ctypes.string_at(p, size) for p in places)

    return read


_CODES = {code: name for name, code in CODES.items()}


def _from_tvm(view: Any) -> Any:
    made = import_module("tvm_ffi").from_dlpack(view)
    getattr(made, "dtype")  # noqa: B009 - found when it is first asked
    return made


def _tvm(x: Any) -> Seen:
    name = _CODES[x.dtype.type_code, x.dtype.bits]
    strides = tuple(s * dtype(name).itemsize for s in x.strides)
    return Seen(x.data_ptr(), tuple(x.shape), name, None, _raw(x.data_ptr(), tuple(x.shape), strides, name))


def _nanobind(x: Any) -> Seen:
    name = _CODES[x.dtype[:2]]
    places = list(product(*map(range, x.shape)))
    return Seen(
        x.address, x.shape, name, x.readonly, lambda: b"".join(x.read(p) for p in places),
        lambda value: x.write((0,) * len(x.shape), value.tobytes()),
    )  # fmt: skip


_LETTERS = {
    "?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64", "B": "uint8", "H": "uint16", "I": "uint32",
    "L": "uint64", "e": "float16", "f": "float32", "d": "float64", "Zf": "complex64", "Zd": "complex128",
}  # fmt: skip


def _memoryview(x: memoryview) -> Seen:
    array = np.asarray(x)
    native = str(x.format)[0] not in "eZ"  # memoryview itself writes no half and no complex numbers
    return Seen(
        array.__array_interface__["data"][0], x.shape, _LETTERS[str(x.format)], x.readonly, x.tobytes,
        (lambda value: x.__setitem__((0,) * x.ndim, value.item())) if native else None,
    )  # fmt: skip


def _from_ctypes(view: Any) -> Any:
    return (ctypes.c_char * view.nbytes).from_buffer(view)


def _ctypes(x: Any) -> Seen:
    return Seen(
        ctypes.addressof(x),
        None,
        None,
        False,
        lambda: x.raw,
        lambda v: x.__setitem__(slice(v.itemsize), v.tobytes()),
    )


def _from_cuda(view: Any) -> Any:
    made = import_module("cuda.core.utils").StridedMemoryView.from_any_interface(view, stream_ptr=-1)
    getattr(made, "dtype")  # noqa: B009 - found when it is first asked
    return made


def _cuda(x: Any) -> Seen:
    kind = np.dtype(x.dtype)
    strides = None if x.strides is None else tuple(s * kind.itemsize for s in x.strides)
    return Seen(x.ptr, x.shape, kind.name, x.readonly, _raw(x.ptr, x.shape, strides, kind.name))


def _dict(name: str, notes: str, *, elements: bool) -> Consumer:
    """A reader of an interface's dict that knows what its specification says, and nothing of us."""

    def see(facts: dict[str, Any]) -> Seen:
        assert (facts["version"], set(facts) >= {"shape", "typestr", "data"}) == (1 if elements else 3, True)
        kind = np.dtype(facts["typestr"])
        steps = facts.get("strides")
        if elements and steps is not None:
            steps = tuple(s * kind.itemsize for s in steps)
        address, readonly = facts["data"]
        address += facts.get("offset", 0) * kind.itemsize
        return Seen(
            address, facts["shape"], kind.name, readonly, _raw(address, facts["shape"], steps, kind.name)
        )

    return Consumer(lambda view: getattr(view, name), see, notes)


def _view(x: Any) -> Seen:
    return Seen(
        x.ptr, x.shape, dtype({"float8e4m3": "float8_e4m3fn"}.get(x.dtype_name, x.dtype_name)).name, x.readonly,
        _raw(x.ptr, x.shape, x.byte_strides, x.type.dtype.name),
    )  # fmt: skip


CONSUMERS: dict[str, Consumer] = {
    "numpy.asarray": Consumer(np.asarray, _numpy),
    "numpy.from_dlpack": Consumer(np.from_dlpack, _numpy),
    "torch.from_dlpack": Consumer(lambda x: import_module("torch").from_dlpack(x), _torch),
    "torch.as_tensor": Consumer(lambda x: import_module("torch").as_tensor(x), _torch),
    "jax.from_dlpack": Consumer(_from_jax, _jax),
    "pyarrow.py_buffer": Consumer(
        lambda x: import_module("pyarrow").py_buffer(x), _buffer, "bytes, no elements"
    ),
    "pyarrow.Tensor": Consumer(lambda x: import_module("pyarrow").Tensor.from_dlpack(x), _tensor),
    "tvm_ffi.from_dlpack": Consumer(_from_tvm, _tvm),
    "nanobind": Consumer(lambda x: nanobind_peer().take(x), _nanobind, "an nb::ndarray argument"),
    "cuda.core": Consumer(_from_cuda, _cuda, "StridedMemoryView"),
    "memoryview": Consumer(memoryview, _memoryview),
    "ctypes": Consumer(_from_ctypes, _ctypes, "from_buffer: bytes, no elements"),
    "__cuda_array_interface__": _dict(
        "__cuda_array_interface__", "read as version 3 says; so CuPy and Numba take arrays", elements=False
    ),
    "__sycl_usm_array_interface__": _dict(
        "__sycl_usm_array_interface__", "read as version 1 says; so dpctl and dpnp take arrays", elements=True
    ),
    "samebytes.view": Consumer(sb.view, _view),
}

_MODULES = {"torch": "torch", "jax": "jax", "pyarrow": "pyarrow", "tvm-ffi": "tvm_ffi", "tvm_ffi": "tvm_ffi",
            "nanobind": "nanobind", "cuda": "cuda.core"}  # fmt: skip


def needed(name: str) -> str:
    """The module that a producer or consumer needs; empty: none beside NumPy."""
    return _MODULES.get(name.partition(".")[0], "")
