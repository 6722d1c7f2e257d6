"""The same refusals where samebytes has no part: a limit of a library is shown to be its own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from .arrays import dtype
from .consumers import CONSUMERS


def _take(consumer: str, x: Any) -> Any:
    return CONSUMERS[consumer].take(x)


def _zeros(start: int = 0, step: int = 1, *, readonly: bool = False) -> Any:
    """Numbers of which the first before ``start`` is aligned to 64 bytes."""
    made = np.zeros(64, "f4")
    made.flags.writeable = not readonly
    return made[-(made.ctypes.data // 4) % 16 :][start : start + 8][::step]


def _torch(name: str) -> Any:
    torch = import_module("torch")
    return torch.zeros(2, dtype=getattr(torch, name))


def _characters(x: Any) -> Any:
    return (ctypes.c_char * 16).from_buffer(x)


ALONE: dict[str, Callable[[], Any]] = {
    "jax: strides": lambda: _take("jax.from_dlpack", _zeros(step=2)),
    "jax: alignment": lambda: _take("jax.from_dlpack", _zeros(start=1)),
    "jax: read-only": lambda: _take("jax.from_dlpack", _zeros(readonly=True)),
    "numpy: types": lambda: _take("numpy.from_dlpack", _torch("bfloat16")),
    "buffer: order": lambda: _take("pyarrow.py_buffer", _zeros(step=2)),
    "Tensor: negative": lambda: _take("pyarrow.Tensor", _zeros(step=-1)),
    "Tensor: types": lambda: _take("pyarrow.Tensor", np.zeros(2, "c8")),
    "tvm: read-only": lambda: import_module("tvm_ffi").from_dlpack(_zeros(readonly=True)),
    "tvm: complex": lambda: _take("tvm_ffi.from_dlpack", np.zeros(2, "c8")),
    "cuda: types": lambda: _take("cuda.core", _torch("float8_e4m3fn")),
    "memoryview: types": lambda: memoryview(np.zeros(2, dtype("bfloat16"))),
    "ctypes: order": lambda: _characters(_zeros(step=2)),
    "ctypes: read-only": lambda: _characters(_zeros(readonly=True)),
}
