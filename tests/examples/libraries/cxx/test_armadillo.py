"""Armadillo: its matrices are arrays, or objects, whose methods a pattern for their class binds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

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


INCLUDE = "#include <armadillo>\n"
SVD = r"""
#include <armadillo>
int main() {
  arma::mat a = {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}, b = {{1, 0}, {0, 1}, {1, 1}}, U, V, x = arma::solve(a, b);
  arma::vec S, y = arma::solve(a, b.col(0));
  arma::vec s = arma::svd(a);
  for (double n : s) tell(n);
  arma::svd_econ(U, S, V, b);
  arma::rowvec u = U.as_row();
  for (double n : u) tell(n);
  for (double v : S) tell(v);
  arma::rowvec v = V.as_row();
  for (double n : v) tell(n);
  arma::rowvec z = x.as_row();
  for (double n : z) tell(n);
  for (double v : y) tell(v);
}
"""


def test_its_own_functions_take_arrays(needs: Any, agree: Any) -> None:
    """Singular values, a decomposition and a solution: deduced from arrays, with no C++ of one's own."""
    needs("armadillo", "libarmadillo-dev", "armadillo")
    own = ["arma::svd", "arma::svd_econ", "arma::solve"]
    outputs = {"arma::svd_econ": dict.fromkeys("USV", "out_return")}
    arma = sb.compile(INCLUDE, libraries=["armadillo"], expose=own, arg_intent=outputs).arma
    a, b = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]), np.array([[1.0, 0], [0, 1], [1, 1]])
    done, u, s, v = arma.svd_econ(b)
    assert done
    assert u * s @ v.T == pytest.approx(b)
    x, y = arma.solve(a, b), arma.solve(a, b[:, 0])
    assert x == pytest.approx(np.linalg.solve(a, b))
    values = [arma.svd(a), u, s, v, x, y]
    agree([n for each in values for n in each.ravel().tolist()], SVD, "-larmadillo")
    with pytest.raises(sb.ArgumentError, match="svd"):
        arma.svd("abc")


ARRAYS = r"""
#include <armadillo>
inline arma::mat solved(const arma::mat& a, const arma::mat& b) { return arma::solve(a, b); }
inline arma::vec singular(arma::mat m) { return arma::svd(m); }
inline arma::rowvec sums(const arma::mat& m) { return arma::sum(m); }
inline arma::cx_mat turned(const arma::cx_mat& m) { return m.t(); }
inline void zero(arma::mat& m) { m.zeros(2, 3); }
inline arma::mat empty() { return {}; }
"""
ARRAYS_PROGRAM = r"""
int main() {
  arma::mat a = {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}, b = {{1, 0}, {0, 1}, {1, 1}};
  arma::mat x = solved(a, b);
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 2; ++j) tell(x(i, j));
  for (double v : singular(a)) tell(v);
  for (double v : sums(b)) tell(v);
}
"""


def test_matrices_are_arrays(needs: Any, agree: Any) -> None:
    needs("armadillo", "libarmadillo-dev", "armadillo")
    lib = sb.compile(ARRAYS, libraries=["armadillo"], arg_intent={"zero": {"m": "out_return"}})
    a, b = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]), [[1, 0], [0, 1], [1, 1]]
    x = lib.solved(a, b)
    assert x.flags.f_contiguous
    values = [*x.ravel().tolist(), *lib.singular(a).tolist(), *lib.sums(b).tolist()]
    agree(values, ARRAYS + ARRAYS_PROGRAM, "-larmadillo")
    assert lib.solved(a[::-1], b) == pytest.approx(np.linalg.solve(a[::-1], b))
    assert (lib.turned(a[:2] * 1j) == (a[:2] * 1j).conj().T).all()
    assert lib.zero().tolist() == [[0, 0, 0], [0, 0, 0]]
    assert lib.empty().shape == (0, 0)
    with pytest.raises(sb.ArrayError, match="expected float64"):
        lib.sums(np.float32(a))
