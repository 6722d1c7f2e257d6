"""``==`` with a number that C++'s operator does not take: numbers are equal by their values, or they are not equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import Mismatch
from ..model.signature import Parameter
from ..types import Scalar, unqualified
from ..values.conversion.numbers import limits
from .frame import convert_argument

_NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def refused_number(parameter: Parameter, value: Any, dialect: str) -> bool:
    """Whether a parameter is a number, and a call refuses this one for it."""
    type_ = unqualified(parameter.value_type)
    if not isinstance(type_, Scalar) or (type(value) not in _PLAIN and not isinstance(value, np.generic)):
        return False
    try:
        convert_argument(parameter, value, dialect)
    except Mismatch:
        return isinstance(value, _NUMBERS)
    return False


_PLAIN = (bool, int, float, complex)


def same_number(parameter: Parameter, value: Any) -> Any:
    """The same number as a parameter takes it; None if there is none."""
    type_ = unqualified(parameter.value_type)
    assert isinstance(type_, Scalar)
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, complex) and type_.kind != "complex":
        if number.imag:
            return None
        number = number.real
    return _KINDS[type_.kind](type_, number)


def _truth(type_: Scalar, number: Any) -> bool | None:
    return bool(number) if number in (0, 1) else None


def _whole(type_: Scalar, number: Any) -> int | None:
    if number != number or number in (float("inf"), float("-inf")) or int(number) != number:
        return None
    low, high = limits(type_)
    return int(number) if low <= number <= high else None


def _rounded(type_: Scalar, number: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            found = type_.numpy(number).item()
    except OverflowError:
        return None
    return found if found == number else None


_KINDS: dict[str, Any] = {
    "bool": _truth, "int": _whole, "uint": _whole, "float": _rounded, "complex": _rounded,
}  # fmt: skip
