"""TBB: its loops run Python's callables, which the names of their C++ types say, in one thread or in many."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

INCLUDES = "#include <functional>\n#include <tbb/parallel_for.h>\n#include <tbb/parallel_reduce.h>\n"
PROGRAM = (
    INCLUDES
    + r"""
int main() {
  using Range = tbb::blocked_range<int>;
  auto add = [](const Range& r, long s) { for (int i = r.begin(); i != r.end(); ++i) s += i; return s; };
  tell(tbb::parallel_reduce(Range(0, 1001), 0L, add, [](long a, long b) { return a + b; }));
}
"""
)


def test_loops(needs: Any, agree: Any) -> None:
    needs("tbb/parallel_for.h", "libtbb-dev", "tbb")
    own = ["tbb::detail::*::parallel_for", "tbb::detail::*::parallel_reduce", "tbb::detail::*::blocked_range"]
    tbb = sb.compile(INCLUDES, libraries=["tbb"], expose=own).tbb
    a, threads = np.arange(1000.0), set()

    def square(i: int) -> None:
        a[i] **= 2
        threads.add(threading.get_ident())

    tbb.parallel_for["int", "std::function<void(int)>"](0, 1000, square)
    assert np.array_equal(a, np.arange(1000.0) ** 2)
    assert threads

    def fail(i: int) -> None:
        raise KeyError(i)

    with pytest.raises(KeyError):
        tbb.parallel_for["int", "std::function<void(int)>"](0, 1000, fail)
    span = tbb.blocked_range["int"]
    reduce = tbb.parallel_reduce[
        "tbb::blocked_range<int>",
        "long",
        "std::function<long(const tbb::blocked_range<int>&, long)>",
        "std::function<long(long, long)>",
    ]
    total = reduce(span(0, 1001), 0, lambda r, s: s + sum(range(r.begin(), r.end())), lambda x, y: x + y)
    agree([total], PROGRAM, "-ltbb")
