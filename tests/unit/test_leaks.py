"""Many calls leave memory and reference counts as they were."""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from itertools import repeat

import numpy as np
import pytest
from measure import in_use

import samebytes as sb

SOURCE = """
#include <samebytes/array.hpp>
#include <stdexcept>
struct P { int a; double b; };
double f(double x, samebytes::array<const float, 1> a, P p) { return x + a[0] + p.b; }
P g(int a, double b) { return {a, b}; }
const char* h(const char* s) { return s; }
void e() { throw std::invalid_argument("no"); }
int* p(int* x) { return x; }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


def failing(function, error):
    def call(*args):
        with suppress(error):
            function(*args)

    return call


def cases(lib, many):
    x = np.ones(3, "f4")
    ints = np.ones(3, "i4")
    yield "values", many, lib.f, (1.0, x, lib.P(1, 2.0))
    yield "tuple", many // 4, lib.f, (1.0, x, (1, 2.0))
    yield "buffer", many // 4, lib.f, (1.0, memoryview(x), (1, 2.0))
    yield "record", many // 2, lib.g, (1, 2.0)
    yield "text", many // 2, lib.h, ("hällo",)
    yield "pointer", many // 2, lib.p, (ints,)
    yield "exception", max(2000, many // 20), failing(lib.e, ValueError), ()
    yield "refusal", max(2000, many // 200), failing(lib.f, sb.Error), (1, "x", None)
    yield "slow path", max(2000, many // 50), lib.f, (np.float32(1), x[::2], lib.P(1, 2.0))


@pytest.mark.parametrize("many", [50_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_many_calls(lib, many):
    for name, calls, function, args in cases(lib, many):
        for _ in repeat(None, 2000):
            function(*args)
        gc.collect()
        (blocks, size), counts = in_use(), [sys.getrefcount(a) for a in args]
        for _ in repeat(None, calls):
            function(*args)
        more = in_use()
        assert [sys.getrefcount(a) for a in args] == counts, name
        assert (more[0] - blocks < 1000, more[1] - size < 100_000) == (True, True), name
