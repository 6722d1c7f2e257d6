"""The price of a launch beside the driver's own: `python bench/launches.py [--markdown FILE]`.

A driver that does nothing and counts (`launch_driver.cpp`) stands in the place of NVIDIA's, so that what is measured
is what the host does for `axpy(const float*, float*, float, int)`, beside cuda.core and CuPy where these run on it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from timing import time_together

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench" / "launches"
ROUNDS, REPEATS, LOOPS = 9, 9, 200_000
SOURCE = """
extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""
CONTEXT = 1 << 32  # where memory of the device might be


class Array:
    """Memory of the device, as CuPy's arrays say it."""

    def __init__(self, address: int) -> None:
        data = {"shape": (256,), "typestr": "<f4", "data": (address, False), "strides": None, "version": 3}
        self.__cuda_array_interface__ = data


def built_driver() -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    library = BUILD / "libcuda.so.1"
    flags = ["-O2", "-shared", "-fPIC", "-fvisibility=hidden"]
    subprocess.run(["g++", *flags, "-o", library, HERE / "launch_driver.cpp", "-ldl"], check=True)
    return library


def compiled() -> Any:
    """The library; NVRTC asks NVIDIA's driver for more than ours knows, and so has no part in what is measured."""
    import samebytes as sb

    return sb.compile(SOURCE, dialect="cuda", name="bench_launches", arch="sm_90")


def samebytes_calls(driver: Any) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Ours: a launch that is kept, one that waits, and one by its subscript."""
    import samebytes as sb
    from samebytes.launch.driver import driver as ours

    kernel = compiled().axpy
    x, y = Array(CONTEXT), Array(CONTEXT + 4096)
    views = sb.view(x), sb.view(y), 2.0, 256
    kept = kernel.configured(grid=1, block=256, wait=False)
    kept(*views).wait()
    locked = kernel.configured(grid=1, block=256, wait=False, nogil=False)
    driver.cuCtxSetCurrent(
        ctypes.c_void_p(ours().device(0).context)
    )  # as a library has it that uses the device

    def subscripted(x: Any, y: Any, a: float, n: int) -> None:
        kernel[1, 256](x, y, a, n)

    return {
        "samebytes, `wait=False`, views": (kept, views),
        "samebytes, `wait=False, nogil=False`, views": (locked, views),
        "samebytes, `wait=False`, `sb.DeviceArray`": (kept, (sb.DeviceArray(x), sb.DeviceArray(y), 2.0, 256)),
        "samebytes, `wait=False`, CUDA Array Interface": (kept, (x, y, 2.0, 256)),
        "samebytes, waiting, views": (kernel[1, 256], views),
        "samebytes, waiting, in a function with `kernel[1, 256]`": (subscripted, views),
    }


def cuda_core_calls(driver: Any) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """cuda.core, which takes addresses, and numbers as ctypes' or NumPy's."""
    from cuda.core import Device, LaunchConfig, ObjectCode, launch

    device = Device(0)
    device.set_current()
    stream = device.default_stream
    kernel = ObjectCode.from_cubin(compiled().__file__).get_kernel("axpy")
    how = LaunchConfig(grid=1, block=256)
    numbers = ctypes.c_float(2.0), ctypes.c_int(256)
    return {"cuda.core, addresses": (launch, (stream, how, kernel, CONTEXT, CONTEXT + 4096, *numbers))}


def cupy_calls(driver: Any) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """CuPy's RawKernel, with arrays of its own class at the same addresses."""
    import cupy

    kernel = cupy.RawModule(path=compiled().__file__).get_function("axpy")

    def array(address: int) -> Any:
        memory = cupy.cuda.UnownedMemory(address, 1024, None, 0)
        return cupy.ndarray((256,), cupy.float32, cupy.cuda.MemoryPointer(memory, 0))

    arguments = array(CONTEXT), array(CONTEXT + 4096), np.float32(2.0), np.int32(256)
    return {"CuPy, `RawKernel`": (kernel, ((1,), (256,), arguments))}


PEERS: dict[str, Callable[[Any], dict[str, tuple[Any, tuple[Any, ...]]]]] = {
    "samebytes": samebytes_calls, "cuda.core": cuda_core_calls, "CuPy": cupy_calls,
}  # fmt: skip


