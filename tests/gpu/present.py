"""Whether this machine has an NVIDIA GPU, with Python alone: ends with a sentence and status 1 where it has none."""

from __future__ import annotations

import ctypes
import sys


def lacking() -> str:
    """Why no kernel can run here; empty: one can."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "NVIDIA's driver is not here (libcuda.so.1)"
    status, count = driver.cuInit(0), ctypes.c_int()
    if status:
        return f"its driver finds none (cuInit() returned {status})"
    driver.cuDeviceGetCount(ctypes.byref(count))
    return "" if count.value else "its driver counts no device"


if __name__ == "__main__" and (reason := lacking()):
    sys.exit(f"make gpu needs an NVIDIA GPU: {reason}.")
