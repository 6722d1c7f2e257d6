"""Eigen's matrices are NumPy's arrays: in results, members, containers and callables, with and without copies."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

SOURCE = r"""
#include <Eigen/Core>
#include <functional>
#include <optional>
#include <utility>
#include <vector>
using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Ref;
using Rows = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
using AnyStride = Eigen::Stride<-1, -1>;
inline MatrixXd twice(const MatrixXd& m) { return 2 * m; }
inline Rows rows(Rows m) { return m; }
inline Eigen::Matrix3f fixed(const Eigen::Matrix3f& m) { return m.transpose(); }
inline Eigen::RowVectorXd row(const Eigen::RowVectorXd& v) { return v; }
inline Eigen::MatrixXcd conjugate(const Eigen::MatrixXcd& m) { return m.conjugate(); }
inline void fill(Ref<MatrixXd> m, double v) { m.setConstant(v); }
inline void fill_rows(Ref<Rows> m, double v) { m.setConstant(v); }
inline void fill_any(Ref<MatrixXd, 0, AnyStride> m, double v) { m.setConstant(v); }
inline const double* place(const Ref<const MatrixXd>& m) { return m.data(); }
inline double corner(const Ref<const MatrixXd>& m) { return m(m.rows() - 1, 0); }
inline void out(MatrixXd& m) { m = MatrixXd::Ones(2, 3); }
inline std::vector<MatrixXd> listed(std::vector<MatrixXd> m) { return m; }
inline std::optional<VectorXd> maybe(std::optional<VectorXd> v) { return v; }
inline std::pair<MatrixXd, Eigen::VectorXi> parts(const MatrixXd& m) { return {m, Eigen::VectorXi::Ones(2)}; }
inline double apply(std::function<double(const VectorXd&)> f) { return f(VectorXd::LinSpaced(3, 0, 2)); }
inline VectorXd made(std::function<VectorXd(double)> f) { return f(2); }
inline double lost(std::function<double(Ref<VectorXd>)> f) { VectorXd v(2); return f(v); }
struct Keeps {
  Ref<MatrixXd> m;
  Keeps(Ref<MatrixXd> m) : m(m) {}
  double sum() const { return m.sum(); }
};
inline MatrixXd global = MatrixXd::Identity(2, 2);
inline MatrixXd& reference() { return global; }
inline int which(const MatrixXd&) { return 2; }
inline int which(const VectorXd&) { return 1; }
inline int which(const Eigen::MatrixXf&) { return 3; }
"""
PROGRAM = r"""
int main() {
  MatrixXd m(2, 3); m << 0, 1, 2, 3, 4, 5;
  MatrixXd t = twice(m.transpose().reverse());
  for (int i = 0; i < t.rows(); ++i) for (int j = 0; j < t.cols(); ++j) tell(t(i, j));
  Eigen::Matrix3f f; f << 0, 1, 2, 3, 4, 5, 6, 7, 8;
  f = fixed(f);
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) tell(f(i, j));
  Eigen::MatrixXcd c = conjugate(m.cast<std::complex<double>>() * std::complex<double>(0, 1));
  tell(c(1, 2).real()); tell(c(1, 2).imag());
  tell(corner(m.block(0, 1, 2, 2))); tell(which(m)); tell(which(VectorXd(3))); tell(which(Eigen::MatrixXf(1, 1)));
}
"""
X = np.arange(6.0).reshape(2, 3)


@pytest.fixture(scope="module")
def lib(needs: Any) -> Any:
    needs("eigen3/Eigen/Core", "libeigen3-dev")
    return sb.compile(SOURCE, include_dirs="/usr/include/eigen3", arg_intent={"out": {"m": "out_return"}})


def test_as_cxx_answers(lib: Any, agree: Any) -> None:
    c = lib.conjugate(X * 1j)
    f = lib.fixed(np.arange(9, dtype="float32").reshape(3, 3))
    values = [
        *lib.twice(X.T[::-1, ::-1]).ravel().tolist(),
        *f.ravel().tolist(),
        c[1, 2].real.item(),
        c[1, 2].imag.item(),
    ]
    values += [lib.corner(X[:, 1:]), lib.which(X), lib.which(X[0]), lib.which(np.float32(X))]
    agree(values, SOURCE + PROGRAM, "-I/usr/include/eigen3")


@pytest.mark.parametrize(
    "given",
    [
        X,
        np.asfortranarray(X),
        X[::-1, ::2],
        np.empty((0, 3)),
        np.broadcast_to(3.0, (2, 2)),
        [[1, 2], [3, 4.5]],
    ],
)
def test_results_own_their_memory(lib: Any, given: Any) -> None:
    for f, by in ((lib.twice, 2), (lib.rows, 1)):
        found = f(given)
        assert np.array_equal(found, by * np.asarray(given))
        assert found.flags.writeable
    assert lib.twice(X).flags.f_contiguous
    assert lib.rows(X).flags.c_contiguous


def test_a_result_outlives_all_else(lib: Any) -> None:
    kept = [lib.twice(np.full((200, 200), 1.0)) for _ in range(5)]
    gc.collect()
    assert all((m == 2).all() for m in kept)


def test_no_copy_where_the_class_can_show_the_array(lib: Any) -> None:
    columns = np.zeros((4, 6), order="F")
    assert lib.place(columns).address == columns.ctypes.data
    assert lib.place(columns[1:3, 2:4]).address == columns[1:3, 2:4].ctypes.data
    assert lib.place(X.T).address == X.ctypes.data
    assert lib.place(X).address != X.ctypes.data  # as C++ copies for it
    assert lib.corner(X) == 3
    lib.fill(columns[1:3, 2:4], 7)
    assert columns.sum() == 28
    assert columns[1, 2] == columns[2, 3] == 7
    rows = np.zeros((4, 6))
    lib.fill_rows(rows[1:3, 2:4], 7)
    lib.fill_any(rows[::2, ::3], 1)
    expected = np.zeros((4, 6))
    expected[1:3, 2:4] = 7
    expected[::2, ::3] = 1
    assert np.array_equal(rows, expected)


def test_what_cannot_be_shown_is_refused_in_words(lib: Any) -> None:
    with pytest.raises(
        sb.ArrayError, match=r"elements of a column must lie next to each other(.|\n)*would be lost"
    ):
        lib.fill(X.copy(), 1)
    with pytest.raises(sb.ArrayError, match="the elements of a row must lie next to each other"):
        lib.fill_rows(np.asfortranarray(X), 1)
    with pytest.raises(sb.ArrayError, match="in ascending order"):
        lib.fill_any(X[::-1].copy()[::-1], 1)
    fixed = np.asfortranarray(X)
    fixed.flags.writeable = False
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.fill(fixed, 1)
    with pytest.raises(sb.ArrayError, match=r"the shape must be \[3, 3\]"):
        lib.fixed(np.float32(X))
    with pytest.raises(sb.ArrayError, match="of 2 dimensions, not 1"):
        lib.twice(X[0])
    with pytest.raises(sb.ArrayError, match="of the same length"):
        lib.twice([[1, 2], [3]])
    with pytest.raises(sb.ArgumentError, match="float64"):
        lib.twice("abc")


def test_inside_of_other_things(lib: Any) -> None:
    assert [m.tolist() for m in lib.listed([X, X.T])] == [X.tolist(), X.T.tolist()]
    assert lib.maybe(None) is None
    assert lib.maybe(X[0]).tolist() == [0, 1, 2]
    matrix, ones = lib.parts(X)
    assert matrix.tolist() == X.tolist()
    assert ones.tolist() == [1, 1]
    assert lib.row(X[1]).tolist() == [3, 4, 5]
    assert lib.apply(lambda v: float(v.sum())) == 3
    assert lib.made(lambda n: np.full(3, n)).tolist() == [2, 2, 2]
    with pytest.raises(AttributeError, match="as it would write to a copy"):
        lib.lost(lambda v: 0)


def test_what_cxx_keeps_and_fills(lib: Any) -> None:
    assert lib.out().tolist() == [[1, 1, 1], [1, 1, 1]]
    kept = lib.Keeps(np.asfortranarray(np.ones((50, 50))))
    gc.collect()
    others = [np.zeros((50, 50)) for _ in range(5)]
    assert kept.sum() == 2500
    assert len(others) == 5
    assert not lib.reference().flags.writeable  # a copy of what C++ may change
    lib.global_ = X
    assert lib.reference().tolist() == X.tolist()
