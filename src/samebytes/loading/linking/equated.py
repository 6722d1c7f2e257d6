"""Equality of what C++ converts to a number by itself: ``object == 4`` is true where the built-in ``==`` says so.

Without an answer Python would take the two for different, which C++ does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum as PythonEnum
from typing import Any, NoReturn

import numpy as np

from ...call import arithmetic
from ...call.candidate import ASKS
from ...call.implicit import Becomes
from ...types import BOOL, Enum, Scalar, unqualified
from ...values.handle import CxxHandle
from ...values.record import StructRecord
from ...values.record_type import RecordType
from ..operators import COMPARES_NUMBERS, complete

_NUMBERS = (int, float, complex, np.number, np.bool_, PythonEnum)
# What is no operator== of C++: identity, or the fields.
_PYTHONS: tuple[Any, ...] = (object.__eq__, StructRecord.__eq__, CxxHandle.__eq__)


# What <=> gives: C++ compares it with the literal 0 alone, which is no number there.
_ORDERINGS = ("std::strong_ordering", "std::weak_ordering", "std::partial_ordering")
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def refuse_orderings(classes: Mapping[str, Any]) -> None:
    """Have what ``<=>`` gives refuse comparisons with numbers: Python would say that it is different from 0."""
    for name in _ORDERINGS:
        if (cls := classes.get(name)) is not None:
            for method, sign in _SIGNS.items():
                setattr(cls, f"__{method}__", _refusal(name, sign, getattr(cls, f"__{method}__")))


def _refusal(name: str, sign: str, declared: Any) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        return _refuse(name, sign) if isinstance(other, _NUMBERS) else declared(self, other)

    return compare


def _refuse(name: str, sign: str) -> NoReturn:
    raise TypeError(
        f"C++ compares a {name} with the literal 0 alone, and Python has numbers only: "
        f"let C++ give a bool, (a <=> b) {sign} 0, or compare the objects, a {sign} b"
    )


def add_number_equality(classes: Mapping[str, Any]) -> None:
    """Let the classes of a library with one implicit conversion to a number compare as that number.

    An ``operator==`` of C++ goes first where it takes the operands (ISO C++ [over.match.oper]). Without one, two such
    objects are compared as their numbers, too. A conversion to ``bool`` says whether an object is there: it is none.
    """
    for cls in classes.values():
        if isinstance(cls, RecordType) and (number := _to_number(cls)) is not None:
            own: Any = cls.__eq__
            setattr(cls, "__eq__", _equal(number, None if own in _PYTHONS else own))  # noqa: B010
            complete(cls, [method for method in ("__eq__", "__ne__") if method in vars(cls)])


def _to_number(cls: Any) -> Becomes | None:
    """The conversion that C++ uses, where there is just one to a number or an enumeration."""
    known: dict[str, Becomes] = {}
    for base in cls.__mro__:
        for becomes in vars(base).get("__samebytes_becomes__", ()):
            result = unqualified(becomes.result)
            if isinstance(result, Scalar | Enum) and result != BOOL:
                known.setdefault(str(result), becomes)
    return next(iter(known.values())) if len(known) == 1 else None


def _equal(number: Becomes, declared: Any) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        answer = NotImplemented if declared is None else declared(self, other)
        if answer is not NotImplemented:
            return answer
        if isinstance(other, _NUMBERS):
            return arithmetic.equal(number, self, other)
        theirs = _to_number(type(other)) if declared is None and isinstance(type(other), RecordType) else None
        return NotImplemented if theirs is None else arithmetic.both_equal(number, self, theirs, other)

    setattr(equal, ASKS, declared)
    if declared is None:
        setattr(equal, COMPARES_NUMBERS, True)
    return equal
