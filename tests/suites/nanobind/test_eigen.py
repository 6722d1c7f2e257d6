"""nanobind's test_eigen.py in our words: matrices are arrays, with and without a copy; sparse ones are SciPy's."""

from __future__ import annotations

import gc
import itertools
import os
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

INCLUDE = "/usr/include/eigen3"
pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning"),
    pytest.mark.skipif(not os.path.isdir(INCLUDE), reason="libeigen3-dev is not installed"),
]

SOURCE = Path(__file__).with_name("eigen.hpp").read_text()


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++17", include_dirs=[INCLUDE], name="nb_eigen")


def refused(cls, pattern=None):
    """The error for an array in the place of an object of a class of Eigen's: what is expected, and what binds it."""
    pattern = pattern or cls.partition("<")[0]
    words = rf"expected an object of Eigen::{cls}.*(.|\n)*is not exposed: expose=\['Eigen::{pattern}'\]"
    return pytest.raises(sb.ArgumentError, match=words)


def i32(*numbers):
    return np.array(numbers, np.int32)


def same(found, expected):
    """Whether a result is that array, of that dtype."""
    return found.dtype == expected.dtype and np.array_equal(found, expected)


@pytest.mark.behaviour("test01_vector_fixed")
def test_vectors_of_three(lib):
    a, b = i32(1, 2, 3), i32(0, 1, 2)
    for f in (lib.add3, lib.add_row3, lib.add_array3, lib.add_ref3):
        assert same(f(a, b), a + b)
        assert same(f([1, 2, 3], (0, 1, 2)), a + b)
        assert same(f(i32(1, 9, 2, 9, 3)[::2], b), a + b)
        for wrong, words in (
            (i32(1, 2, 3, 4), r"the shape must be \[3\]"),
            (a[None], "of 1 dimension, not 2"),
        ):
            with pytest.raises(sb.ArrayError, match=words):
                f(wrong, b)
        with pytest.raises(sb.ArrayError, match=r'x.astype\("int32"\) makes a converted copy'):
            f(np.float32(a), b)
    assert [lib.at(lib.add3(a, b), i) for i in range(3)] == [1, 3, 5]


@pytest.mark.behaviour("test02_vector_dynamic")
def test_vectors_of_any_length(lib):
    x = lib.counted(10000)
    assert same(lib.add_any(x, x), np.arange(0, 20000, 2, dtype=np.int32))
    for a in (i32(1, 2, 3), i32(), [1, 2, 3]):
        assert same(lib.add_any(a, a), 2 * np.array(a, np.int32))
    with pytest.raises(sb.ArrayError, match="expected int32"):
        lib.add_any(np.float32([1, 2, 3]), x)


@pytest.mark.behaviour("test03_update_map")
def test_vectors_that_cxx_changes(lib):
    c = i32(1, 2, 3)
    lib.change_ref3(c)
    assert c.tolist() == [1, 2, 123]
    c[:] = 0
    lib.change_ref(c)
    assert c.tolist() == [0, 0, 123]
    for f in (lib.change_ref3, lib.change_ref):
        with pytest.raises(sb.ArrayError, match="expected int32"):
            f(np.float32(c))
        with pytest.raises(sb.ArrayError, match=r"next to each other(.|\n)*a copy would be lost"):
            f(np.arange(6, dtype=np.int32)[::2])
    with pytest.raises(sb.IntentError, match="'out_return'"):
        lib.change(c)  # Eigen's own vector, which has the elements of no array


@pytest.mark.behaviour("test04_matrix")
@pytest.mark.behaviour("test05_matrix_large_nonsymm")
@pytest.mark.behaviour("test14_single_element")
@pytest.mark.behaviour("test18_zero_size_vec")
@pytest.mark.parametrize("shape", [(8, 8), (8, 5), (1, 1), (0, 2)])
def test_matrices(lib, shape):
    a = np.arange(shape[0] * shape[1], dtype=np.uint32).reshape(shape)
    views = [a, np.asfortranarray(a), a[::-1, ::-1], np.repeat(a, 2, axis=1)[:, ::2]]
    for left, right in itertools.product(views, views):
        for f in (lib.add_columns, lib.add_rows, lib.add_refs):
            assert same(f(left, right), left + right)
        out = np.zeros(shape, np.uint32)
        lib.add(left, right, out)
        assert (out == left + right).all()
        lib.add(left.T, right.T, out.T)
        assert (out == left + right).all()
    assert lib.sum_of(lib.add_columns(lib.ones(*shape), lib.ones(*shape))) == 2 * shape[0] * shape[1]
    columns = np.asfortranarray(a)
    assert same(lib.add_maps(columns, columns), a + a)
    if min(shape) > 1:
        with pytest.raises(sb.ArrayError, match="the elements of a column must lie next to each other"):
            lib.add_maps(columns, a)


