"""xtensor: NumPy's arrays in place; an array of its own comes back as NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

import samebytes as sb

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
