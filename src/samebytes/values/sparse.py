"""SciPy's matrices of what C++ gives: its numbers, their places, and where each column or row begins."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import MissingDependency
from ..forks import importing
from ..types import Sparse


def matrix_of(type_: Sparse, parts: tuple[Any, ...]) -> Any:
    """A ``scipy.sparse`` array that owns what C++ returned.

    Raises
    ------
    MissingDependency
        If SciPy is not installed.
    """
    numbers, inner, outer, shape = parts
    try:
        with importing:
            scipy = import_module("scipy.sparse")
    except ImportError:
        raise MissingDependency(
            f"a {type_.words} is a matrix of SciPy's, which is not installed: pip install scipy"
        ) from None
    return getattr(scipy, f"{type_.form}_array")((numbers, inner, outer), shape=tuple(shape), copy=False)
