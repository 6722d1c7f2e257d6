"""Eigen: Matrix and Array, which own their elements, and Map and Ref, which show others'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ....types import SCALARS, Matrix, Sparse
from ...clang.libclang import ClangType
from ..standard import argument, template_name
from .base import Inside, Library, element_of, numbers_of

_DYNAMIC = -1
_ROW_MAJOR = 1
_BASES = tuple(f"Eigen::{name}Base" for name in ("Eigen", "Dense", "Matrix", "Array", "PlainObject"))
_OWNING = frozenset({"Eigen::Matrix", "Eigen::Array"})


def _extent(number: int) -> int | None:
    return None if number == _DYNAMIC else number


def _plain(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    element = element_of(type_, inside)
    rows, columns, *options = numbers_of(spelling)
    if element is None:
        return None
    row = rows == 1 and columns != 1  # by which Eigen itself chooses the order
    order = "C" if (options[0] & _ROW_MAJOR if options else row) else "F"
    if row or columns == 1:
        return Matrix(spelling, element, (_extent(columns if row else rows),), order, header="eigen")
    return Matrix(spelling, element, (_extent(rows), _extent(columns)), order, header="eigen")


# Inner and outer stride by the class that says them: 0 as the elements lie, None any.
_STRIDES: dict[str, Callable[[list[int]], tuple[int, int]]] = {
    "Eigen::Stride": lambda numbers: (numbers[1], numbers[0]),
    "Eigen::InnerStride": lambda numbers: (numbers[0], 0),
    "Eigen::OuterStride": lambda numbers: (0, numbers[0]),
}


def _showing(other: str, spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """A Map or a Ref; ``other``: what one that only reads does with elements that it cannot show."""
    plain, strides = argument(type_, 0), argument(type_, 2).spelling
    const = bool(plain.is_const_qualified())
    name = plain.spelling.removeprefix("const ")
    told = _STRIDES.get(template_name(strides))
    if template_name(name) not in _OWNING or told is None:
        return None
    found = _plain(name, plain, inside)
    if found is None:
        return None
    inner, outer = told(numbers_of(strides, _DYNAMIC))
    return replace(
        found, spelling=spelling, shows=other if const else "writes",
        inner=_extent(inner or 1), outer=_extent(outer),
    )  # fmt: skip


def _sparse(spelling: str, type_: ClangType, inside: Inside) -> Sparse | None:
    """A sparse matrix, whose last argument is the number of its indices."""
    element, index = element_of(type_, inside), inside(argument(type_, 2))
    if element is None or index not in (SCALARS["int32"], SCALARS["int64"]):
        return None
    order = "C" if numbers_of(spelling, 0)[0] & _ROW_MAJOR else "F"
    return Sparse(spelling, element, SCALARS[str(index)], order, header="eigen_sparse")


def _owner(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """A matrix that owns its elements, by its own type."""
    name = _plain_name(type_)
    return _plain(name, type_, inside) if template_name(name) in _OWNING else None


def _base(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """A base of all matrices, ``MatrixBase<M>``: the matrix itself is the argument."""
    return _owner(spelling, argument(type_, 0), inside)


def _plain_name(type_: ClangType) -> str:
    return str(type_.spelling).removeprefix("const ")


def _solution(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """What a decomposition solves, evaluated: of the right side's numbers and columns."""
    right = argument(type_, 1)
    found = _owner(spelling, right, inside)
    return None if found is None else _made(right, found, _DYNAMIC, numbers_of(_plain_name(right))[1])


def _swapped(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """A transposed matrix, evaluated."""
    found = _owner(spelling, argument(type_, 0), inside)
    if found is None:
        return None
    rows, columns, *_ = numbers_of(found.spelling)
    return _made(argument(type_, 0), found, columns, rows)


def _made(like: ClangType, read: Matrix, rows: int, columns: int) -> Matrix:
    """The matrix of some sizes and another's numbers; Eigen has rows, and these alone, in the order of rows."""
    row = rows == 1 and columns != 1
    name = f"Eigen::Matrix<{argument(like, 0).spelling}, {rows}, {columns}, {int(row)}>"
    both = (_extent(rows), _extent(columns))
    extents = (both[1],) if row else (both[0],) if columns == 1 else both
    return Matrix(name, read.element, extents, "C" if row else "F", header="eigen")


LIBRARY = Library(
    "Eigen",
    {
        **dict.fromkeys(_OWNING, _plain),
        **dict.fromkeys(_BASES, _base),
        "Eigen::SparseMatrix": _sparse,
        "Eigen::Solve": _solution,
        "Eigen::Inverse": _base,
        "Eigen::Transpose": _swapped,
        "Eigen::Map": partial(_showing, "reads"),
        "Eigen::Ref": partial(_showing, "copies"),
    },
    deduced=("Eigen::Matrix<{0}, -1, 1> &", "Eigen::Matrix<{0}, -1, -1> &"),
)
