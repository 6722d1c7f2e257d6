"""What kernels take and what they leave, on a real NVIDIA GPU: addresses in structs, mdspans, variables, overloads."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from click.testing import CliRunner
from tests.gpu.kernels import compiled, few, needs_hardware, on_device

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#include <cuda/std/mdspan>
#include <samebytes/array.hpp>
struct View { float* data; int n; };
__global__ void twice(View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.n) v.data[i] *= 2;
}
__global__ void slow(float* p, int n, int steps) {
  for (int k = 0; k < steps; ++k) p[k % n] = p[(k + 1) % n] + 1;
}
__global__ void rows(samebytes::array<const float, 2> x, float* sums) {
  float sum = 0;
  for (int j = 0; j < int(x.shape[1]); ++j) sum += x(threadIdx.x, j);
  sums[threadIdx.x] = sum;
}
template <class Layout> using grid = cuda::std::mdspan<const float, cuda::std::dims<2, int>, Layout>;
__global__ void columns(grid<cuda::std::layout_stride> x, float* sums) {
  float sum = 0;
  for (int i = 0; i < x.extent(0); ++i) sum += x(i, threadIdx.x);
  sums[threadIdx.x] = sum;
}
__device__ int counter = 5;
__constant__ float table[3];
__constant__ View shown;
__global__ void looked(float* out) {
  out[0] = table[1]; out[1] = shown.data[shown.n - 1]; atomicAdd(&counter, 1);
}
__global__ void meets(int* n) {
  if (threadIdx.x) return;
  atomicAdd(n, 1);
  while (atomicAdd(n, 0) < int(gridDim.x)) {}
}
__global__ void clustered(int* out) {
  unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  out[blockIdx.x] = rank;
}
__global__ void set(float* p) { *p = 1; }
__global__ void set(int* p) { *p = 2; }
"""


@pytest.fixture(scope="module")
def lib():
    return compiled(SOURCE, "taken_on_gpu")


def test_addresses_in_structs(lib):
    x = on_device(np.arange(1000, dtype=np.float32))
    view = lib.View(x, 1000)
    lib.twice.for_each(1000)(view)
    lib.twice.for_each(1000)((x, 500))
    assert (x.copy_to_host() == np.arange(1000) * np.where(np.arange(1000) < 500, 4, 2)).all()


def test_arrays_with_strides(lib):
    host = np.arange(24, dtype=np.float32).reshape(4, 6)
    x, sums = on_device(host), on_device(np.zeros(6, np.float32))
    lib.rows[1, 4](x, sums)
    assert sums.copy_to_host()[:4].tolist() == host.sum(1).tolist()
    lib.columns[1, 6](x, sums)
    assert sums.copy_to_host().tolist() == host.sum(0).tolist()
    lib.columns[1, 3](x[:, ::2], sums)
    assert sums.copy_to_host()[:3].tolist() == host[:, ::2].sum(0).tolist()


def test_variables(lib):
    out, x = on_device(np.zeros(2, np.float32)), on_device(np.array([3, 4, 8], np.float32))
    lib.table, lib.shown = [1, 2, 7], lib.View(x, 3)
    del x
    before = lib.counter
    lib.looked[1, 32](out)
    assert out.copy_to_host().tolist() == [2, 8]
    assert lib.counter == before + 32
    assert lib.table.tolist() == [1, 2, 7]


def test_overloads(lib):
    for dtype, value in ((np.float32, 1), (np.int32, 2)):
        out = on_device(np.zeros(1, dtype))
        lib.set[1, 1](out)
        assert out.copy_to_host()[0] == value


def test_launches_that_are_not_waited_for(lib):
    arrays = [on_device(np.zeros(64, np.float32)) for _ in range(3)]
    launches = [lib.slow.configured(grid=1, block=1, wait=False)(x, 64, few(200_000, 9)) for x in arrays]
    last = launches[-1]
    last.wait()
    assert all(launch.done for launch in launches)
    kept = lib.twice.for_each(64, wait=False)(lib.View(on_device(np.ones(64, np.float32)), 64))
    kept.wait()  # its array lives as long, and nothing else has it
    assert repr(kept) == "<launch of twice: done>"


def test_blocks_that_wait_for_each_other(lib):
    needs_hardware("its blocks run one after the other")
    n = on_device(np.zeros(1, np.int32))
    lib.meets.configured(grid=8, block=32, cooperative=True)(n)
    assert n.copy_to_host()[0] == 8  # each block has seen all others, or it would wait for ever


def test_clusters(lib):
    needs_hardware("its device is of sm_80, which has none")
    out = on_device(np.zeros(4, np.int32))
    try:
        launch = lib.clustered.configured(grid=4, block=1, cluster=2)
    except sb.LaunchError as reason:
        pytest.skip(str(reason))
    launch(out)
    assert out.copy_to_host().tolist() == [0, 1, 0, 1]


def test_a_package(lib, tmp_path, monkeypatch):
    needs_hardware("tests/launch/test_packages.py has packages")
    (tmp_path / "carried_there.cu").write_text(SOURCE)
    done = CliRunner().invoke(
        main, ["bind", str(tmp_path / "carried_there.cu"), "-o", str(tmp_path), "--dialect", "cuda"]
    )
    assert done.exit_code == 0, done.output  # for sm_75: the driver makes code of its PTX
    monkeypatch.syspath_prepend(str(tmp_path))
    import carried_there

    x = on_device(np.ones(10, np.float32))
    carried_there.twice[1, 32](carried_there.View(x, 10))
    assert (x.copy_to_host() == 2).all()
    for name in ("carried_there", "carried_there._declarations"):
        sys.modules.pop(name)
