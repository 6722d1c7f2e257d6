"""Equality of what C++ converts to a number by itself: ``object == 4`` is true where the built-in ``==`` says so.

Without an answer Python would take the two for different, which C++ does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum as PythonEnum
from typing import Any

import numpy as np

from ...call.implicit import Becomes
from ...types import BOOL, Enum, Scalar, unqualified
from ...values.handle import CxxHandle
from ...values.record import StructRecord
from ...values.record_type import RecordType
from ..operators import COMPARES_NUMBERS, complete

_NUMBERS = (int, float, complex, np.number, np.bool_, PythonEnum)
# What is no operator== of C++: identity, or the fields.
_PYTHONS: tuple[Any, ...] = (object.__eq__, StructRecord.__eq__, CxxHandle.__eq__)


def add_number_equality(classes: Iterable[Any]) -> None:
    """Let the classes of a library with one implicit conversion to a number compare as that number.

    An ``operator==`` of C++ goes first where it takes the operands (ISO C++ [over.match.oper]). Without one, two such
    objects are compared as their numbers, too. A conversion to ``bool`` says whether an object is there: it is none.
    """
    for cls in classes:
        if isinstance(cls, RecordType) and (number := _to_number(cls)) is not None:
            own: Any = cls.__eq__
            setattr(cls, "__eq__", _equal(number, None if own in _PYTHONS else own))  # noqa: B010
            complete(cls, [method for method in ("__eq__", "__ne__") if method in vars(cls)])


def _to_number(cls: Any) -> Callable[[Any], Any] | None:
    """The conversion that C++ uses, where there is just one to a number or an enumeration."""
    known: dict[str, Becomes] = {}
    for base in cls.__mro__:
        for becomes in vars(base).get("__samebytes_becomes__", ()):
            result = unqualified(becomes.result)
            if isinstance(result, Scalar | Enum) and result != BOOL:
                known.setdefault(str(result), becomes)
    return next(iter(known.values())).call if len(known) == 1 else None


def _equal(number: Callable[[Any], Any], declared: Any) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        answer = NotImplemented if declared is None else declared(self, other)
        if answer is not NotImplemented:
            return answer
        if isinstance(other, _NUMBERS):
            return bool(number(self) == other)
        theirs = _to_number(type(other)) if declared is None and isinstance(type(other), RecordType) else None
        return NotImplemented if theirs is None else bool(number(self) == theirs(other))

    if declared is None:
        setattr(equal, COMPARES_NUMBERS, True)
    return equal
