"""Result types: what format arithmetic on numbers of several formats gives (specification, "Numeric Promotion")."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ..errors import ArgumentError, RangeError, not_too_deep
from ..options import check_options
from ..types import BUILTINS, SCALARS, Aligned, Array, Atomic, CArray, Const, Scalar, Type, Vector, as_type

# Each format, and those next above it. A pair's result is the least format that is above both; a pair
# without exactly one such format has none. The standard's formats come first: Python Array API standard
# v2023.12, "Type Promotion Rules".
_STANDARD: dict[str, tuple[str, ...]] = {
    "bool": (),
    "int8": ("int16",),
    "int16": ("int32",),
    "int32": ("int64",),
    "int64": (),
    "uint8": ("uint16", "int16"),
    "uint16": ("uint32", "int32"),
    "uint32": ("uint64", "int64"),
    "uint64": (),
    "float32": ("float64", "complex64"),
    "float64": ("complex128",),
    "complex64": ("complex128",),
    "complex128": (),
}
# Formats that the standard does not have. Ours: a format is below those that hold all its values exactly.
_OURS: dict[str, tuple[str, ...]] = {
    "float16": ("float32",),
    "bfloat16": ("float32",),
    "float8e4m3": ("float16", "bfloat16"),
    "float8e5m2": ("float16", "bfloat16"),
}
_NEXT = _STANDARD | _OURS

# Python's own numbers, from low to high, and the kinds of formats that each gives way to.
_WEAK: dict[type, frozenset[str]] = {
    bool: frozenset({"bool"}),
    int: frozenset({"int", "uint", "float", "complex"}),
    float: frozenset({"float", "complex"}),
    complex: frozenset({"complex"}),
}
_RANK = {python: rank for rank, python in enumerate(_WEAK)}

# These count as the one type that they are made of.
_AROUND = (Const, Aligned, Atomic, Array, CArray, Vector)


def _above(name: str) -> frozenset[str]:
    return frozenset({name}).union(*map(_above, _NEXT[name]))


_ABOVE = {name: _above(name) for name in _NEXT}


def _join(names: Iterable[str]) -> str | None:
    """The least format above all, or None; the order of the names does not matter."""
    common = frozenset.intersection(*(_ABOVE[name] for name in names))
    return next((name for name in common if common <= _ABOVE[name]), None)


def _table(names: Iterable[str]) -> dict[tuple[str, str], str | None]:
    return {pair: _join(pair) for pair in combinations_with_replacement(names, 2)}


STANDARD = _table(_STANDARD)
"""The standard's 91 pairs; None where it leaves the result undefined."""

TABLE = _table(_NEXT)
"""All 153 pairs, with those of float16, bfloat16, float8e4m3 and float8e5m2."""


@not_too_deep
def result_type(*operands: Any, promotion: str | None = None) -> Any:
    """The format of the result of arithmetic on some operands.

    Rules: Python Array API standard v2023.12, "Type Promotion Rules"; for float16, bfloat16 and the 8-bit
    formats, which the standard does not have, the least format that holds all values of both.

    Parameters
    ----------
    *operands
        Types (whatever :func:`samebytes.as_type` takes), arrays, or numbers. Arrays and vectors count as
        their elements. Python's own numbers, and their classes, are weak: they take the other operands'
        format; among themselves they promote as in Python, in the specification's formats (float: float32).
    promotion : "numpy", optional
        Where the rules above define no result, take NumPy's.

    Returns
    -------
    type
        A scalar class: ``numpy.bool_``, or one of the fixed-format numbers such as ``sb.float32``.

    Raises
    ------
    ArgumentError
        (a TypeError) If no result is defined, or an operand is no number.
    RangeError
        (an OverflowError) If a Python int does not fit into the integer format that it takes.
    """
    check_options("result_type", ArgumentError, promotion=promotion)
    if promotion not in (None, "numpy"):
        raise ValueError(f'result_type(): promotion is "numpy" or left out, got {promotion!r}')
    if not operands:
        raise ArgumentError("result_type() needs at least one type, array or number")
    weak = [(operand, python) for operand in operands if (python := _python(operand))]
    strong = [_scalar(operand) for operand in operands if not _python(operand)]
    result = _defined([python for _, python in weak], strong)
    if result is None and promotion:
        result = _numpy([operand for operand, _ in weak], strong)
    if result is None:
        raise ArgumentError(_undefined([python.__name__ for _, python in weak], [s.name for s in strong]))
    _check_range(result, [operand for operand, _ in weak if type(operand) is int])
    return result.numpy


def _python(operand: Any) -> type | None:
    """The builtin number class that an operand is, or is of."""
    found = operand if isinstance(operand, type) else type(operand)
    return found if found in _WEAK else None


def _scalar(operand: Any) -> Scalar:
    by_dtype = not isinstance(operand, Type | type) and hasattr(operand, "dtype")
    type_ = as_type(operand.dtype if by_dtype else operand)
    while isinstance(type_, _AROUND):
        (type_,) = type_.parts
    if not isinstance(type_, Scalar):
        raise ArgumentError(f"result_type() takes numbers and arrays of numbers, not {type_}")
    return SCALARS["int8"] if type_.name == "char" else type_


def _defined(weak: list[type], strong: list[Scalar]) -> Scalar | None:
    if not strong:
        return BUILTINS[max(weak, key=_RANK.__getitem__)]
    name = _join({s.name for s in strong})
    if name is None or any(SCALARS[name].kind not in _WEAK[python] for python in weak):
        return None
    return SCALARS[name]


def _numpy(weak: list[Any], strong: list[Scalar]) -> Scalar | None:
    try:
        found = np.result_type(*(o() if isinstance(o, type) else o for o in weak), *(s.dtype for s in strong))
        return _scalar(found)
    except TypeError:  # no result in NumPy either, or one without a machine representation
        return None


def _undefined(weak: list[str], strong: list[str]) -> str:
    names = [f"Python's {name}" for name in dict.fromkeys(weak)] + list(dict.fromkeys(strong))
    return (
        f"result_type() is not defined for {' and '.join(names)} (Array API standard v2023.12): convert one "
        'of them, as with x.astype(...), or say promotion="numpy" for NumPy\'s choice where it has one'
    )


def _check_range(result: Scalar, values: list[int]) -> None:
    if result.kind not in ("int", "uint"):
        return
    limits = np.iinfo(result.numpy)
    for value in values:
        if not limits.min <= value <= limits.max:
            raise RangeError(f"result_type(): {value} does not fit {result} ({limits.min} to {limits.max})")
