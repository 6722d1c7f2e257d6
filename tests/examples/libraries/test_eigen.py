"""Eigen from a C++ header of one's own: templates inside, arrays and structs at the boundary; compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

# Half a minute of compiling, whatever is called.
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

HEADER = r"""
#pragma once
#include <Eigen/Dense>
#include <samebytes/array.hpp>
#include <array>

namespace linear {
namespace detail {
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Strided = Eigen::Map<Rows, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
inline Strided map(samebytes::array<double, 2> a) {
  return Strided(a.data, a.shape[0], a.shape[1], {a.strides[0], a.strides[1]});
}
}  // namespace detail

/// Solves a x = b; the arrays may be strided.
inline void solve(samebytes::array<double, 2> a, samebytes::array<double, 2> b, samebytes::array<double, 2> x) {
  detail::map(x) = detail::map(a).partialPivLu().solve(detail::map(b));
}

/// The eigenvalues of a symmetric matrix, ascending.
inline std::array<double, 3> eigenvalues(const double (*m)[3]) {
  Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> view(&m[0][0]);
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(view, Eigen::EigenvaluesOnly);
  std::array<double, 3> out;
  Eigen::Map<Eigen::Vector3d>(out.data()) = solver.eigenvalues();
  return out;
}

inline double determinant(samebytes::array<double, 2> a) { return detail::map(a).determinant(); }

struct Rotation { double w, x, y, z; };
inline Rotation between(std::array<double, 3> from, std::array<double, 3> to) {
  using Eigen::Map, Eigen::Vector3d;
  auto q = Eigen::Quaterniond::FromTwoVectors(Map<Vector3d>(from.data()), Map<Vector3d>(to.data()));
  return {q.w(), q.x(), q.y(), q.z()};
}
inline std::array<double, 3> turn(Rotation r, std::array<double, 3> v) {
  Eigen::Vector3d turned = Eigen::Quaterniond(r.w, r.x, r.y, r.z) * Eigen::Map<Eigen::Vector3d>(v.data());
  return {turned[0], turned[1], turned[2]};
}
}  // namespace linear
"""


@pytest.fixture(scope="module")
def linear(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("eigen3/Eigen/Dense", "libeigen3-dev")
    header = Path(tmp_path_factory.mktemp("eigen")) / "linear.hpp"
    header.write_text(HEADER)
    return sb.bind(header, include_dirs="/usr/include/eigen3").linear


def test_solving(linear: Any) -> None:
    rng = np.random.default_rng(3)
    a, b, x = rng.normal(size=(4, 4)), rng.normal(size=(4, 2)), np.zeros((4, 2))
    linear.solve(a, b, x)
    assert x == pytest.approx(np.linalg.solve(a, b))
    linear.solve(a.T, b, x)
    assert x == pytest.approx(np.linalg.solve(a.T, b))
    wide = rng.normal(size=(8, 8))
    linear.solve(wide[::2, ::-2], b, x)
    assert x == pytest.approx(np.linalg.solve(wide[::2, ::-2], b))


def test_eigenvalues_and_determinant(linear: Any) -> None:
    m = np.array([[2.0, 1, 0], [1, 3, 0], [0, 0, 5]])
    assert linear.eigenvalues(m) == pytest.approx(np.linalg.eigvalsh(m))
    assert linear.determinant(m) == pytest.approx(np.linalg.det(m))


def test_structs(linear: Any) -> None:
    rotation = linear.between((1, 0, 0), (0, 1, 0))
    assert linear.turn(rotation, (1, 0, 0)) == pytest.approx((0, 1, 0), abs=1e-12)
    assert tuple(rotation) == pytest.approx((np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