def tried(peer: str, environment: dict[str, str]) -> str:
    """Why a peer does not launch on such a driver; empty: it does. In a process that it may take with it."""
    call = [sys.executable, __file__, "--peer", peer]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False, timeout=300)
    words = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else words[-1] if words else f"it ends with status {done.returncode}"


def measured(peers: list[str], library: Path) -> dict[str, Any]:
    driver = ctypes.CDLL(str(library))
    calls = {name: call for peer in peers for name, call in PEERS[peer](driver).items()}
    rows: dict[str, list[float]] = {name: [] for name in ["the driver's own call, in C", *calls]}
    counted = (ctypes.c_long * 4)()
    driver.counts(counted)
    before = list(counted)
    kept, arguments = calls["samebytes, `wait=False`, views"]
    for _ in range(6400):
        kept(*arguments)
    driver.counts(counted)
    for turn in range(ROUNDS):
        (own,) = time_together({"": (driver.launch_often, (LOOPS,))}, REPEATS, 0, min).values()
        rows["the driver's own call, in C"].append(own / LOOPS)
        for name, ns in time_together(calls, REPEATS, turn, min).items():
            rows[name].append(ns)
    # The least of each round: what else runs on the machine only adds.
    ns = {name: statistics.median(values) for name, values in rows.items()}
    return {"ns": ns, "launches": counted[0] - before[0], "events": counted[1] - before[1]}


_COMPILE = """
import os, sys, time
kind, number = sys.argv[1:]
source = open(0).read().replace("axpy", "axpy" + number)
if kind == "NVRTC":
    from cuda.core import Program, ProgramOptions
    start = time.perf_counter()
    Program(source, code_type="c++", options=ProgramOptions(arch="sm_90")).compile("cubin")
else:
    import samebytes as sb
    start = time.perf_counter()
    lib = sb.compile(source, dialect="cuda", name="bench_compiled", arch="sm_90")
    getattr(lib, "axpy" + number)
print(time.perf_counter() - start)
"""


def compiling() -> dict[str, float]:
    """Milliseconds from the source to a kernel, each in a process of its own."""
    seconds: dict[str, list[float]] = {"NVRTC, by cuda.core": [], "samebytes": [], "samebytes, cached": []}
    for _ in range(5):
        number = str(time.time_ns())  # a source that nobody has compiled
        for name, values in seconds.items():
            call = [sys.executable, "-c", _COMPILE, name.partition(",")[0], number]
            done = subprocess.run(call, input=SOURCE, capture_output=True, text=True, check=True)
            values.append(float(done.stdout))
    return {name: 1000 * statistics.median(values) for name, values in seconds.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    library = BUILD / "libcuda.so.1"
    if options.peer:
        for call, arguments in PEERS[options.peer](ctypes.CDLL(str(library))).values():
            call(*arguments)
        return 0
    if options.measure:
        print(json.dumps(measured(options.measure, library)))
        return 0
    built_driver()
    compiled()
    environment = {**os.environ, "LD_LIBRARY_PATH": str(BUILD), "SAMEBYTES_CUDA_DRIVER": str(library)}
    reasons = {peer: tried(peer, environment) for peer in PEERS}
    call = [sys.executable, __file__, "--measure", *(peer for peer, why in reasons.items() if not why)]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    own = found["ns"].pop("the driver's own call, in C")
    lines = [
        "| a launch with two arrays, a float and an int | ns | over the driver's own call |",
        "|---|---|---|",
    ]
    lines.append(f"| the driver's own call, in C | {own:.1f} | |")
    lines += [f"| {name} | {ns:.0f} | {ns - own:.0f} |" for name, ns in found["ns"].items()]
    lines += ["", f"{found['launches']} launches of the first kind made {found['events']} events."]
    lines += ["", "| from the source to the kernel | ms |", "|---|---|"]
    lines += [f"| {name} | {ms:.0f} |" for name, ms in compiling().items()]
    lines += [f"{peer} does not launch on it: {why}" for peer, why in reasons.items() if why]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.markdown:
        options.markdown.write_text(text)
    return int(bool(reasons["samebytes"]))


if __name__ == "__main__":
    sys.exit(main())
