"""Which ``exp`` and ``log`` a C function calls: the C library's present ones, as C++ does.

Numba's are functions of its own that call those of an old glibc, which look at each result for errors: 1 ns a call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import llvmlite.binding as llvm
from numba.core.intrinsics import INTR_MATH


@cache
def _of_the_c_library() -> dict[str, int]:
    library, found = ctypes.CDLL(None), {}
    for name in INTR_MATH:
        if (function := getattr(library, name, None)) is not None:
            found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
    return found


@contextmanager
def own_mathematics() -> Iterator[None]:
    """What is linked meanwhile calls the C library's functions; the caller holds Numba's lock."""
    own = {name: address for name, address in _of_the_c_library().items() if address}
    before = {name: llvm.address_of_symbol(name) for name in own}
    for name, address in own.items():
        llvm.add_symbol(name, address)
    try:
        yield
    finally:
        for name, address in before.items():
            if address:
                llvm.add_symbol(name, address)
