"""Dialect cxx: host C++ on x86-64 Linux (Itanium ABI), with vectors laid out as CUDA's."""

from __future__ import annotations

from ...types import ELEMENTS, SCALARS
from .base import Dialect, Native

_STD, _COMPLEX, _OURS = "<cstdint>", "<complex>", "<samebytes/vector.hpp>"

# name: spelling, bytes, alignment, header
_NUMBERS = {
    "bool": Native("bool", 1, 1),
    "char": Native("char", 1, 1),
    "int8": Native("std::int8_t", 1, 1, _STD),
    "int16": Native("std::int16_t", 2, 2, _STD),
    "int32": Native("std::int32_t", 4, 4, _STD),
    "int64": Native("std::int64_t", 8, 8, _STD),
    "uint8": Native("std::uint8_t", 1, 1, _STD),
    "uint16": Native("std::uint16_t", 2, 2, _STD),
    "uint32": Native("std::uint32_t", 4, 4, _STD),
    "uint64": Native("std::uint64_t", 8, 8, _STD),
    "float16": Native("samebytes::float16", 2, 2, _OURS),
    "bfloat16": Native("samebytes::bfloat16", 2, 2, _OURS),
    "float8e4m3": Native("samebytes::float8e4m3", 1, 1, _OURS),
    "float8e5m2": Native("samebytes::float8e5m2", 1, 1, _OURS),
    "float32": Native("float", 4, 4),
    "float64": Native("double", 8, 8),
    "complex64": Native("std::complex<float>", 8, 4, _COMPLEX),
    "complex128": Native("std::complex<double>", 16, 8, _COMPLEX),
    "pointer": Native("void*", 8, 8),
}


def _vector(name: str, size: int) -> Native:
    # CUDA's rule (vector_types.h): one and three elements are aligned as the element, two and four as a
    # whole, but never to more than 16 bytes.
    element = SCALARS[name].size
    align = min(size * element, 16) if size in (2, 4) else element
    return Native(f"samebytes::{name}x{size}", size * element, align, _OURS)


DIALECT = Dialect(
    name="cxx",
    natives=_NUMBERS | {f"{name}x{size}": _vector(name, size) for name in ELEMENTS for size in (1, 2, 3, 4)},
    descriptor="samebytes::array",
    descriptor_include="<samebytes/array.hpp>",
    support=("<cstddef>", "<type_traits>"),
    offsetof="offsetof",
    same="std::is_same<{}, {}>::value",
    atomics={"*": ("std::atomic", "<atomic>")},
)
