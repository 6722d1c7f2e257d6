"""Formats that arrays hold and Python has no number for: their size, alignment and DLPack name, nothing more."""

from __future__ import annotations

from typing import Any

from .. import _native
from .base import Type, register_reader
from .struct import Extent, Struct

# name, C++ names, DLPack's name of the code, bits and lanes, size and alignment in bytes (CUDA 13's headers, g++ 12).
# A number of 4 or 6 bits takes a whole byte in C++.
_ROWS: tuple[tuple[str, str, tuple[str, int, int], int, int], ...] = (
    ("binary128", "__float128 _Float128", ("float", 128, 1), 16, 16),
    ("int128", "__int128", ("int", 128, 1), 16, 16),
    ("uint128", "unsigned __int128", ("uint", 128, 1), 16, 16),
    ("complex32", "cuda::std::complex<__half>", ("complex", 32, 1), 4, 4),
    ("float8e8m0", "__nv_fp8_e8m0", ("float8_e8m0fnu", 8, 1), 1, 1),
    ("float8e8m0x2", "__nv_fp8x2_e8m0", ("float8_e8m0fnu", 8, 2), 2, 2),
    ("float8e8m0x4", "__nv_fp8x4_e8m0", ("float8_e8m0fnu", 8, 4), 4, 4),
    ("float6e2m3", "__nv_fp6_e2m3", ("float6_e2m3fn", 6, 1), 1, 1),
    ("float6e2m3x2", "__nv_fp6x2_e2m3", ("float6_e2m3fn", 6, 2), 2, 2),
    ("float6e2m3x4", "__nv_fp6x4_e2m3", ("float6_e2m3fn", 6, 4), 4, 4),
    ("float6e3m2", "__nv_fp6_e3m2", ("float6_e3m2fn", 6, 1), 1, 1),
    ("float6e3m2x2", "__nv_fp6x2_e3m2", ("float6_e3m2fn", 6, 2), 2, 2),
    ("float6e3m2x4", "__nv_fp6x4_e3m2", ("float6_e3m2fn", 6, 4), 4, 4),
    ("float4e2m1", "__nv_fp4_e2m1", ("float4_e2m1fn", 4, 1), 1, 1),
    ("float4e2m1x2", "__nv_fp4x2_e2m1", ("float4_e2m1fn", 4, 2), 1, 1),
    ("float4e2m1x4", "__nv_fp4x4_e2m1", ("float4_e2m1fn", 4, 4), 2, 2),
)


def _storage(name: str, spelling: str, size: int, align: int) -> Struct:
    return Struct(name, (), fixed=Extent(size, align), complete=False, spelling=spelling)


def _names(spellings: str) -> list[str]:
    return [spellings] if spellings.startswith("unsigned") else spellings.split()


# Storage-only types by name, and what DLPack calls them.
STORED: dict[str, Struct] = {
    name: _storage(name, _names(spellings)[0], size, align) for name, spellings, _, size, align in _ROWS
}
STORED_DLPACK: dict[Struct, tuple[int, int, int]] = {
    STORED[name]: (_native.DLPACK_CODES[code], bits, lanes) for name, _, (code, bits, lanes), _, _ in _ROWS
}
_BY_HINT = STORED | {spelled: STORED[name] for name, spellings, *_ in _ROWS for spelled in _names(spellings)}


def _read(hint: Any) -> Type | None:
    return _BY_HINT.get(hint) if isinstance(hint, str) else None


register_reader(_read)
