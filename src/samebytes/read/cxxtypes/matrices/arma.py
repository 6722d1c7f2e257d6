"""Armadillo: Mat, Col, Row and Cube, whose elements lie columns first, and expressions, which are evaluated."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ....types import Matrix, NdArray
from ...clang.libclang import ClangType
from ..standard import argument, template_name
from .base import Inside, Library, element_of

_MOST = 8  # expressions in expressions


def _plain(
    extents: tuple[None, ...], order: str, spelling: str, type_: ClangType, inside: Inside
) -> Matrix | None:
    element = element_of(type_, inside)
    return None if element is None else Matrix(spelling, element, extents, order, header="arma")


def _cube(spelling: str, type_: ClangType, inside: Inside) -> NdArray | None:
    element = element_of(type_, inside)
    return None if element is None else NdArray(spelling, (element,), 3, 3, "F", header="arma")


_OWNING = {
    "arma::Mat": partial(_plain, (None, None), "F"),
    "arma::Col": partial(_plain, (None,), "F"),
    "arma::Row": partial(_plain, (None,), "C"),
}


def _base(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """A base of all matrices, ``Base<double, mat>``: the matrix itself is the argument, or a Col, which is a Mat."""
    found = _owner(argument(type_, 1), inside)
    return found and replace(found, columns=found.ndim == 2)


def _owner(type_: ClangType, inside: Inside) -> Matrix | None:
    name = type_.spelling.removeprefix("const ")
    rule = _OWNING.get(template_name(name))
    return rule(name, type_, inside) if rule else None


def _expression(spelling: str, type_: ClangType, inside: Inside) -> Matrix | None:
    """What an expression of matrices is evaluated to: a matrix of the numbers of its first operand."""
    inner = type_
    for _ in range(_MOST):
        inner = argument(inner, 0)
        name = inner.spelling.removeprefix("const ")
        if template_name(name) in _OWNING:
            element = element_of(inner, inside)
            spelled = f"arma::Mat<{argument(inner, 0).spelling}>"
            return None if element is None else Matrix(spelled, element, (None, None), "F", header="arma")
        if template_name(name) not in _EXPRESSIONS:
            return None
    return None


_EXPRESSIONS = ("arma::Glue", "arma::Op", "arma::eGlue", "arma::eOp")
LIBRARY = Library(
    "arma",
    {**_OWNING, "arma::Cube": _cube, "arma::Base": _base, **dict.fromkeys(_EXPRESSIONS, _expression)},
    deduced=("arma::Col<{0}> &", "arma::Mat<{0}> &", "arma::Cube<{0}> &"),
)
