"""Eigen: its function templates take NumPy's arrays and give them, by what C++ deduces of their matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <Eigen/Geometry>
#include <Eigen/SVD>
int main() {
  Eigen::MatrixXd a(2, 4), b(2, 4); a << 0, 1, 1, 0, 0, 0, 2, 3; b << 5, 5, 3, 2, 1, 2, 2, 1;
  Eigen::MatrixXd t = Eigen::umeyama(a, b, true);
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) tell(t(i, j));
}
"""


def test_a_transformation_between_points(needs: Any, agree: Any) -> None:
    needs("eigen3/Eigen/Geometry", "libeigen3-dev")
    lib = sb.compile(
        "#include <Eigen/Geometry>\n#include <Eigen/SVD>\n",
        include_dirs="/usr/include/eigen3",
        expose=["Eigen::umeyama"],
    )
    a, b = np.array([[0.0, 1, 1, 0], [0, 0, 2, 3]]), np.array([[5.0, 5, 3, 2], [1, 2, 2, 1]])
    found = lib.Eigen.umeyama(a, b, True)
    agree(found.ravel().tolist(), PROGRAM, "-I/usr/include/eigen3", "-O3")
    exact = lib.Eigen.umeyama(a, 2 * a + 1, True)
    assert exact == pytest.approx(np.array([[2.0, 0, 1], [0, 2, 1], [0, 0, 1]]))
