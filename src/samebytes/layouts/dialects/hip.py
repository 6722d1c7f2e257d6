"""Dialect hip: HIP C++ for AMD devices on x86-64 Linux, the same bytes in host and device code."""

from __future__ import annotations

from ...types import ELEMENTS, SCALARS
from .base import Dialect, Native
from .cxx import DIALECT as CXX

_COMPLEX, _HALF, _OURS = "<hip/hip_complex.h>", "<hip/hip_fp16.h>", "<samebytes/hip.hpp>"

# name: spelling, bytes, alignment, header
_NUMBERS = {
    "float16": Native("__half", 2, 2, _HALF),
    "bfloat16": Native("samebytes::hip::bfloat16", 2, 2, _OURS),
    "float8e4m3": Native("samebytes::hip::float8e4m3", 1, 1, _OURS),
    "float8e5m2": Native("samebytes::hip::float8e5m2", 1, 1, _OURS),
    "complex64": Native("hipFloatComplex", 8, 8, _COMPLEX),
    "complex128": Native("hipDoubleComplex", 16, 16, _COMPLEX),
}

# The first word of HIP's vectors (hip_vector_types.h); the number follows.
_WORDS = {
    "int8": "char", "int16": "short", "int32": "int", "int64": "longlong",
    "uint8": "uchar", "uint16": "ushort", "uint32": "uint", "uint64": "ulonglong",
    "float32": "float", "float64": "double",
}  # fmt: skip


def _spelling(element: str, size: int) -> tuple[str, str]:
    if element in _WORDS:
        return f"{_WORDS[element]}{size}", "<hip/hip_runtime.h>"
    if size == 1:
        return _NUMBERS[element].spelling, _NUMBERS[element].include
    if (element, size) == ("float16", 2):
        return "__half2", _HALF
    return f"samebytes::hip::{element}x{size}", _OURS


def _vector(element: str, size: int) -> Native:
    # Two and four elements are Clang's vector extension, aligned as a whole, also beyond 16 bytes where CUDA
    # stops; three are an array (hip_vector_types.h).
    spelling, include = _spelling(element, size)
    one = SCALARS[element].size
    return Native(spelling, size * one, size * one if size in (2, 4) else one, include)


# Of AMD's compiler (Clang 15 to 19, gfx90a): a long double has 8 bytes on the device, a 128-bit integer's place in the
# arguments of a kernel is a multiple of 8, a __float128 is refused.
_APART = frozenset({"long double", "__float128", "__int128", "unsigned __int128"})

DIALECT = Dialect(
    name="hip",
    natives=_NUMBERS | {f"{name}x{size}": _vector(name, size) for name in ELEMENTS for size in (1, 2, 3, 4)},
    support=("<samebytes/layout.hpp>",),
    offsetof="SAMEBYTES_OFFSETOF",
    same="samebytes::is_same<{}, {}>",
    parent=CXX,
    apart=_APART,
)
