"""nanoflann: its classes ask for an adaptor that is C++; three lines give it, and Python's arrays its points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

SOURCE = r"""
#include <nanoflann.hpp>
#include <samebytes/array.hpp>
#include <array>
#include <cstdint>
#include <vector>
struct Cloud {
  std::vector<double> p;
  size_t kdtree_get_point_count() const { return p.size() / 2; }
  double kdtree_get_pt(size_t i, size_t d) const { return p[2 * i + d]; }
  template <class B> bool kdtree_get_bbox(B&) const { return false; }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 2>;
inline std::vector<uint32_t> nearest(const std::vector<double>& points, std::array<double, 2> at, int n) {
  Cloud cloud{points};
  Tree tree(2, cloud, {10});
  tree.buildIndex();
  std::vector<uint32_t> found(n);
  std::vector<double> far(n);
  found.resize(tree.knnSearch(at.data(), n, found.data(), far.data()));
  return found;
}
"""
PROGRAM = (
    SOURCE
    + r"""
int main() {
  std::vector<double> points;
  for (int i = 0; i < 100; ++i) { points.push_back(i * 37 % 101); points.push_back(i * 53 % 103); }
  for (auto i : nearest(points, {50, 50}, 6)) tell(i);
}
"""
)


def test_neighbours(needs: Any, agree: Any) -> None:
    needs("nanoflann.hpp", "libnanoflann-dev")
    lib = sb.compile(SOURCE)
    points = np.array([[i * 37 % 101, i * 53 % 103] for i in range(100)], float)
    include = f"-I{sb.get_include()}"
    agree(list(map(int, lib.nearest(points.ravel(), (50, 50), 6))), PROGRAM, include)


def test_an_instance_of_its_own_classes(needs: Any) -> None:
    needs("nanoflann.hpp", "libnanoflann-dev")
    lib = sb.bind("nanoflann.hpp").nanoflann
    with pytest.raises((sb.Error, AttributeError, TypeError)):
        lib.KDTreeSingleIndexAdaptor["int", "int"](1, 2)