@pytest.mark.behaviour("test06_map", refused=True)
def test_maps_as_results(lib):
    shown = lib.Buffer().map()
    assert shown.shape == (10, 3)
    assert not shown.any()
    with pytest.raises(ValueError, match="read-only"):  # a copy: what it shows may be gone
        shown[0, 0] = 1
    first, second = (lambda b: (np.asarray(b.shown()), np.asarray(b.shown())))(lib.Buffer())
    gc.collect()
    first[:] = np.arange(30).reshape(10, 3)
    assert second.tolist() == first.tolist()


@pytest.mark.behaviour("test07_mutate_arg", refused=True)
@pytest.mark.behaviour("test07b_dref1", refused=True)
def test_matrices_that_cxx_changes(lib):
    base = np.vander(np.arange(10)).astype(np.uint32)
    for a in (base.copy(), np.asfortranarray(base), np.repeat(base, 2, axis=1)[:, ::2]):
        lib.double_all(a)
        assert (a == 2 * base).all()
    fixed = base.copy()
    fixed.flags.writeable = False
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.double_all(fixed)
    with pytest.raises(sb.ArrayError, match="expected uint32"):
        lib.double_all(base.astype(np.int32))


@pytest.mark.behaviour("test08_sparse")
@pytest.mark.behaviour("test08b_sparse_noconvert")
@pytest.mark.behaviour("test15_sparse_map", refused=True)
@pytest.mark.behaviour("test16_sparse_complex")
@pytest.mark.behaviour("test17_sparse_map_complex", refused=True)
@pytest.mark.behaviour("test20_sparse_bad_attr", refused=True)
def test_sparse_matrices(lib):
    sparse = pytest.importorskip("scipy.sparse")
    m = lib.sparse(3)
    assert isinstance(m, sparse.csc_array)
    assert (m.dtype, m.nnz) == (np.float32, 3)
    assert (lib.nonzeros(m), lib.nonzeros(lib.same_sparse(m)), lib.which(m)) == (3, 3, 1)
    with pytest.raises(sb.ArrayError, match="complex128"):
        lib.nonzeros_of_complex(m)
    assert lib.nonzeros_of_complex(m.astype(np.complex128)) == 3
    dense = np.float32([[0, 3, 0], [22, 0, 17]])
    csc = sparse.csc_matrix(dense)
    assert (lib.nonzeros(csc), lib.which(csc), lib.which(dense)) == (3, 1, 2)
    for given, words in ((sparse.csr_matrix(dense), "tocsc"), (dense, "csc_array")):
        with pytest.raises(sb.Error, match=words):  # nothing is converted in silence
            lib.nonzeros(given)
    for given in (m, csc, sparse.csr_matrix(dense), dense):
        with refused("Map<Eigen::SparseMatrix<float>>"):
            lib.to_zero(given)
    t = lib.transposed(csc.data, csc.indices, csc.indptr, *csc.shape)  # its three arrays
    back = sparse.csc_matrix((t.values, t.inner, t.outer), shape=csc.shape[::-1])
    assert (back.toarray() == dense.T).all()


@pytest.mark.behaviour("test09_sparse_uncompressed")
@pytest.mark.behaviour("test19_sparse_move")
def test_what_cxx_left_uncompressed_is_compressed(lib):
    pytest.importorskip("scipy.sparse")
    assert lib.compressed(lib.sparse(3))


@pytest.mark.behaviour("test10_eigen_scalar_default")
def test_default_arguments(lib):
    assert lib.number(lib.defaulted()) == 1
    assert lib.number(lib.defaulted(lib.defaulted())) == 2


@pytest.mark.behaviour("test11_prop")
def test_a_member(lib):
    c = lib.Member()
    for read in (lambda: c.member, c.shown, c.copied):
        assert same(read(), np.ones((2, 2)))
    c.member = np.arange(6.0).reshape(2, 3)
    assert same(c.shown(), np.arange(6.0).reshape(2, 3))
    assert lib.total(lib.twice(c.member)) == 30
    with pytest.raises(ValueError, match="read-only"):  # a copy, as of a std::vector
        c.member[0, 0] = 1
    member = c.member
    c = None
    gc.collect()
    assert lib.total(member) == 15


@pytest.mark.behaviour("test13_mutate_python", refused=True)
def test_overriding_in_python(lib):
    with pytest.raises(TypeError, match="as it would write to a copy"):
        type("Derived", (lib.Base,), {"change": lambda self, v: v.fill(2)})
    x = np.zeros(2)
    lib.Base().change(x)
    assert lib.changed(lib.Base()) == 2
