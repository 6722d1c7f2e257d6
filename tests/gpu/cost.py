"""What a launch costs the host, beside others, as JSON: nanoseconds of `axpy(const float*, float*, float, int)`."""

from __future__ import annotations

import ctypes
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.gpu.kernels import choose, chosen, compiled, few, on_device

SOURCE = """
extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""
N = 256
Calls = dict[str, Callable[[], object]]


def ours(lib: Any, x: Any, y: Any) -> Calls:
    kept = lib.axpy.configured(grid=1, block=N, wait=False)
    locked = lib.axpy.configured(grid=1, block=N, wait=False, nogil=False)
    return {
        "samebytes, `wait=False`": lambda: kept(x, y, 2.0, N),
        "samebytes, `wait=False, nogil=False`": lambda: locked(x, y, 2.0, N),
        "samebytes, waiting for each": lambda: lib.axpy[1, N](x, y, 2.0, N),
    }


def cuda_core(lib: Any, x: Any, y: Any) -> Calls:
    from cuda.core import Device, LaunchConfig, ObjectCode, launch

    Device(0).set_current()
    stream, how = Device(0).default_stream, LaunchConfig(grid=1, block=N)
    kernel = ObjectCode.from_cubin(lib.__file__).get_kernel("axpy")
    places = [a.__cuda_array_interface__["data"][0] for a in (x, y)]
    numbers = ctypes.c_float(2.0), ctypes.c_int(N)
    return {"cuda.core, addresses": lambda: launch(stream, how, kernel, *places, *numbers)}


def cupy(lib: Any, x: Any, y: Any) -> Calls:
    import cupy

    kernel = cupy.RawModule(path=lib.__file__).get_function("axpy")
    given = cupy.from_dlpack(x), cupy.from_dlpack(y), np.float32(2.0), np.int32(N)
    return {"CuPy, `RawKernel`": lambda: kernel((1,), (N,), given)}


def main() -> None:
    # Without the driver that notes, unless it is the tests' own.
    if chosen() == "own":
        choose()
    else:
        for name in ("SAMEBYTES_CUDA_DRIVER", "SAMEBYTES_TESTS_ON"):
            os.environ.pop(name, None)
    lib = compiled(SOURCE, "costs")
    x, y = on_device(np.ones(N, np.float32)), on_device(np.zeros(N, np.float32))
    calls: Calls = {}
    found: dict[str, Any] = {}
    for name, peer in (("samebytes", ours), ("cuda.core", cuda_core), ("CuPy", cupy)):
        try:
            calls |= peer(lib, x, y)
        except Exception as reason:
            if peer is ours:
                raise
            found[name] = f"left out: {type(reason).__name__}: {str(reason).partition(chr(10))[0]}"
    times: dict[str, list[float]] = {name: [] for name in calls}
    burst = few(200, 2)  # fewer than the driver's queue takes before it has the host wait
    wait = lib.axpy[1, 1]
    for _ in range(few(15, 1)):
        for name, call in calls.items():
            call()
            wait(x, y, 0.0, 0)
            start = time.perf_counter_ns()
            for _ in range(burst):
                call()
            times[name].append((time.perf_counter_ns() - start) / burst)
            wait(x, y, 0.0, 0)
    found = {name: round(statistics.median(each)) for name, each in times.items()} | found
    print(json.dumps(found))


if __name__ == "__main__":
    main()
