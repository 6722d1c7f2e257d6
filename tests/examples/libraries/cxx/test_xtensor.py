"""xtensor: its own functions take NumPy's arrays, what they give is NumPy's; one's own take them in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

INCLUDE = "#include <xtensor/xarray.hpp>\n#include <xtensor/xhistogram.hpp>\n#include <xtensor/xsort.hpp>\n"
PROGRAM = (
    INCLUDE
    + r"""
int main() {
  xt::xarray<double> a = {3, 1, 2, 2, 5}, at = {1.5, 2.5}, x = {0, 1, 2, 3}, y = {0, 1, 4, 9}, edges = {0, 2.5, 6};
  for (double v : xt::unique(a)) tell(v);
  tell(xt::median(a));
  for (double v : xt::interp(at, x, y)) tell(v);
  for (double v : xt::histogram(a, edges)) tell(v);
}
"""
)


def test_its_own_functions_take_arrays(needs: Any, agree: Any) -> None:
    """No C++ of one's own."""
    needs("xtensor/xarray.hpp", "libxtensor-dev")
    own = ["xt::unique", "xt::median", "xt::interp", "xt::histogram"]
    xt = sb.compile(INCLUDE, expose=own, flags=["-O0"]).xt
    a = np.array([3.0, 1, 2, 2, 5])
    values = [*xt.unique(a).tolist(), xt.median(a)]
    values += xt.interp(np.array([1.5, 2.5]), np.arange(4.0), np.arange(4.0) ** 2).tolist()
    agree(values + xt.histogram(a, np.array([0, 2.5, 6])).tolist(), PROGRAM)


SOURCE = r"""
#include <samebytes/array.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
inline double total(samebytes::array<double, 2> a) {
  std::vector<size_t> shape = {(size_t)a.shape[0], (size_t)a.shape[1]};
  std::vector<std::ptrdiff_t> strides = {a.strides[0], a.strides[1]};
  auto view = xt::adapt(a.data, a.shape[0] * a.shape[1], xt::no_ownership(), shape, strides);
  double sum = 0;
  for (size_t i = 0; i < shape[0]; ++i) for (size_t j = 0; j < shape[1]; ++j) sum += (i + 1) * view(i, j);
  return sum;
}
inline xt::xarray<double> some() { return {1.0, 2.0}; }
"""


def test_an_array_in_place(needs: Any) -> None:
    needs("xtensor/xarray.hpp", "libxtensor-dev")
    lib = sb.compile(SOURCE)
    a = np.arange(12.0).reshape(3, 4)
    assert lib.total(a) == (a.sum(1) * [1, 2, 3]).sum()
    assert lib.some().tolist() == [1, 2]
