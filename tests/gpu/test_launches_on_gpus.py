"""How kernels are launched on a real NVIDIA GPU: blocks, streams, events, arrays of other libraries, what fails, what
a launch costs. `make gpu` runs it; ``python -m tests.gpu --own launches_on`` does on the tests' own driver."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from tests.gpu.kernels import PATIENCE, ROOT, compiled, few, hold, needs_hardware, on_device, printed

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void plus(float* p, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}
__global__ void late(float* p, int steps, float v) {
  float x = 1;
  for (int k = 0; k < steps; ++k) x = x * 1.0001f + 1e-9f;
  p[0] = x > 0 ? v : 0;
}
__global__ void copied(float* to, const float* from) { *to = *from; }
__global__ void halved(__half* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] = __hmul(p[i], __float2half(0.5f));
}
__global__ void brained(__nv_bfloat16* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] = __float2bfloat16(__bfloat162float(p[i]) / 2);
}
"""
LONG = 2_000_000  # steps, milliseconds of one thread


@pytest.fixture(scope="module")
def lib():
    return compiled(SOURCE, "launched_on_gpu")


@pytest.mark.parametrize("n", [1, 33, 1000])
def test_the_driver_says_the_block(n, lib, device):
    x = device.array(np.zeros(n, np.float32))
    lib.plus.for_each(n)(x, 1, n)
    lib.plus.configured(grid=-(-n // 32))(x, 1, n)
    assert (x.array == 2).all()
    for said in device.launches:
        assert said.block[0] % 32 == 0
        assert 32 <= said.block[0] <= 1024
    first = device.launches[0]
    assert (first.grid[0] - 1) * first.block[0] < n <= first.grid[0] * first.block[0]


def test_streams_are_those_that_are_said(lib, device):
    x, stream = device.array(np.zeros(1, np.float32)), device.stream()
    for said in (stream, SimpleNamespace(cuda_stream=stream), SimpleNamespace(ptr=stream), None):
        lib.plus[1, 1, said](x, 1, 1)
    assert [one.stream for one in device.launches] == [stream] * 3 + [0]
    assert x.array[0] == 4


def test_a_launch_waits_for_its_own_stream_alone(lib, device):
    before = device.calls("wait")
    x, y = (device.array(np.zeros(1, np.float32)) for _ in range(2))
    slow = lib.late.configured(grid=1, block=1, stream=device.stream(), wait=False)(x, few(20 * LONG, 5), 3)
    lib.plus[1, 1, device.stream()](y, 1, 1)
    assert device.calls("wait") == before + 1
    slow.wait()
    assert (slow.done, x.array[0], y.array[0]) == (True, 3, 1)


@pytest.mark.parametrize("wait", [True, False])
def test_the_streams_of_arrays_come_before(wait, lib, device):
    first, second = device.stream(), device.stream()
    x, y = (device.array(np.zeros(1, np.float32)) for _ in range(2))
    late = lib.late.configured(grid=1, block=1, stream=first, wait=False)(x, few(LONG, 5), 7)
    shown = type(x)(x.array, stream=first)
    done = lib.copied.configured(grid=1, block=1, stream=second, wait=wait)(y, shown)
    if not wait:
        done.wait()
    late.wait()
    assert y.array[0] == 7


def test_one_event_is_behind_many_launches(lib, device):
    count = 256
    x, events = device.array(np.zeros(1, np.float32)), device.calls("event")
    launch = lib.plus.configured(grid=1, block=1, wait=False)
    for _ in range(count):
        last = launch(x, 1, 1)
    assert device.calls("event") - events <= count // 64
    last.wait()
    assert (x.array[0], last.done, repr(last)) == (count, True, "<launch of plus: done>")
    assert device.calls("launch") >= count


def test_arrays_live_until_it_has_run(lib, device):
    x = device.array(np.zeros(1, np.float32))
    alive, place, stream = weakref.ref(x), x.array, device.stream()
    late = lib.late.configured(grid=1, block=1, stream=stream, wait=False)
    hold()
    pending = late(x, few(20 * LONG, 5), 5)
    del x
    gc.collect()
    assert alive() is not None
    pending.wait()
    assert place[0] == 5
    late(device.array(np.zeros(1, np.float32)), 1, 1).wait()  # a later launch lets go of it
    gc.collect()
    assert alive() is None


class _OnlyDLPack:
    """An array that others know by DLPack alone."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **how):
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def _numba():
    cuda = pytest.importorskip("numba.cuda")
    return cuda.to_device(np.zeros(100, np.float32))


def _torch():
    return pytest.importorskip("torch").zeros(100, device="cuda")


def _cupy():
    return pytest.importorskip("cupy").zeros(100, "f4")


ARRAYS = {
    "torch": (_torch, lambda x: x.cpu().numpy()),
    "cupy": (_cupy, lambda x: x.get()),
    "numba": (_numba, lambda x: x.copy_to_host()),
    "DeviceArray": (lambda: on_device(np.zeros(100, np.float32)), lambda x: x.copy_to_host()),
    "DLPack": (lambda: _OnlyDLPack(on_device(np.zeros(100, np.float32))), lambda x: x._array.copy_to_host()),
}


@pytest.mark.parametrize("library", ARRAYS)
def test_arrays_of_other_libraries(library, lib):
    if library != "DeviceArray":
        needs_hardware("no other library has memory there")
    make, read = ARRAYS[library]
    x = make()
    lib.plus.for_each(100)(x, 1.5, 100)
    lib.plus.for_each(50, wait=False)(x, 1, 50).wait()
    assert read(x).tolist() == [2.5] * 50 + [1.5] * 50


@pytest.mark.parametrize(("kernel", "dtype"), [("halved", "float16"), ("brained", "bfloat16")])
def test_small_floats_of_torch(kernel, dtype, lib):
    needs_hardware("no other library has memory there")
    torch = pytest.importorskip("torch")
    x = torch.full((8,), 3, dtype=getattr(torch, dtype), device="cuda")
    getattr(lib, kernel)[1, 8](x, 8)
    assert x.cpu().float().tolist() == [1.5] * 8
    with pytest.raises(sb.ArrayError, match="the elements must be"):
        getattr(lib, kernel)[1, 8](x.float(), 8)
    with pytest.raises(sb.ArrayError, match="in host memory"):
        getattr(lib, kernel)[1, 8](x.cpu(), 8)


def test_graphs_of_torch(lib):
    needs_hardware("no other library has memory there")
    torch = pytest.importorskip("torch")
    x, graph = torch.zeros(4, device="cuda"), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        lib.plus.for_each(4)(x, 1, 4)
    for _ in range(3):
        graph.replay()
    torch.cuda.synchronize()
    assert x.tolist() == [3] * 4


BAD = """
lib = compiled("__global__ void fine(float* p) { *p = 1; }\\n__global__ void beyond(float* p) { *p = 1; }", "failing")
x = on_device(np.zeros(1, np.float32))
lib.fine.configured(grid=1, block=1, wait=False)(x).wait()
"""
END = "\nimport os, sys\nsys.stdout.flush()\nos._exit(0)"  # what comes after such an error is not asked


def test_an_illegal_address_is_an_error_of_its_launch(lib):
    said = printed(
        BAD
        + "fails_later()\ntry: lib.beyond[1, 1](sb.Pointer(16))\nexcept sb.LaunchError as e: print(e)"
        + END
    )
    assert said.startswith("beyond() cuStreamSynchronize() failed: CUDA_ERROR_ILLEGAL_ADDRESS"), said


def test_an_illegal_address_of_launches_that_nobody_waited_for_lists_them(lib):
    said = printed(
        f"{BAD}launches = [k.configured(grid=1, block=1, wait=False) for k in (lib.fine, lib.beyond)]\n"
        "one, two = launches[0](x), launches[1](sb.Pointer(16))\nfails_later()\n"
        "try: two.wait()\nexcept sb.LaunchError as e: print(e)" + END
    )
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in said
    assert said.rstrip().endswith("launched since the last wait: fine, beyond"), said


def test_what_a_launch_costs(lib, record_property):
    """Measured beside others, and not judged: the figures stand below the table."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.cost"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    costs = json.loads(done.stdout)
    assert "samebytes, `wait=False`" in costs
    for name, cost in costs.items():
        record_property(name, cost)
