"""nanobind's test_eigen.py in our words: Eigen's objects cross as objects; arrays for them are refused."""

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


@pytest.mark.behaviour("test01_vector_fixed", refused=True)
def test_vectors_of_three(lib):
    a, b = lib.vector(1, 2, 3), lib.vector(0, 1, 2)
    assert [lib.at(lib.add3(a, b), i) for i in range(3)] == [1, 3, 5]
    assert lib.add3(a, b) == lib.vector(1, 3, 5) != a  # Eigen's own operator==
    for f, cls in (
        (lib.add3, "Matrix<int, 3, 1>"),
        (lib.add_row3, "Matrix<int, 1, 3>"),
        (lib.add_array3, "Array<int, 3, 1>"),
    ):
        for pair in ((i32(1, 2, 3), i32(0, 1, 2)), ((1, 2, 3), (0, 1, 2)), (i32(1, 2, 3, 4), i32(0, 1, 2))):
            with refused(cls):
                f(*pair)
    with refused(r"Ref<const Eigen::Matrix<int, 3, 1>>"):
        lib.add_ref3(i32(1, 2, 3), b)
    with refused(r"Ref<const Eigen::Matrix<int, 3, 1>>"):  # C++ would convert it
        lib.add_ref3(a, b)


@pytest.mark.behaviour("test02_vector_dynamic", refused=True)
def test_vectors_of_any_length(lib):
    x = lib.counted(10000)
    assert lib.listed(lib.add_any(x, x)).tolist() == list(range(0, 20000, 2))
    for a in (i32(1, 2, 3), np.float32([1, 2, 3]), [1, 2, 3]):
        with refused("Matrix<int, -1, 1>"):
            lib.add_any(a, a)
    assert lib.add_vectors(i32(1, 2, 3), i32(0, 1, 2)).tolist() == [1, 3, 5]


@pytest.mark.behaviour("test03_update_map", refused=True)
def test_vectors_that_cxx_changes(lib):
    x = lib.counted(4)
    lib.change(x)
    assert lib.listed(x).tolist() == [0, 1, 123, 3]
    c = i32(1, 2, 3)
    with refused("Matrix<int, -1, 1>"):
        lib.change(c)
    for f, cls in (
        (lib.change_ref3, "Ref<Eigen::Matrix<int, 3, 1>>"),
        (lib.change_ref, "Ref<Eigen::Matrix<int, -1, 1>>"),
    ):
        for a in (c, x, np.float32(c)):
            with refused(cls):
                f(a)
    assert c.tolist() == [1, 2, 3]


@pytest.mark.behaviour("test04_matrix", refused=True)
@pytest.mark.behaviour("test05_matrix_large_nonsymm", refused=True)
@pytest.mark.behaviour("test14_single_element", refused=True)
@pytest.mark.behaviour("test18_zero_size_vec", refused=True)
@pytest.mark.parametrize("shape", [(8, 8), (8, 5), (1, 1), (0, 2)])
def test_matrices(lib, shape):
    a = np.arange(shape[0] * shape[1], dtype=np.uint32).reshape(shape)
    for f, cls in (
        (lib.add_columns, "Matrix<unsigned int, -1, -1, 0>"), (lib.add_rows, "Matrix<unsigned int, -1, -1, 1>"),
        (lib.add_maps, "Map<Eigen::Matrix<unsigned int, -1, -1, 0>>"),
        (lib.add_refs, "Ref<const Eigen::Matrix<unsigned int, -1, -1, 0>, 0, Eigen::OuterStride<-1>>|Ref<const"),
    ):  # fmt: skip
        for order in "CF":
            with refused(cls, cls.partition("<")[0]):
                f(np.asarray(a, order=order), a)
    views = [a, np.asfortranarray(a), a[::-1, ::-1], np.repeat(a, 2, axis=1)[:, ::2]]
    for left, right in itertools.product(
        views, views
    ):  # arrays at the boundary, maps inside: any strides, no copy
        out = np.zeros(shape, np.uint32)
        lib.add(left, right, out)
        assert (out == left + right).all()
        lib.add(left.T, right.T, out.T)
        assert (out == left + right).all()
    assert lib.sum_of(lib.add_columns(lib.ones(*shape), lib.ones(*shape))) == 2 * shape[0] * shape[1]


@pytest.mark.behaviour("test06_map", refused=True)
def test_maps_as_results(lib):
    m = lib.Buffer().map()
    for use in (lambda: m[0, 0], lambda: list(m), lambda: len(m), lambda: memoryview(m)):
        with pytest.raises((TypeError, BufferError)):
            use()
    with pytest.raises(sb.ProtocolError, match="shows no array by any protocol"):
        sb.view(m)
    with pytest.raises(
        AttributeError, match=r"'data' is declared in 'Eigen::Map.*and not bound|is not exposed"
    ):
        m.data()
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


