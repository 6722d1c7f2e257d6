"""TBB: a loop of C++'s in parallel, over NumPy's elements; `tbb/parallel_for.h` itself is bound, too."""

from __future__ import annotations

from typing import Any

import numpy as np

import samebytes as sb

SOURCE = r"""
#include <samebytes/array.hpp>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
inline void square(samebytes::array<double, 1> a) {
  tbb::parallel_for(size_t(0), size_t(a.shape[0]), [&](size_t i) {
    double& x = a.data[i * a.strides[0]];
    x *= x;
  });
}
inline long total(int n) {
  using Range = tbb::blocked_range<int>;
  auto add = [](const Range& r, long s) {
    for (int i = r.begin(); i != r.end(); ++i) s += i;
    return s;
  };
  return tbb::parallel_reduce(Range(0, n), 0L, add, [](long a, long b) { return a + b; });
}
"""


def test_loops(needs: Any) -> None:
    needs("tbb/parallel_for.h", "libtbb-dev", "tbb")
    lib = sb.compile(SOURCE, libraries=["tbb"])
    a = np.arange(10_000.0)
    lib.square(a[::2])
    assert a[:6].tolist() == [0, 1, 4, 3, 16, 5]
    assert a[9998] == 9998.0**2
    assert lib.total(100_001) == 100_000 * 100_001 // 2
