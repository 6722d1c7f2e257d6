"""Kernels on a real NVIDIA GPU: compiled for it and launched by its driver; skipped where there is none.

``make gpu`` on a machine with one.
"""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.gpu.kernels import compiled, few, known, needs_hardware, on_device

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#include <cuda_fp16.h>
struct Point { float x; double y; };
struct alignas(64) Wide { char tag; int n[3]; };
__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void values(char c, Point p, __half h, Wide w, bool b, double* out) {
  out[0] = c; out[1] = p.x + p.y; out[2] = __half2float(h); out[3] = w.tag + w.n[2]; out[4] = b;
}
template <class T> __global__ void filled(T* p, T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = v;
}
__global__ void reversed(int* p, int n) {
  extern __shared__ int room[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) room[i] = p[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = room[n - 1 - i];
}
"""


@pytest.fixture(scope="module")
def lib():
    return compiled(SOURCE, "on_gpu")


@pytest.mark.parametrize("n", [1, 255, 256, 257, 1_000_003])
def test_each_element_is_computed_once(n, lib):
    n = few(n, 513)
    x = np.arange(n, dtype=np.float32)
    ours, y = on_device(x), on_device(np.ones(n, np.float32))
    lib.axpy[-(-n // 256), 256](2.0, ours, y, n)
    lib.axpy.for_each(n)(1, ours, y, n)
    assert (y.copy_to_host() == 1 + 2 * x + x).all()


def test_values_have_their_bytes(lib):
    out = on_device(np.zeros(5))
    lib.values[1, 1](7, lib.Point(1.5, 2.25), 0.5, lib.Wide(3, (1, 2, 4)), True, out)
    assert out.copy_to_host().tolist() == [7, 3.75, 0.5, 7, 1]


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "f4", "f8"])
def test_templates(dtype, lib):
    out = on_device(np.zeros(1000, dtype))
    kernel = lib.filled[np.dtype(dtype).type]
    known(kernel)
    kernel.for_each(1000)(out, 3, 1000)
    assert (out.copy_to_host() == 3).all()


def test_more_shared_memory_than_usual(lib):
    n = few(15_000, 500)  # 60,000 bytes
    p = on_device(np.arange(n, dtype=np.int32))
    lib.reversed[1, 256, None, 4 * n](p, n)
    assert (p.copy_to_host() == np.arange(n)[::-1]).all()


def test_other_threads_launch(lib):
    x, ys = on_device(np.ones(100, np.float32)), [on_device(np.zeros(100, np.float32)) for _ in range(8)]
    errors, launches = [], few(50, 2)

    def work(y):
        try:
            for _ in range(launches):
                lib.axpy[1, 128](1, x, y, 100)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(y,)) for y in ys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert all((y.copy_to_host() == launches).all() for y in ys)


def test_compiled_code_is_loaded(lib, tmp_path):
    header = tmp_path / "k.hpp"
    header.write_text("__global__ void axpy(float a, const float* x, float* y, int n);\n")
    for name in ("k.cubin", "k.ptx"):
        shutil.copy(Path(lib.__file__).with_suffix(Path(name).suffix), tmp_path / name)
        x, y = on_device(np.ones(10, np.float32)), on_device(np.zeros(10, np.float32))
        sb.load(tmp_path / name, header).axpy[1, 10](4, x, y, 10)
        assert (y.copy_to_host() == 4).all()


@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_arrays_and_streams_of_other_libraries(library, lib):
    needs_hardware("no other library has memory there")
    module = pytest.importorskip(library)
    if library == "torch":
        stream, scope = module.cuda.Stream(), module.cuda.stream
        make = {"device": "cuda"}
    else:
        stream, scope, make = module.cuda.Stream(non_blocking=True), lambda s: s, {}
    with scope(
        stream
    ):  # what this stream still does comes before the kernel, and after it the kernel is done
        for _ in range(20):
            x = module.ones(1 << 20, dtype=module.float32, **make) * 3
            y = module.zeros(1 << 20, dtype=module.float32, **make) + 1
            lib.axpy.for_each(1 << 20)(2, x, y, 1 << 20)
            lib.axpy.for_each(1 << 20, stream=stream)(1, x, y, 1 << 20)
            assert bool((y == 10).all())