@pytest.mark.behaviour("test08_sparse", refused=True)
@pytest.mark.behaviour("test08b_sparse_noconvert", refused=True)
@pytest.mark.behaviour("test15_sparse_map", refused=True)
@pytest.mark.behaviour("test16_sparse_complex", refused=True)
@pytest.mark.behaviour("test17_sparse_map_complex", refused=True)
@pytest.mark.behaviour("test20_sparse_bad_attr", refused=True)
def test_sparse_matrices(lib):
    m = lib.sparse(3)
    assert (lib.nonzeros(m), lib.nonzeros(lib.same_sparse(m)), lib.which(m)) == (3, 3, 1)
    with refused("Map<Eigen::SparseMatrix<float>>"):
        lib.to_zero(m)
    with refused("SparseMatrix<std::complex<double>>"):
        lib.nonzeros_of_complex(m)
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.float32([[0, 3, 0], [22, 0, 17]])
    csc = sparse.csc_matrix(dense)
    for given in (csc, sparse.csr_matrix(dense), dense):
        with refused("SparseMatrix<float>"):
            lib.nonzeros(given)
        with refused("Map<Eigen::SparseMatrix<float>>"):
            lib.to_zero(given)
        with pytest.raises(sb.ArgumentError, match=r"no overload that fits(.|\n)*Matrix<float, -1, -1>"):
            lib.which(given)
    t = lib.transposed(csc.data, csc.indices, csc.indptr, *csc.shape)  # its three arrays
    back = sparse.csc_matrix((t.values, t.inner, t.outer), shape=csc.shape[::-1])
    assert (back.toarray() == dense.T).all()


@pytest.mark.behaviour("test09_sparse_uncompressed")
@pytest.mark.behaviour("test19_sparse_move")
def test_a_sparse_matrix_is_the_object_that_cxx_made(lib):
    assert not lib.compressed(lib.sparse(3))  # nothing is converted, so that nothing needs to be


@pytest.mark.behaviour("test10_eigen_scalar_default")
def test_default_arguments(lib):
    assert lib.number(lib.defaulted()) == 1
    assert lib.number(lib.defaulted(lib.defaulted())) == 2


@pytest.mark.behaviour("test11_prop", refused=True)
def test_a_member(lib):
    c = lib.Member()
    member, shown, copied = c.member, c.shown(), c.copied()
    assert [lib.total(m) for m in (member, shown, copied)] == [4, 4, 4]
    assert lib.total(lib.twice(member)) == 8
    for value in (np.ones((2, 2)), lib.twice(member)):
        with pytest.raises(
            sb.ArgumentError, match="'member' is a C\\+\\+ object: only its methods change it"
        ):
            c.member = value
    del c, shown
    gc.collect()
    assert lib.total(member) == 4  # keeps what it lies in
    with pytest.raises(AttributeError, match=r"is declared in .* and not bound: .*is not"):
        member.data()


@pytest.mark.behaviour("test13_mutate_python", refused=True)
def test_overriding_in_python(lib):
    seen = []
    derived = type("Derived", (lib.Base,), {"change": lambda self, v: seen.append(type(v).__qualname__)})()
    assert lib.changed(derived) == 2  # Python gets an object of Eigen's, of which it sees no number
    assert seen == ["Ref<Eigen::Matrix<double, -1, 1>>"]
    with refused("Ref<Eigen::Matrix<double, -1, 1>>"):
        lib.Base().change(np.zeros(2))


# What a matrix can do in C++: each says why it is not there. `a + b` has Python's words alone.
@pytest.mark.behaviour("test04_matrix", refused=True)
@pytest.mark.parametrize(
    "name", ["x", "y", "size", "rows", "data", "sum", "dot", "transpose", "norm", "coeff"]
)
def test_absence_is_said(lib, name):
    with pytest.raises(
        AttributeError, match=f"'{name}' is declared in 'Eigen::Matrix<int, 3, 1>' and not bound: .*Eigen"
    ):
        getattr(lib.vector(1, 2, 3), name)


@pytest.mark.behaviour("test08_sparse", refused=True)
@pytest.mark.parametrize(
    "name", ["nonZeros", "innerIndexPtr", "valuePtr", "norm", "makeCompressed", "isCompressed"]
)
def test_absence_is_said_of_sparse_ones(lib, name):
    with pytest.raises(AttributeError, match=f"'{name}' is declared in .* and not bound: .*Sparse"):
        getattr(lib.sparse(2), name)
