"""samebytes: call native C++ from Python with the same bytes on both sides, proven by the compiler.

``compile`` and ``bind`` make libraries from C++; ``struct``, ``array``, ``float32x4`` … name types in Python;
``layout``, ``pack``, ``declare`` show what the compiler will see.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes as _ml_dtypes
import numpy as _numpy

from ._native import Pointer
from .adapters.device_array import DeviceArray
from .adapters.launch_extra import KernelParams, LaunchExtra
from .adapters.lists import (
    ListOfBytes,
    ListOfInt,
    ListOfInt64,
    ListOfLong,
    ListOfPointer,
    ListOfUInt64,
    ListOfUnsigned,
    ListOfUnsignedLong,
)
from .build import bind, compile
from .callbacks import callback
from .conversion import pack, unpack
from .dialects import alignof, declare, layout, sizeof
from .errors import (
    AllocationError,
    ArgumentError,
    ArrayError,
    ArrayIndexError,
    BindError,
    BindWarning,
    CompileError,
    Error,
    IntentError,
    LayoutError,
    MissingDependency,
    ProtocolError,
    RangeError,
    StatusError,
)
from .explaining import explain
from .intents import in_, inout_ptr, out_array_return, out_ptr, out_return, owned
from .make.request import get_include
from .mdspan import DLTensor, Mdspan, to_device_mdspan, to_host_mdspan, to_managed_mdspan
from .mirrors import mirror
from .numba_ext import numba_signatures, numba_type
from .oracle import prove
from .promotion import result_type
from .protocols import view
from .representation import machine_representation
from .toolchain.kernel_metadata import ArgumentPlace, kernel_arguments
from .types import ELEMENTS as _ELEMENTS
from .types import Array as array  # noqa: N813
from .types import CArray as carray  # noqa: N813
from .types import Const as const  # noqa: N813
from .types import Pointer as pointer  # noqa: N813
from .types import align, as_type
from .types import atomic as Atomic  # noqa: N812
from .values.ending import delete
from .values.struct import struct
from .values.vector import vector
from .version import __version__ as __version__

int8, int16, int32, int64 = _numpy.int8, _numpy.int16, _numpy.int32, _numpy.int64
uint8, uint16, uint32, uint64 = _numpy.uint8, _numpy.uint16, _numpy.uint32, _numpy.uint64
float16, float32, float64 = _numpy.float16, _numpy.float32, _numpy.float64
complex64, complex128 = _numpy.complex64, _numpy.complex128
bfloat16, float8e4m3, float8e5m2 = _ml_dtypes.bfloat16, _ml_dtypes.float8_e4m3fn, _ml_dtypes.float8_e5m2

_VECTORS = {f"{element}x{size}": (element, size) for element in _ELEMENTS for size in (1, 2, 3, 4)}


def __getattr__(name: str) -> Any:
    """The vector classes, made when they are first named."""
    if name in _VECTORS:
        element, size = _VECTORS[name]
        found = globals()[name] = vector(globals()[element], size)
        return found
    raise AttributeError(f"module 'samebytes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_VECTORS})


__all__ = [
    "AllocationError",
    "ArgumentError",
    "ArgumentPlace",
    "ArrayError",
    "ArrayIndexError",
    "Atomic",
    "BindError",
    "BindWarning",
    "CompileError",
    "DLTensor",
    "DeviceArray",
    "Error",
    "IntentError",
    "KernelParams",
    "LaunchExtra",
    "LayoutError",
    "ListOfBytes",
    "ListOfInt",
    "ListOfInt64",
    "ListOfLong",
    "ListOfPointer",
    "ListOfUInt64",
    "ListOfUnsigned",
    "ListOfUnsignedLong",
    "Mdspan",
    "MissingDependency",
    "Pointer",
    "ProtocolError",
    "RangeError",
    "StatusError",
    "align",
    "alignof",
    "array",
    "as_type",
    "bfloat16",
    "bind",
    "callback",
    "carray",
    "compile",
    "complex64",
    "complex128",
    "const",
    "declare",
    "delete",
    "explain",
    "float8e4m3",
    "float8e5m2",
    "float16",
    "float32",
    "float64",
    "get_include",
    "in_",
    "inout_ptr",
    "int8",
    "int16",
    "int32",
    "int64",
    "kernel_arguments",
    "layout",
    "machine_representation",
    "mirror",
    "numba_signatures",
    "numba_type",
    "out_array_return",
    "out_ptr",
    "out_return",
    "owned",
    "pack",
    "pointer",
    "prove",
    "result_type",
    "sizeof",
    "struct",
    "to_device_mdspan",
    "to_host_mdspan",
    "to_managed_mdspan",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unpack",
    "vector",
    "view",
]
