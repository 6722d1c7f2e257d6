"""Armadillo: its matrices are objects, whose methods a pattern for their class binds."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <armadillo>
inline arma::mat twice_eye(int n) { return 2 * arma::eye(n, n); }
inline double trace(const arma::mat& m) { return arma::trace(m); }
inline arma::mat solved(const arma::mat& a, const arma::mat& b) { return arma::solve(a, b); }
"""
PROGRAM = r"""
int main() {
  arma::mat m = twice_eye(3); m(0, 1) = 5;
  tell(m.n_rows); tell(trace(m)); tell(m(0, 1)); tell(m.is_square()); tell(m.max());
  arma::mat x = solved(m, twice_eye(3)); for (double v : x) tell(v);
  try { m(3, 3); } catch (const std::exception& e) { tell(e.what()); }
}
"""


def test_matrices(needs: Any, agree: Any) -> None:
    needs("armadillo", "libarmadillo-dev", "armadillo")
    lib = sb.compile(SOURCE, libraries=["armadillo"], expose=["arma::Mat"])
    m = lib.twice_eye(3)
    m[3] = 5
    values = [m.n_rows, lib.trace(m), m(0, 1), m.is_square(), m.max()]
    x = lib.solved(m, lib.twice_eye(3))
    values += [x(i, j) for j in range(3) for i in range(3)]
    with pytest.raises((IndexError, RuntimeError)) as refused:
        m(3, 3)
    agree([*values, str(refused.value)], SOURCE + PROGRAM, "-larmadillo")
