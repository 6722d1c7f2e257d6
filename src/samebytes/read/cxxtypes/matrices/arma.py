"""Armadillo: Mat, Col and Row, whose elements lie columns first."""

from __future__ import annotations

from functools import partial

from ....types import Matrix
from ...clang.libclang import ClangType
from .base import Inside, Library, element_of


def _plain(
    extents: tuple[None, ...], order: str, spelling: str, type_: ClangType, inside: Inside
) -> Matrix | None:
    element = element_of(type_, inside)
    return None if element is None else Matrix(spelling, element, extents, order, header="arma")


LIBRARY = Library(
    "arma",
    {
        "arma::Mat": partial(_plain, (None, None), "F"),
        "arma::Col": partial(_plain, (None,), "F"),
        "arma::Row": partial(_plain, (None,), "C"),
    },
)
