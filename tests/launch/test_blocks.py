"""Kernels whose threads wait for each other: shared memory, barriers, shuffles and atomics; and nested pointers."""

import numpy as np
import pytest
from device import REDUCTION

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.hardware]

SOURCE = (
    REDUCTION
    + """
__device__ unsigned seen;
__global__ void total(const float* x, float* out, int n) {
  float sum = threadIdx.x < n ? x[threadIdx.x] : 0;
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
  atomicMax(&seen, threadIdx.x);
}
__global__ void turned(const int* x, int* out, int n) {
  extern __shared__ int room[];
  room[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = room[n - 1 - threadIdx.x];
}
__global__ void both(float** rows, int n) { for (int i = 0; i < n; ++i) rows[i][0] += i; }
"""
)


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="blocks"))


def test_a_reduction_in_shared_memory(lib, fake):
    x, out = fake.array(np.arange(96, dtype="f4")), fake.array(np.zeros(3, "f4"))
    lib.sums[3, 32](x, out)
    assert out.array.tolist() == x.array.reshape(3, 32).sum(1).tolist()


def test_a_reduction_by_shuffles_and_atomics(lib, fake):
    x, out = fake.array(np.arange(50, dtype="f4")), fake.array(np.zeros(1, "f4"))
    lib.total[1, 64](x, out, 50)
    assert out.array[0] == x.array.sum()
    assert lib.seen == 63


def test_memory_whose_size_a_launch_says(lib, fake):
    x, out = fake.array(np.arange(8, dtype="i4")), fake.array(np.zeros(8, "i4"))
    lib.turned[1, 8, None, 32](x, out, 8)
    assert out.array.tolist() == x.array[::-1].tolist()


def test_pointers_to_pointers_are_memory_of_the_device(lib, fake):
    first, second = fake.array(np.zeros(1, "f4")), fake.array(np.zeros(1, "f4"))
    rows = [one.array.ctypes.data for one in (first, second)]
    table = fake.array(np.array(rows, np.uint64))
    lib.both[1, 1](table, 2)
    assert fake.launches[-1].data == [
        table.array.ctypes.data.to_bytes(8, "little"),
        (2).to_bytes(4, "little"),
    ]
    assert (first.array[0], second.array[0]) == (0, 1)
    with pytest.raises(sb.ArrayError, match=r"expected contiguous uint64\[n\] in CUDA device memory"):
        lib.both[1, 1](first, 2)
