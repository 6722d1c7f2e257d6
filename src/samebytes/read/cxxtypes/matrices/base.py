"""What a library of matrices is: its namespace, and a rule for each class that is an array in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from ....frozen import frozen
from ....types import CHAR, Matrix, NdArray, Scalar, Sparse, Type
from ...clang.libclang import ClangType
from ...spellings import split_outside
from ..standard import CannotCross, argument

Inside = Callable[[ClangType], Type]
Rule = Callable[[str, ClangType, Inside], Matrix | NdArray | Sparse | None]


@frozen
class Library:
    """One library.

    Attributes
    ----------
    namespace : str
    rules : mapping of str to callable
        By the qualified name of a class template: ``rule(spelling, type, inside)`` is the type of such a class, None
        where its objects are no arrays.
    deduced : tuple of str
        What a template's parameter of a matrix is for an array of one dimension, of two, and so on.
    """

    namespace: str
    rules: Mapping[str, Rule]
    deduced: tuple[str, ...] = ()


def element_of(type_: ClangType, inside: Inside) -> Scalar | None:
    """The first template argument, where NumPy has arrays of such numbers."""
    with suppress(CannotCross):
        found = inside(argument(type_, 0))
        return found if isinstance(found, Scalar) and found != CHAR else None
    return None


def numbers_of(spelling: str, *defaults: int) -> list[int]:
    """The template arguments of a spelling that are numbers; for those that clang leaves out, the defaults."""
    inner = spelling.partition("<")[2].rpartition(">")[0]
    parts = split_outside(inner, ",") if inner else []
    found = [int(n[0]) for part in parts if (n := re.fullmatch(r"\s*-?\d+(?=[uUlL]*\s*$)|\s*-?\d+", part))]
    return [*found, *defaults[len(found) :]]
