"""The cases of facts/mdspan_cases.tsv as tensors, with libcu++'s outcome and ours where it differs on purpose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FACTS = Path(__file__).parents[1] / "facts"

# name: C++ with the test's own stand-ins, C++ with CUDA's headers, DLPack's code, bits and lanes
TYPES: dict[str, tuple[str, str, tuple[int, int, int]]] = {
    "int": ("int", "int", (0, 32, 1)),
    "bool": ("bool", "bool", (6, 8, 1)),
    "longlong": ("long long", "long long", (0, 64, 1)),
    "int128": ("__int128", "__int128", (0, 128, 1)),
    "float": ("float", "float", (2, 32, 1)),
    "half": ("__half", "__half", (2, 16, 1)),
    "bf16": ("__nv_bfloat16", "__nv_bfloat16", (4, 16, 1)),
    "half2": ("__half2", "__half2", (2, 16, 2)),
    "bf162": ("__nv_bfloat162", "__nv_bfloat162", (4, 16, 2)),
    "float2": ("float2", "float2", (2, 32, 2)),
    "float4": ("float4", "float4", (2, 32, 4)),
    "double4": ("double4_16a", "double4_16a", (2, 64, 4)),
    "complex64": ("cuda_complex<float>", "cuda::std::complex<float>", (5, 64, 1)),
    "complex128": ("cuda_complex<double>", "cuda::std::complex<double>", (5, 128, 1)),
    "complex32": ("cuda_complex<__half>", "cuda::std::complex<__half>", (5, 32, 1)),
    "e4m3": ("__nv_fp8_e4m3", "__nv_fp8_e4m3", (10, 8, 1)),
    "e8m0": ("__nv_fp8_e8m0", "__nv_fp8_e8m0", (14, 8, 1)),
    "fp6": ("__nv_fp6_e2m3", "__nv_fp6_e2m3", (15, 6, 1)),
    "fp6x2": ("__nv_fp6x2_e2m3", "__nv_fp6x2_e2m3", (15, 6, 2)),
    "fp6x4": ("__nv_fp6x4_e2m3", "__nv_fp6x4_e2m3", (15, 6, 4)),
    "fp4": ("__nv_fp4_e2m1", "__nv_fp4_e2m1", (17, 4, 1)),
    "fp4x2": ("__nv_fp4x2_e2m1", "__nv_fp4x2_e2m1", (17, 4, 2)),
    "fp4x4": ("__nv_fp4x4_e2m1", "__nv_fp4x4_e2m1", (17, 4, 4)),
}


@dataclass(frozen=True)
class Tensor:
    """A DLTensor; `data` is an offset in bytes from 256-aligned memory, None is NULL."""

    data: int | None = 0
    shape: tuple[int, ...] = (2, 3)
    strides: tuple[int, ...] = (3, 1)
    dtype: tuple[int, int, int] = (0, 32, 1)
    byte_offset: int = 0
    device: int = 1
    ndim: int | None = None


@dataclass(frozen=True)
class Case:
    name: str
    outcome: str
    element: str = "int"
    layout: str = "relaxed"
    function: str = "to_host_mdspan"
    tensor: Tensor = field(default_factory=Tensor)
    rank: int = 2


def _vector(element: str, dtype: tuple[int, int, int] | None = None, **tensor: Any) -> dict[str, Any]:
    return {
        "element": element,
        "rank": 1,
        "shape": (4,),
        "strides": (1,),
        "dtype": dtype or TYPES[element][2],
        **tensor,
    }


_BIG = 1 << 40
_DEVICES = {
    f"to_host, device_type={d}": {"device": d} for d in (1, 2, 4, 7, 8, 9, 10, 11, 13, 14, 16, 17, 18)
}

# What each case's name says, beside the defaults above.
_SAID: dict[str, dict[str, Any]] = {
    **_DEVICES,
    "valid C-contig 2x3": {},
    "padded rows 2x3 str 4,1": {"strides": (4, 1)},
    "ndim mismatch: 3 vs Rank 2": {"shape": (2, 3, 1), "strides": (3, 1, 1)},
    "ndim = -1": {"ndim": -1},
    "dtype mismatch int32 as float": {"element": "float"},
    "dtype int32 lanes=2 as int": {"dtype": (0, 32, 2)},
    "dtype lanes=0": {"dtype": (0, 32, 0)},
    "null data": {"data": None},
    "null data, zero size {0,3}": {"data": None, "shape": (0, 3)},
    "negative shape {2,-3}": {"shape": (2, -3)},
    "zero stride {0,1} (broadcast)": {"strides": (0, 1)},
    "to_device kDLCPU": {"function": "to_device_mdspan"},
    "to_device kDLCUDA (a host pointer, no GPU)": {"function": "to_device_mdspan", "device": 2},
    "to_device kDLCUDAManaged": {"function": "to_device_mdspan", "device": 13},
    "misaligned data (+2)": {"data": 2},
    "order: ndim+dtype+data wrong": {"ndim": 3, "element": "float", "data": None},
    "rank0 byte_offset 4": {"rank": 0, "shape": (), "strides": (), "byte_offset": 4},
    "zero size {0,3} str {3,1}": {"shape": (0, 3)},
    "zero size {0,3} str {0,0}": {"shape": (0, 3), "strides": (0, 0)},
    "zero size {0,3} F str {1,1}": {"shape": (0, 3), "strides": (1, 1)},
    "extent1 {1,3} str {999,1}": {"shape": (1, 3), "strides": (999, 1)},
    "extent1 {1,3} str {1,1}": {"shape": (1, 3), "strides": (1, 1)},
    "extent1 {3,1} str {1,1}": {"shape": (3, 1), "strides": (1, 1)},
    "extent1 {3,1} str {1,7}": {"shape": (3, 1), "strides": (1, 7)},
    "extent1 {1} str {-5}": {"rank": 1, "shape": (1,), "strides": (-5,)},
    "byte_offset 4": {"byte_offset": 4},
    "byte_offset 2": {"byte_offset": 2},
    "byte_offset 2^64-4": {"byte_offset": (1 << 64) - 4},
    "shape overflow 2^40,2^40,2": {"rank": 3, "shape": (_BIG, _BIG, 2), "strides": (1, 1, 1)},
    "overlapping str {1,1}": {"strides": (1, 1)},
    "bool <- kDLBool8": _vector("bool"),
    "bool <- kDLUInt8": _vector("bool", (1, 8, 1)),
    "long long <- int64": _vector("longlong"),
    "__int128 <- int128": _vector("int128"),
    "__half <- Float16": _vector("half"),
    "bf16 <- kDLBfloat16": _vector("bf16"),
    "__half2 <- Float16x2": _vector("half2"),
    "__half2, data 2-aligned": _vector("half2", data=2),
    "bf162 <- Bfloat16x2": _vector("bf162"),
    "float2 <- F32x2": _vector("float2"),
    "float4, data 4-aligned": _vector("float4", data=4),
    "float,2 <- F32x4 rank1": {**_vector("float4"), "element": "float", "rank": 2},
    "float4 byte_offset 4": _vector("float4", byte_offset=4),
    "double4_16a, 32-aligned": _vector("double4", data=32),
    "double4_16a, data 16-aligned": _vector("double4", data=16),
    "complex64, data 4-aligned (legal for NumPy)": _vector("complex64", data=4),
    "complex128 8-aligned (legal for NumPy)": _vector("complex128", data=8),
    "float2(cuFloatComplex) <- kDLComplex64": _vector("float2", (5, 64, 1)),
    "complex<half> <- kDLComplex32": _vector("complex32"),
    "fp8 e4m3 <- e4m3fn(10)": _vector("e4m3"),
    "fp8 e4m3 <- e4m3(8)": _vector("e4m3", (8, 8, 1)),
    "fp8 e8m0": _vector("e8m0"),
    "fp6 e2m3 (6,1) data+1": _vector("fp6", data=1),
    "fp6 e2m3 given bits=8": _vector("fp6", (15, 8, 1)),
    "fp6x2 data+1 (alignof 2)": _vector("fp6x2", data=1),
    "fp6x4 data+1": _vector("fp6x4", data=1),
    "fp6x4 data+4": _vector("fp6x4", data=4),
    "fp6x4 data+2 (alignof 4)": _vector("fp6x4", data=2),
    "fp6x4 byte_offset 4 (one element)": _vector("fp6x4", byte_offset=4),
    "fp4 (4,1): sizeof 1 per elem vs packed": _vector("fp4"),
    "fp4x2": _vector("fp4x2"),
    "fp4x4 data+1": _vector("fp4x4", data=1),
    "fp4 byte_offset 3": _vector("fp4", byte_offset=3),
}  # fmt: skip

_NAME = re.compile(r"^(.*?)(?: \[(default|relaxed|stride|right|left)\])?$")


def rows(file: str) -> list[list[str]]:
    """The rows of a table of facts, without its heading."""
    return [line.split("\t") for line in (FACTS / file).read_text().splitlines()[1:]]


def cases() -> list[Case]:
    """Every row about a conversion from a tensor; the rows about the way back are tests of their own."""
    found = []
    for name, outcome in rows("mdspan_cases.tsv"):
        base, layout = _NAME.match(name).groups()  # type: ignore[union-attr]
        if base.startswith(("to_dlpack", "round trip")):
            continue
        said = dict(_SAID[base])
        own = {k: said.pop(k) for k in ("element", "rank", "function") if k in said}
        layout = "relaxed" if layout in (None, "default") else layout
        found.append(Case(name, outcome, layout=layout, tensor=Tensor(**said), **own))
    return found


DIFFERENCES = {name: (ours, reason) for name, ours, reason in rows("mdspan_differences.tsv")}


def expected(case: Case, *, differences: bool = True) -> str:
    """What ours does, or libcu++ itself."""
    return DIFFERENCES[case.name][0] if differences and case.name in DIFFERENCES else case.outcome
