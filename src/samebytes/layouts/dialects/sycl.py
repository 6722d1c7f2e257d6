"""Dialect sycl: SYCL 2020 C++ as DPC++ lays it out on x86-64 Linux, the same bytes in host and device code.

Implementations of SYCL differ where the standard is silent: what is here is DPC++'s. AdaptiveCpp agrees on vectors of
one to four elements.
"""

from __future__ import annotations

from ...types import ELEMENTS, SCALARS
from .base import Dialect, Native
from .cxx import DIALECT as CXX

_SYCL = "<sycl/sycl.hpp>"
_BFLOAT = "<sycl/ext/oneapi/bfloat16.hpp>"

# name: spelling, bytes, alignment, header; 8-bit floating formats are those of cxx, with their vectors.
_NUMBERS = {
    "float16": Native("sycl::half", 2, 2, _SYCL),
    "bfloat16": Native("sycl::ext::oneapi::bfloat16", 2, 2, _BFLOAT),
}


def _vector(element: str, size: int) -> Native:
    # SYCL 2020, 4.14.2.6: three elements take the room and the alignment of four.
    number = _NUMBERS.get(element, CXX.natives[element])
    room = SCALARS[element].size * (4 if size == 3 else size)
    return Native(f"sycl::vec<{number.spelling}, {size}>", room, room, _SYCL)


DIALECT = Dialect(
    name="sycl",
    natives=_NUMBERS
    | {
        f"{name}x{size}": _vector(name, size)
        for name in ELEMENTS
        if not name.startswith("float8")
        for size in (1, 2, 3, 4)
    },
    parent=CXX,
)
