"""Which pointers to numbers are data that the caller has, as vectors and matrices are: by neighbours, by name."""

from __future__ import annotations

import re

from ..signature import Parameter
from ..types import Pointer, Scalar, unqualified

# Strides (BLAS, LAPACK) and the number of elements that a sparse array has: what has them works on arrays.
_STRIDED = re.compile(r"(inc|ld)[a-zA-Z]?|nnz")
# The number of elements of the array before it.
_LENGTH = re.compile(r"n")
_DATA = re.compile(r"[io]?data|\w+_data")
# What is one number beside arrays, too: how large a workspace must be.
_SIZE = re.compile(r"(?i)lwork\w*|\w*(size|bytes|count)(inbytes)?")


def data(parameters: tuple[Parameter, ...]) -> set[int]:
    """The indices of pointers to numbers, not const, that go in because the caller has what they point to."""
    strided = any(_integer(p, _STRIDED) for p in parameters)
    found = set()
    for i, parameter in enumerate(parameters):
        after = parameters[i + 1] if i + 1 < len(parameters) else None
        counted = after is not None and _integer(after, _LENGTH)
        beside = strided and not _SIZE.fullmatch(parameter.name)
        if _numbers(parameter) and (beside or counted or _DATA.fullmatch(parameter.name)):
            found.add(i)
    return found


def _integer(parameter: Parameter, name: re.Pattern[str]) -> bool:
    type_ = unqualified(parameter.type)
    whole = isinstance(type_, Scalar) and type_.kind in ("int", "uint")
    return whole and name.fullmatch(parameter.name) is not None


def _numbers(parameter: Parameter) -> bool:
    type_ = unqualified(parameter.type)
    return isinstance(type_, Pointer) and isinstance(type_.target, Scalar) and not type_.const
