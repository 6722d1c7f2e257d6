"""What is in use: Python's blocks, malloc's bytes, and under AddressSanitizer every byte."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from shared import HELD

from samebytes.call.callbacks.closure import _ENDED

_FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"


class Mallinfo(ctypes.Structure):
    """glibc's ``struct mallinfo2``."""

    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS.split()]


_process = ctypes.CDLL(None)
_mallinfo = getattr(_process, "mallinfo2", None)  # glibc 2.33
if _mallinfo is not None:
    _mallinfo.restype = Mallinfo
_sanitizer = getattr(_process, "__sanitizer_get_current_allocated_bytes", None)
if _sanitizer is not None:
    _sanitizer.restype = ctypes.c_size_t


def in_use() -> tuple[int, int]:
    """Blocks of Python's allocator, and bytes of malloc's."""
    gc.collect()
    _ENDED.clear()  # the last C functions that ended, which are kept: as many as there were, up to a limit
    gc.collect()
    getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()  # of types, with names of attributes
    if _sanitizer is not None:
        return 0, _sanitizer()
    used = _mallinfo() if _mallinfo is not None else Mallinfo()
    return sys.getallocatedblocks(), used.uordblks + used.hblkhd


def counts() -> list[int]:
    """The reference counts of what all cycles share."""
    gc.collect()
    return [sys.getrefcount(x) for x in HELD]


def repeat(cycle: Callable[[], Any], most: int, seconds: float = 1e9) -> int:
    """Run a cycle so often, or as often as the time allows; how often it ran."""
    end = perf_counter() + seconds
    for done in range(most):
        if not done % 64 and perf_counter() > end:
            return done
        cycle()
    return most
