"""``==`` with a number that C++'s operator does not take: numbers are equal by their values, or they are not equal."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from ..errors import Mismatch
from ..model.signature import Parameter
from ..types import Scalar, Struct, unqualified
from ..values.conversion.numbers import limits
from . import implicit, ranking
from .conversion_sequences import UndecidedError
from .frame import convert_argument

_NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def refused_number(parameter: Parameter, value: Any, dialect: str) -> bool:
    """Whether C++ takes a number for a parameter, or makes an object of it, and a call refuses this one there.

    A call refuses one, too, of which several constructors make an object equally well.
    """
    if isinstance(value, np.number | np.bool_ | Enum) and implicit.is_tied(parameter, value, dialect):
        return True
    if type(value) not in _PLAIN and not isinstance(value, np.generic):
        return False
    if not isinstance(unqualified(parameter.value_type), Scalar):
        return _maker(parameter, value) is not None and _is_refused(
            implicit.convert_implicitly, parameter, value, dialect
        )
    return _is_refused(convert_argument, parameter, value, dialect) and isinstance(value, _NUMBERS)


_PLAIN = (bool, int, float, complex)


def _is_refused(convert: Any, parameter: Parameter, value: Any, dialect: str) -> bool:
    try:
        convert(parameter, value, dialect)
    except Mismatch:
        return True
    return False


def _maker(parameter: Parameter, value: Any) -> implicit.Maker | None:
    """The constructor by which C++ makes the object that a parameter takes of a number; None: none takes one."""
    source = ranking.source_of(value) if isinstance(unqualified(parameter.value_type), Struct) else None
    if source is None:
        return None
    try:
        found = ranking.sequence(source, parameter)
    except UndecidedError:
        return None
    makers: tuple[implicit.Maker, ...] = vars(_class_of(parameter)).get("__samebytes_makers__", ())
    chosen = (m for m in makers if found is not None and m.text == found.by and not m.unbound)
    return next((m for m in chosen if isinstance(unqualified(m.parameter.value_type), Scalar)), None)


def _class_of(parameter: Parameter) -> Any:
    return getattr(unqualified(parameter.value_type), "python", None)


def same_number(parameter: Parameter, value: Any) -> Any:
    """The same number as a parameter takes it, or the object that C++ makes of that; None if there is none.

    Of a number of which several constructors make one it is the number: the call says which they are.
    """
    if implicit.is_tied(parameter, value, "cxx"):
        return value
    if (maker := _maker(parameter, value)) is not None:
        same = same_number(maker.parameter, value)
        return None if same is None else maker.make(_class_of(parameter), same)
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
