"""pybind11's test_numpy_vectorize.py in our words: functions of numbers under numpy.vectorize."""

from __future__ import annotations

import numpy as np
import pytest

import samebytes as sb

from ..both import Both

pytestmark = pytest.mark.full

ROWS = Both({"single": ["product(1, 2, 3)", "product(3, 4, 3)", "product(-2, 0.5, 1.25)"]})

SOURCE = r"""
#include <complex>
#include <string>
#include <samebytes/array.hpp>
inline double product(int x, float y, double z) { return x * y * z; }
inline std::complex<double> doubled(std::complex<double> c) { return c * 2.0; }
inline std::string selected(samebytes::array<const int, 1>) { return "int"; }
inline std::string selected(samebytes::array<const float, 1>) { return "float"; }
inline std::string selected(samebytes::array<const std::complex<float>, 1>) { return "complex"; }
struct Total { int value; explicit Total(int v) : value(v) {} ~Total() {} };
inline void add_to(Total& t, int n) { t.value += n; }
inline double mixed(const double* a, double b, int d, const int& e, const Total& f, double g) {
  return *a + b + a[0] * 0 + d + e + f.value + g;
}
class Adds {
  int value;
public:
  explicit Adds(int v) : value(v) {}
  float method(int x, float y) { return y + x + value; }
  float quiet(int x, float y) noexcept { return y + x + value; }
  float quiet_const(int x, float y) const noexcept { return y + x + value; }
  float on_lvalue(int x, float y) & { return y + x + value; }
  float on_const_lvalue(int x, float y) const& { return y + x + value; }
  float quiet_lvalue(int x, float y) & noexcept { return y + x + value; }
  float quiet_const_lvalue(int x, float y) const& noexcept { return y + x + value; }
};
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE + ROWS.code)


# Shapes that are broadcast with one another; numpy.vectorize calls C++ once for each place.
SHAPES = {
    "numbers": (1, 2, 3),
    "no dimension": (np.array(1), np.array(2), 3),
    "one dimension": (np.array([1, 3]), np.array([2, 4]), 3),
    "columns": (np.array([[1, 2], [3, 4]], order="F"), np.array([[10, 20], [30, 40]], order="F"), 3),
    "rows": (np.array([[1, 3, 5], [7, 9, 11]]), np.array([[2, 4, 6], [8, 10, 12]]), 3),
    "a row for all": (np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 3, 4]), 2),
    "a column for all": (np.array([[1, 2, 3], [4, 5, 6]]), np.array([[2], [3]]), 2),
    "strides": (np.array([[1, 2, 3], [4, 5, 6]], order="F")[::, ::2], np.array([[2], [3]]), 2),
}


@pytest.mark.behaviour("test_vectorize")
@pytest.mark.parametrize("case", SHAPES)
def test_each_place_is_one_call(lib, case):
    a, b, c = SHAPES[case]
    result = np.vectorize(lib.product)(a, np.float32(b), np.float64(c))
    assert np.array_equal(result, np.asarray(a) * np.asarray(b) * c)
    assert np.shape(result) == np.broadcast_shapes(np.shape(a), np.shape(b))


@pytest.mark.behaviour("test_vectorize")
def test_one_place_is_what_cxx_answers(lib):
    ROWS.check(lib, "single")
    assert np.vectorize(lib.doubled)(np.array(3 + 7j)) == 6 + 14j
    with pytest.raises(sb.ArgumentError, match=r"expected float64, got np.int64"):  # numbers keep their kind
        lib.product(1, 2, np.int64(3))


@pytest.mark.behaviour("test_type_selection")
def test_the_overload_of_the_dtype(lib):
    found = {kind: lib.selected(np.array([1], kind)) for kind in (np.int32, np.float32, np.complex64)}
    assert list(found.values()) == ["int", "float", "complex"]


@pytest.mark.behaviour("test_passthrough_arguments")
def test_arguments_that_are_the_same_for_all(lib):
    b, d = np.array([[10.0, 20.0, 30.0]]), np.array([[1000], [2000], [3000]])
    g = np.array([[1e6, 2e6, 3e6]])
    total, first = lib.Total(100000), np.array([1.0])
    result = np.vectorize(lambda b, d, g: lib.mixed(first, b, d, 10000, total, g))(b, d, g)
    assert np.array_equal(result, 1 + b + d + 10000 + 100000 + g)


METHODS = (
    "method", "quiet", "quiet_const", "on_lvalue", "on_const_lvalue", "quiet_lvalue", "quiet_const_lvalue",
)  # fmt: skip


@pytest.mark.behaviour("test_method_vectorization")
@pytest.mark.behaviour("test_ref_qualified_method_vectorization")
@pytest.mark.behaviour("test_noexcept_ref_qualified_method_vectorization")
@pytest.mark.behaviour("test_noexcept_method_vectorization")
@pytest.mark.parametrize("name", METHODS)
def test_methods_of_all_qualifiers(lib, name):
    method = np.vectorize(getattr(lib.Adds(3), name))
    assert np.array_equal(method(np.array([1, 2]), np.array([[10], [20]], np.float32)), [[14, 15], [24, 25]])


@pytest.mark.behaviour("test_array_collapse")
def test_numbers_give_numbers(lib):
    f = np.vectorize(lambda x, y, z: lib.product(x, np.float32(y), float(z)))
    assert np.shape(f(1, 2, 3)) == np.shape(f(np.array(1), 2, 3)) == ()
    assert type(lib.product(1, 2, 3)) is float
    assert f([1], 2, 3).shape == (1,)
    assert f(1, [[[2]]], 3).shape == (1, 1, 1)


@pytest.mark.behaviour("test_vectorized_noreturn")
def test_calls_without_a_result(lib):
    total = lib.Total(0)
    add = np.vectorize(lambda n: lib.add_to(total, n), otypes=[object])
    add([1, 2, 3, 4])
    assert total.value == 10
    add([[1, 1], [2, 3]])
    assert total.value == 17
