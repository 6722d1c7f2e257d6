"""Arithmetic on vectors by element: NumPy's, in the formats that the specification's promotion gives."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..errors import ArgumentError
from ..layouts.promotion import result_type
from ..types import SCALARS, Vector

_ELEMENTS = {SCALARS[name].dtype: SCALARS[name] for name in SCALARS if name != "char"}

_BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": operator.abs,
    "invert": operator.invert,
}
_COMPARISONS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def elements(vector: Any) -> np.ndarray[Any, Any]:
    """A read-only NumPy view of the elements."""
    return np.frombuffer(vector, vector.dtype)


def arithmetic(base: type, make: Callable[[Vector], Any]) -> dict[str, Callable[..., Any]]:
    """The special methods of all vector classes, by name.

    Parameters
    ----------
    base : type
        What these classes share.
    make : callable
        The class of one vector type.
    """

    def result(array: Any) -> Any:
        element = _ELEMENTS.get(array.dtype)
        if element is None or element.kind in ("bool", "complex"):
            return NotImplemented
        return make(Vector(element, len(array))).__samebytes_from_buffer__(array.tobytes())

    def binary(compute: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Any, Any], Any]:
        def method(self: Any, other: Any) -> Any:
            operand, found = _operand(base, self, other), NotImplemented
            if operand is not None:
                own, operand = in_one_format(elements(self), operand)
                found = result(compute(operand, own) if swapped else compute(own, operand))
            if found is NotImplemented and isinstance(other, np.ndarray | np.generic):
                raise _no_vector(self, other)  # NumPy's own words would be about ufuncs, or concatenation
            return found

        return method

    def comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def method(self: Any, other: Any) -> Any:
            operand = _operand(base, self, other)
            if operand is None and isinstance(other, np.ndarray):
                raise _no_vector(self, other)
            return NotImplemented if operand is None else compare(elements(self), operand)

        return method

    def unary(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda self: result(compute(elements(self)))

    return {
        **{f"__{name}__": binary(function, swapped=False) for name, function in _BINARY.items()},
        **{f"__r{name}__": binary(function, swapped=True) for name, function in _BINARY.items()},
        **{f"__{name}__": unary(function) for name, function in _UNARY.items()},
        **{f"__{name}__": comparison(function) for name, function in _COMPARISONS.items()},
    }


def _no_vector(vector: Any, other: Any) -> TypeError:
    """Of an array, which may be of any shape, and of a format that no vector has."""
    name, what = type(vector).__name__, "an array" if np.ndim(other) else f"a {other.dtype}"
    return TypeError(
        f"{name} and {what} make no vector: np.asarray() of the {name} computes as NumPy's arrays do"
    )


def _operand(base: type, vector: Any, other: Any) -> Any:
    """What NumPy computes with in place of the other operand; None if it is none of ours."""
    if isinstance(other, base):
        return elements(other) if len(other) == len(vector) else None  # type: ignore[arg-type]
    if isinstance(other, np.generic) or (isinstance(other, np.ndarray) and other.ndim == 0):
        return other
    if isinstance(other, int | float):
        return number_beside(vector.dtype, other)
    return None


def number_beside(dtype: np.dtype[Any], number: float) -> Any:
    """A number of Python's beside elements of a format, which it takes: ml_dtypes does not know that rule.

    Rule: Python Array API standard v2023.12, "Mixing arrays with Python scalars"; of floats beside integers, which
    have no result there, NumPy's.
    """
    return dtype.type(number) if _ELEMENTS[dtype].kind == "float" else number


@cache
def _joined(own: np.dtype[Any], other: np.dtype[Any]) -> np.dtype[Any] | None:
    """The format in which two are computed; None: as NumPy finds.

    Raises
    ------
    ArgumentError
        Where that would lose an integer's digits: ml_dtypes has 8-bit floats for them.
    """
    try:
        found: np.dtype[Any] = np.dtype(result_type(own, other))
        return found
    except TypeError:  # not defined
        pass
    kinds = {kind.name: kind.kind for kind in (_ELEMENTS.get(own), _ELEMENTS.get(other)) if kind}
    narrow = [name for name in kinds if name.startswith("float8")]
    if narrow and {*kinds.values()} & {"int", "uint"}:
        words = " and ".join(kinds)
        raise ArgumentError(
            f"no result is defined for vectors of {words}: convert one, as with sb.float32x2(*v)"
        )
    return None


def in_one_format(own: Any, other: Any) -> tuple[Any, Any]:
    """Both operands in the format in which they are computed.

    Raises
    ------
    ArgumentError
        If no result is defined.
    """
    if not all(hasattr(operand, "dtype") for operand in (own, other)) or own.dtype == other.dtype:
        return own, other
    kind = _joined(own.dtype, other.dtype)
    return (own, other) if kind is None else (own.astype(kind), other.astype(kind))
