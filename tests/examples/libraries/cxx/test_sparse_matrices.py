"""Eigen's sparse matrices are SciPy's: the same numbers in the same places, or refused in words."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

scipy_sparse = pytest.importorskip("scipy.sparse")

SOURCE = r"""
#include <Eigen/SparseCore>
using Columns = Eigen::SparseMatrix<double>;
using Rows = Eigen::SparseMatrix<float, Eigen::RowMajor>;
inline Columns twice(const Columns& m) { return 2 * m; }
inline Rows rows(Rows m) { return m; }
inline Eigen::VectorXd times(const Columns& m, const Eigen::VectorXd& v) { return m * v; }
inline Columns loose() {
  Columns m(3, 4);
  m.reserve(Eigen::VectorXi::Constant(4, 3));
  m.insert(1, 2) = 5; m.insert(0, 2) = 7; m.insert(2, 0) = 9;
  return m;
}
inline void out(Columns& m) { m = loose(); }
struct Keeps { Columns kept; };
"""
DENSE = np.array([[0.0, 0, 7, 0], [0, 0, 5, 0], [9, 0, 0, 0]])


@pytest.fixture(scope="module")
def lib(needs: Any) -> Any:
    needs("eigen3/Eigen/SparseCore", "libeigen3-dev")
    return sb.compile(SOURCE, include_dirs="/usr/include/eigen3", arg_intent={"out": {"m": "out_return"}})


def test_in_and_out(lib: Any) -> None:
    for form in (scipy_sparse.csc_array, scipy_sparse.csc_matrix):
        found = lib.twice(form(DENSE))
        assert (found.format, found.dtype, found.shape) == ("csc", DENSE.dtype, (3, 4))
        assert np.array_equal(found.toarray(), 2 * DENSE)
    found.data[:] = 1  # its own memory
    assert np.array_equal(lib.rows(scipy_sparse.csr_array(np.float32(DENSE))).toarray(), DENSE)
    assert lib.rows(scipy_sparse.csr_array(np.float32(DENSE))).format == "csr"
    assert lib.times(scipy_sparse.csc_array(DENSE), np.arange(4.0)).tolist() == [14, 10, 0]
    for made in (lib.loose(), lib.out()):  # with room between its columns, which is packed
        assert np.array_equal(made.toarray(), DENSE)
        made.check_format(full_check=True)
    other = scipy_sparse.csc_array(DENSE)
    other.indices, other.indptr = other.indices.astype("int64"), other.indptr.astype("int64")
    assert np.array_equal(lib.twice(other).toarray(), 2 * DENSE)
    empty = lib.twice(scipy_sparse.csc_array((0, 3)))
    assert (empty.shape, empty.nnz) == ((0, 3), 0)
    keeps = lib.Keeps()
    keeps.kept = scipy_sparse.csc_array(DENSE)
    assert np.array_equal(keeps.kept.toarray(), DENSE)


def test_what_does_not_fit(lib: Any) -> None:
    fits = scipy_sparse.csc_array(DENSE)
    doubled = scipy_sparse.csc_array(([1.0, 2.0], [1, 1], [0, 2]), shape=(3, 1))
    wrong = scipy_sparse.csc_array(([1.0], [1], [0, 1]), shape=(3, 1))
    wrong.indices[0] = 7  # behind the last row
    wide = scipy_sparse.csc_array((1 << 40, 1))
    for given, words in (
        (DENSE, r"scipy\.sparse\.csc_array\(x\)"),
        (fits.tocsr(), r"x\.tocsc\(\)"),
        (scipy_sparse.coo_array(DENSE), r"x\.tocsc\(\)"),
        (fits.astype("float32"), r'x\.astype\("float64"\)'),
        (doubled, "sum_duplicates"),
        (wide, "its indices must be int32, which are too few"),
        (wrong, "not well formed"),
        (None, "scipy"),
    ):
        with pytest.raises(sb.Error, match=words):
            lib.twice(given)


def test_without_scipy(lib: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(sb.MissingDependency, match="pip install scipy"):
        lib.loose()
