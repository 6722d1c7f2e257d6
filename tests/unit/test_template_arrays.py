"""Templates that C++ deduces from arrays: descriptors of every rank, half precision and bfloat16, containers by T&."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <set>
#include <span>
#include <vector>
#include <samebytes/array.hpp>
template <class T, unsigned long N> long extents(samebytes::array<T, N> a) {
  long all = 0; for (unsigned i = 0; i < N; ++i) all = 10 * all + a.extent(i); return all; }
template <class T> T at(samebytes::array<const T, 1> a, long i) { return a(i); }
template <class T> void swap(samebytes::array<T, 1> a) { T x = a(0); a(0) = a(1); a(1) = x; }
template <class T> T pointed(const T* p, std::size_t n) { return p[n]; }
template <class T> T spanned(std::span<T> s) { return s[2]; }
template <class T> T copied(const std::vector<T>& v) { return v[2]; }
template <class T> int bytes(T, T) { return sizeof(T); }
template <class T> T scaled(std::vector<T>& v, T k) { for (T& x : v) x *= k; return v[0]; }
template <class T> int grown(std::set<T>& s) { s.insert(T(77)); return static_cast<int>(s.size()); }
"""
DTYPES = [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, np.float64]
# Each compiles an instantiation: the other formats with everything.
FEW = [pytest.param(d, marks=[pytest.mark.full] * (i > 1), id=np.dtype(d).name) for i, d in enumerate(DTYPES)]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="gnu++20", arg_intent={"grown": {"s": "in"}})


@pytest.mark.parametrize("shape", [(3,), (3, 4), pytest.param((2, 3, 4), marks=pytest.mark.full)])
def test_a_descriptor_is_deduced_with_its_rank(lib: Any, shape: tuple[int, ...]) -> None:
    assert lib.extents(np.zeros(shape)) == int("".join(map(str, shape)))
    assert lib.extents(
        np.zeros(tuple(2 * n for n in shape))[(slice(None, None, 2),) * len(shape)]
    ) == lib.extents(np.zeros(shape))


def test_what_is_read_only_is_an_array_of_const(lib: Any) -> None:
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    assert lib.at(fixed, 2) == 2.0
    with pytest.raises(sb.ArgumentError, match="C\\+\\+ refuses it"):
        lib.at(np.arange(3.0), 2)  # an array<T, 1> is none of the array<const T, 1> that are deduced from


@pytest.mark.parametrize("dtype", FEW)
def test_every_format_is_deduced(lib: Any, dtype: Any) -> None:
    x = np.array([0.5, 1.5, 3, -2], dtype)
    assert (lib.pointed(x, 2), lib.spanned(x), lib.copied(x), lib.pointed[x.dtype](x, 3)) == (3, 3, 3, -2)
    assert lib.bytes(x[0], x[1]) == x.itemsize
    lib.swap(x)
    assert x[:2].tolist() == [1.5, 0.5]


def test_a_container_that_cxx_changes_is_deduced(lib: Any) -> None:
    assert lib.grown({1, 2}) == 3
    with (
        pytest.warns(sb.BindWarning, match="is discarded"),
        pytest.raises(sb.IntentError, match="C\\+\\+ may write"),
    ):
        lib.scaled([1.0, 2.0], 2.0)
