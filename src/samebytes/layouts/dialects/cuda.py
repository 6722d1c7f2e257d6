"""Dialect cuda: CUDA C++ on x86-64 Linux, the same bytes in host and device code, toolkits 12 and 13."""

from __future__ import annotations

from ...types import ELEMENTS, SCALARS
from .base import Dialect, Native
from .cxx import DIALECT as CXX

_STD, _COMPLEX = "<cuda/std/cstdint>", "<cuda/std/complex>"
_HALF, _BFLOAT, _FP8 = "<cuda_fp16.h>", "<cuda_bf16.h>", "<cuda_fp8.h>"
_OURS = "<samebytes/cuda.hpp>"

# CUDA Python device specification, "Fixed-Format Numbers". name: spelling, bytes, alignment, header
_NUMBERS = {
    "int8": Native("cuda::std::int8_t", 1, 1, _STD),
    "int16": Native("cuda::std::int16_t", 2, 2, _STD),
    "int32": Native("cuda::std::int32_t", 4, 4, _STD),
    "int64": Native("cuda::std::int64_t", 8, 8, _STD),
    "uint8": Native("cuda::std::uint8_t", 1, 1, _STD),
    "uint16": Native("cuda::std::uint16_t", 2, 2, _STD),
    "uint32": Native("cuda::std::uint32_t", 4, 4, _STD),
    "uint64": Native("cuda::std::uint64_t", 8, 8, _STD),
    "float16": Native("__half", 2, 2, _HALF),
    "bfloat16": Native("__nv_bfloat16", 2, 2, _BFLOAT),
    "float8e4m3": Native("__nv_fp8_e4m3", 1, 1, _FP8),
    "float8e5m2": Native("__nv_fp8_e5m2", 1, 1, _FP8),
    "complex64": Native("cuda::std::complex<float>", 8, 8, _COMPLEX),
    "complex128": Native("cuda::std::complex<double>", 16, 16, _COMPLEX),
}

# The first word of CUDA's vectors ("Vectors"); the number follows.
_WORDS = {
    "int8": "char", "int16": "short", "int32": "int", "int64": "longlong",
    "uint8": "uchar", "uint16": "ushort", "uint32": "uint", "uint64": "ulonglong",
    "float32": "float", "float64": "double",
}  # fmt: skip

# CUDA's own vectors of small floating formats; one element is the number itself, the rest are our structs.
_SMALL = {
    "float16x2": ("__half2", _HALF),
    "bfloat16x2": ("__nv_bfloat162", _BFLOAT),
    "float8e4m3x2": ("__nv_fp8x2_e4m3", _FP8),
    "float8e5m2x2": ("__nv_fp8x2_e5m2", _FP8),
    "float8e4m3x4": ("__nv_fp8x4_e4m3", _FP8),
    "float8e5m2x4": ("__nv_fp8x4_e5m2", _FP8),
}

# libcu++ keeps smaller atomics in a word of 32 bits and larger ones beside a lock.
_LOCK_FREE = ("int32", "int64", "uint32", "uint64", "float32", "float64", "pointer")


def _spelling(element: str, size: int) -> tuple[str, str]:
    name = f"{element}x{size}"
    if element in _WORDS and SCALARS[element].size * size <= 24:
        return f"{_WORDS[element]}{size}", "<vector_types.h>"
    if size == 1:
        return _NUMBERS[element].spelling, _NUMBERS[element].include
    return _SMALL.get(name, (f"samebytes::cuda::{name}", _OURS))


def _vector(element: str, size: int) -> Native:
    # The layout is the one that cxx takes over from CUDA.
    spelling, include = _spelling(element, size)
    extent = CXX.extent(f"{element}x{size}")
    return Native(spelling, extent.size, extent.align, include)


DIALECT = Dialect(
    name="cuda",
    natives=_NUMBERS | {f"{name}x{size}": _vector(name, size) for name in ELEMENTS for size in (1, 2, 3, 4)},
    support=("<samebytes/layout.hpp>",),
    offsetof="SAMEBYTES_OFFSETOF",
    same="samebytes::is_same<{}, {}>",
    parent=CXX,
    atomics=dict.fromkeys(_LOCK_FREE, ("cuda::std::atomic", "<cuda/std/atomic>")),
)
