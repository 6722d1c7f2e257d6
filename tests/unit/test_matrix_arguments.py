"""What arrays a matrix of C++'s takes: shapes, strides and lists, by the rules of its type alone."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.call.addresses.matrices import matrix_rule
from samebytes.call.addresses.ndarrays import ndarray_rule
from samebytes.errors import Mismatch
from samebytes.read.cxxtypes.matrices import library_of
from samebytes.read.cxxtypes.matrices.base import numbers_of
from samebytes.types import SCALARS, Matrix, NdArray

DOUBLE = SCALARS["float64"]
X = np.arange(12.0).reshape(3, 4)


def wire(type_: Matrix, given: Any) -> tuple[int, ...]:
    return struct.unpack("PQq4q", matrix_rule(type_, given, "cxx").data)


def showing(shows: str, **rest: Any) -> Matrix:
    return Matrix("Eigen::Ref<M>", DOUBLE, shows=shows, **rest)


@pytest.mark.parametrize("given", [X, X.T, X[::-1, ::2], np.asfortranarray(X), np.empty((0, 4))])
def test_an_owner_takes_any_strides(given: Any) -> None:
    address, size, step, rows, columns, *strides = wire(Matrix("Eigen::MatrixXd", DOUBLE), given)
    assert (address, size, step) == (given.ctypes.data, given.size, 1)
    assert (rows, columns) == given.shape
    assert given.size == 0 or [8 * s for s in strides] == [*given.strides]


ROWS = {"order": "C"}
TABLE: list[tuple[dict[str, Any], Any, str]] = [
    ({}, X.T, ""),
    ({}, X, "the elements of a column must lie next to each other"),
    ({}, X.T[:, :], ""),
    ({}, X.T[:2], "its columns must lie one after another"),
    ({"outer": None}, X.T[:2], ""),
    ({"outer": None}, X.T[::2], "the elements of a column must lie next to each other"),
    ({"outer": None, "inner": None}, X.T[::2, ::2], ""),
    ({"outer": None, "inner": None}, X[::-1], "in ascending order"),
    ({"outer": None, "inner": 2}, X.T[::2], ""),
    ({"outer": None, "inner": 3}, X.T[::2], "3 elements apart"),
    ({"outer": 8}, X.T[:, ::2], ""),
    ({"outer": 8}, X.T, "8 elements apart"),
    (ROWS, X, ""),
    (ROWS, X.T, "the elements of a row must lie next to each other"),
    (ROWS, X[:, :2], "its rows must lie one after another"),
    ({**ROWS, "outer": None}, X[:, :2], ""),
    ({}, X[:1].T, ""),
    ({}, X[:1, :1], ""),
    ({}, X[:0], ""),
]


@pytest.mark.parametrize(("rest", "given", "words"), TABLE)
@pytest.mark.parametrize("shows", ["reads", "writes"])
def test_what_is_shown_lies_as_the_class_asks(
    shows: str, rest: dict[str, Any], given: Any, words: str
) -> None:
    type_ = showing(shows, **rest)
    if not words:
        assert wire(type_, given)[0] == given.ctypes.data
        return
    with pytest.raises(Mismatch) as refused:
        wire(type_, given)
    assert words in refused.value.advice
    told = {"reads": "makes such a copy", "writes": "what C++ wrote to a copy would be lost"}
    assert told[shows] in refused.value.advice


REFERENCES = [row for row in TABLE if "inner" not in row[0] and row[0].get("outer") != 8]


@pytest.mark.parametrize(("rest", "given", "words"), REFERENCES)
def test_a_const_reference_copies_where_cxx_would(rest: dict[str, Any], given: Any, words: str) -> None:
    packed = matrix_rule(showing("copies", **rest), given, "cxx")
    address, _, _, rows, columns, down, right = struct.unpack("PQq4q", packed.data)
    assert (address == given.ctypes.data) is not bool(words)
    assert (rows, columns) == given.shape
    if words:
        assert (down, right) == ((columns, 1) if rest.get("order") == "C" else (1, rows))


@pytest.mark.parametrize(
    ("type_", "given", "words"),
    [
        (Matrix("M", DOUBLE, (3, 3)), X, "the shape must be [3, 3]"),
        (Matrix("M", DOUBLE, (None, 3)), X, "the shape must be [n, 3]"),
        (Matrix("M", DOUBLE, (4,)), X[0, :3], "the shape must be [4]"),
        (Matrix("M", DOUBLE), X[0], "of 2 dimensions, not 1"),
        (Matrix("M", DOUBLE), np.float32(X), "float64"),
        (Matrix("M", DOUBLE), [[1, 2], [3]], "of the same length"),
        (Matrix("M", DOUBLE), [1, 2], "of the same length"),
    ],
)  # fmt: skip
def test_what_does_not_fit_says_why(type_: Matrix, given: Any, words: str) -> None:
    with pytest.raises(Mismatch) as refused:
        wire(type_, given)
    assert words in refused.value.advice


def test_one_column_where_a_vector_serves() -> None:
    type_ = Matrix("arma::Mat<double>", DOUBLE, columns=True)
    assert wire(type_, X[:, 1])[3:] == (3, 1, 4, 3)
    assert wire(type_, X)[3:5] == X.shape
    with pytest.raises(Mismatch):
        wire(type_, X[None])


ANY = NdArray("cv::Mat", (SCALARS["uint8"], DOUBLE), least=2, most=3)


@pytest.mark.parametrize(
    ("type_", "given", "words"),
    [
        (ANY, np.int64(X), "the elements must be one of uint8, float64"),
        (ANY, X[0], "of 2 to 3 dimensions, not 1"),
        (replace(ANY, writes=True), X[:, ::2], "with gaps between the rows at most"),
        (replace(ANY, writes=True), X[::-1], "the last index fastest"),
        (replace(ANY, writes=True, order="F"), X, "the first index fastest"),
        (replace(ANY, most=2), X[None], "it must be of 2 dimensions, not 3"),
        (ANY, "abc", ""),
    ],
)
def test_arrays_of_any_rank_that_do_not_fit(type_: NdArray, given: Any, words: str) -> None:
    with pytest.raises(Mismatch) as refused:
        ndarray_rule(type_, given, "cxx")
    assert words in refused.value.advice


@pytest.mark.parametrize(
    ("type_", "given"),
    [
        (ANY, X[::-1, ::2]),
        (ANY, np.zeros((2, 3, 4), "uint8")),
        (replace(ANY, writes=True), np.zeros((4, 6))[:, :2]),
        (replace(ANY, writes=True, order="F"), np.zeros((4, 6), order="F")),
        (replace(ANY, writes=True, order=""), np.zeros((4, 6))[::-1, ::2]),
    ],
)
def test_their_descriptors(type_: NdArray, given: Any) -> None:
    address, size, _, ndim, element, *numbers = struct.unpack(
        "PQq18q", ndarray_rule(type_, given, "cxx").data
    )
    assert (address, size, ndim) == (given.ctypes.data, given.nbytes, given.ndim)
    assert type_.elements[element].dtype == given.dtype
    assert tuple(numbers[:ndim]) == given.shape
    assert tuple(numbers[8 : 8 + ndim]) == given.strides


def test_lists_are_converted_number_by_number() -> None:
    packed = matrix_rule(Matrix("M", DOUBLE), [[1, 2, 3], (4, 5, 6)], "cxx")
    assert struct.unpack("PQq4q", packed.data)[3:] == (2, 3, 3, 1)
    with pytest.raises(Mismatch):
        wire(Matrix("M", SCALARS["int8"], (None,)), [1, 300])
    with pytest.raises(Mismatch):  # C++ would write to what is gone
        wire(showing("writes", extents=(None,)), [1.0])


def test_a_library_is_found_by_its_namespace() -> None:
    library = library_of("Eigen::Matrix<double, 3, 1>")
    assert library is not None
    assert {"Eigen::Matrix", "Eigen::Array", "Eigen::Map", "Eigen::Ref"} <= {*library.rules}
    assert library_of("eigen::Matrix") is library_of("std::vector<int>") is library_of("Matrix") is None
    assert numbers_of("Eigen::Matrix<unsigned int, -1, 3, 1>") == [-1, 3, 1]
    assert numbers_of("Eigen::OuterStride<>", -1) == [-1]


MINI = """
namespace Eigen {
template <class T, int Rows, int Columns, int Order = 0>
struct Matrix { T at[4]; T sum() const { return at[0] + at[3]; } };
}
"""


def test_a_class_that_is_exposed_stays_a_class(tmp_path: Path) -> None:
    (tmp_path / "mini.hpp").write_text(f"#pragma once{MINI}")
    uses = "inline Eigen::Matrix<double, 2, 2> f() { return {{1, 2, 3, 4}}; }"
    here = sb.compile(f"{MINI}{uses}")
    named = sb.compile(f"#include <mini.hpp>\n{uses}", include_dirs=tmp_path, expose=["Eigen::Matrix"])
    assert [lib.f().sum() for lib in (here, named)] == [5, 5]


def test_a_base_of_what_is_exposed_is_none_of_an_array(tmp_path: Path) -> None:
    base = "namespace Eigen { template <class M> struct MatrixBase { int n = 5; }; }"
    derived = MINI.replace("struct Matrix {", "struct Matrix : MatrixBase<Matrix<T, Rows, Columns, Order>> {")
    (tmp_path / "based.hpp").write_text(f"#pragma once\n{base}{derived}")
    uses = (
        "inline Eigen::Matrix<double, 2, 2> f() { return {}; }"
        "template <class M> int g(const Eigen::MatrixBase<M>& m) { return m.n; }"
    )
    lib = sb.compile(f"#include <based.hpp>\n{uses}", include_dirs=tmp_path, expose=["Eigen::Matrix*"])
    assert lib.g(lib.f()) == 5


def test_other_namespaces_are_no_libraries() -> None:
    lib = sb.compile("namespace base { struct M { int n; }; } int g(base::M m) { return m.n; }")
    assert lib.g((3,)) == 3
