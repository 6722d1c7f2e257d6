"""Equality of what C++ converts to a number by itself: ``object == 4`` is true where the built-in ``==`` says so.

Without an answer Python would take the two for different, which C++ does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum as PythonEnum
from typing import Any, NoReturn

import numpy as np

from ... import _native
from ...call import arithmetic
from ...call.candidate import ASKS
from ...call.class_conversions import LOST, bound_conversions
from ...call.implicit import Becomes
from ...types import BOOL, Enum, Scalar, unqualified
from ...values.handle import CxxHandle
from ...values.record import StructRecord
from ...values.record_type import RecordType
from ..operators import COMPARES_NUMBERS, complete

_NUMBERS = (int, float, complex, np.number, np.bool_, PythonEnum)
# What is no operator== of C++: identity, or the fields.
PYTHONS: tuple[Any, ...] = (object.__eq__, StructRecord.__eq__, CxxHandle.__eq__)


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

    What C++ converts to an address, or by what is not bound, and compares as that, Python does not compare.

    An ``operator==`` of C++ goes first where it takes the operands (ISO C++ [over.match.oper]). Without one, two such
    objects are compared as their numbers, too. A conversion to ``bool`` says whether an object is there: it is none.
    """
    for cls in classes.values():
        if not isinstance(cls, RecordType):
            continue
        own: Any = cls.__eq__
        equal = own
        if _compared(cls):
            equal = _equal(cls, None if own in PYTHONS else own)
        if unknown := _not_compared(cls):
            equal = _equal_unless(cls, unknown, equal, None if own in PYTHONS else own)
        if equal is not own:
            setattr(cls, "__eq__", equal)  # noqa: B010
            complete(cls, [method for method in ("__eq__", "__ne__") if method in vars(cls)])


def _not_compared(cls: Any) -> list[str]:
    """The conversions whose results C++ compares by itself and Python does not: to addresses, or not bound."""
    return [*(becomes.text for becomes in arithmetic.addresses(cls)), *getattr(cls, LOST, ())]


def _equal_unless(cls: Any, unknown: list[str], known: Any, declared: Any) -> Callable[[Any, Any], Any]:
    """What is known of equality, but where C++ compares what such conversions give; what it declares goes first."""

    def equal(self: Any, other: Any) -> Any:
        if declared is not None and (answer := declared(self, other)) is not NotImplemented:
            return answer
        if self is other or (isinstance(self, CxxHandle) and CxxHandle.__eq__(self, other) is True):
            return True  # one object
        comparable = other is None or isinstance(other, _native.Pointer | str | bytes | float)
        comparable |= hasattr(cls, LOST) and isinstance(other, _NUMBERS)
        if comparable or (isinstance(type(other), RecordType) and _not_compared(type(other))):
            raise TypeError(
                f"operator==({cls.__name__}, {type(other).__name__}): C++ compares what it converts the objects to, by "
                f"{unknown[0]}, and Python does not: `is` says whether they are one object"
            )
        return NotImplemented if known is declared else known(self, other)  # it has said so already

    if declared is not None:
        setattr(equal, ASKS, declared)
    return equal


def _compared(cls: Any) -> tuple[Becomes, ...]:
    """The conversions by which C++ compares: to numbers and enumerations, each once."""
    known: dict[str, Becomes] = {}
    for becomes in bound_conversions(cls):
        result = unqualified(becomes.result)
        if isinstance(result, Scalar | Enum) and result != BOOL:
            known.setdefault(str(result), becomes)
    return tuple(known.values())


def _to_number(cls: Any) -> Becomes | None:
    """The conversion that C++ uses, where there is just one to a number, or to an enumeration that is one to it."""
    known = [becomes for becomes in _compared(cls) if _scoped(becomes) is None]
    return known[0] if len(known) == 1 else None


def _scoped(becomes: Becomes) -> Enum | None:
    """The enumeration that a conversion gives, where C++ takes its enumerators for no numbers."""
    result = unqualified(becomes.result)
    return result if isinstance(result, Enum) and result.scoped else None


def _to_enumeration(cls: Any, enumeration: Enum) -> Becomes | None:
    """The conversion to an enumeration whose enumerators are compared with one another alone."""
    return next((becomes for becomes in _compared(cls) if _scoped(becomes) == enumeration), None)


def _equal(cls: Any, declared: Any) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        answer = NotImplemented if declared is None else declared(self, other)
        if answer is not NotImplemented:
            return answer
        own, kind = type(self), type(other)  # a class may hide its base's
        if isinstance(other, _NUMBERS):
            described = getattr(kind, "__samebytes_type__", None)
            if isinstance(described, Enum) and described.scoped:
                mine = _to_enumeration(own, described)
                return NotImplemented if mine is None else bool(mine.call(self) == other)
            mine = _to_number(own)
            return NotImplemented if mine is None else arithmetic.equal(mine, self, other)
        if declared is not None or not isinstance(kind, RecordType):
            return NotImplemented
        pairs = [(_to_number(own), _to_number(kind))]
        scoped = [one for one in map(_scoped, _compared(own)) if one is not None]
        pairs += [(_to_enumeration(own, one), _to_enumeration(kind, one)) for one in scoped]
        both = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
        return (
            arithmetic.both_equal(both[0][0], self, both[0][1], other) if len(both) == 1 else NotImplemented
        )

    setattr(equal, ASKS, declared)
    if declared is None:
        setattr(equal, COMPARES_NUMBERS, True)
    return equal
