"""Arithmetic and comparisons of objects that C++ converts to a number by itself, as C++'s built-in operators compute.

The operands are promoted and brought to one type (ISO C++ [expr.arith.conv]), the operator is that type's: unsigned
numbers wrap, integers are divided towards zero. What C++ leaves undefined is an error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any, TypeGuard

import numpy as np

from .. import _native
from ..errors import (
    RangeError,
    ambiguous_number,
    no_number_operator,
    number_in_doubt,
    number_overflow,
    number_shift,
    number_too_wide,
    zero_division,
)
from ..frozen import frozen
from ..types import BOOL, SCALARS, Enum, Nothing, Pointer, Scalar, Text, scalar_for, unqualified
from ..types.scalar import STORED
from ..values.later_type import complete
from . import class_conversions
from .class_conversions import LOST
from .implicit import Becomes

INT, UNSIGNED = SCALARS["int32"], SCALARS["uint32"]
_INTEGER_TYPES = (INT, SCALARS["int64"], SCALARS["uint64"])
DOUBLE = SCALARS["float64"]
_KINDS = frozenset({"bool", "int", "uint", "float"})


@frozen
class Number:
    """An operand as C++ sees it: the type, and the value in Python."""

    type: Scalar
    value: Any


def conversions(cls: type) -> tuple[Becomes, ...]:
    """The conversions to numbers and enumerations that C++ calls by itself; of a type the most derived class's."""
    if not issubclass(cls, _native.Record):
        return ()
    complete(cls)
    return bound_conversions(cls)


def bound_conversions(cls: type) -> tuple[Becomes, ...]:
    """Those that are there already: a class that waits for its members has none yet, and is not asked for them."""
    found: dict[str, Becomes] = {}
    for becomes in class_conversions.bound_conversions(cls):
        result = unqualified(becomes.result)
        if (isinstance(result, Scalar) and result.kind in _KINDS) or _is_plain_enum(result):
            found.setdefault(str(result), becomes)
    return tuple(found.values())


def _is_plain_enum(type_: Any) -> TypeGuard[Enum]:
    """Whether C++ takes an enumeration for a number by itself."""
    return isinstance(type_, Enum) and not type_.scoped


def turned(method: str) -> str:
    """The special method by which the other operand answers; empty where there is none."""
    if method in MIRRORED:
        return MIRRORED[method]
    name = method.strip("_")
    if name in _TWO_SIDED:
        return f"__r{name}__"
    return f"__{name[1:]}__" if name[1:] in _TWO_SIDED and name.startswith("r") else ""


MIRRORED = {"__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}
_TWO_SIDED = frozenset({"add", "sub", "mul", "truediv", "mod", "and", "or", "xor", "lshift", "rshift"})


def is_number(obj: Any) -> bool:
    """Whether the built-in operators of C++ take an object: a number, or what C++ converts to one by itself."""
    kind = type(obj)
    return kind in _PYTHONS or bool(_format(kind) or _enumeration(kind) or conversions(kind))


def _format(cls: type) -> Scalar | None:
    found = scalar_for(cls)
    return found if found is not None and found.kind in _KINDS and found.name not in STORED else None


def _enumeration(cls: type) -> Enum | None:
    """The enumeration of an enumerator that C++ takes for a number."""
    described = getattr(cls, "__samebytes_type__", None)
    return described if _is_plain_enum(described) else None


def _promoted_enum(enumeration: Enum) -> Scalar:
    """ISO C++ [conv.prom]: of an enumeration without a declared type what holds its values, which is an int first."""
    if enumeration.promotions:
        return _BY_NAME[enumeration.promotions[-1]]
    return INT if _is_in_doubt(enumeration) else _promoted(enumeration.underlying)


# Of the types that enumerators are promoted to.
_BY_NAME = {
    "int": INT, "unsigned int": UNSIGNED, "wchar_t": INT, "char32_t": UNSIGNED,
    **dict.fromkeys(("long", "long long"), SCALARS["int64"]),
    **dict.fromkeys(("unsigned long", "unsigned long long"), SCALARS["uint64"]),
}  # fmt: skip


def _is_in_doubt(enumeration: Enum | None) -> bool:
    """Whether an enumeration, of another version's package, is promoted to int or to unsigned: nothing tells here."""
    unsigned = enumeration is not None and not enumeration.promotions and enumeration.underlying == UNSIGNED
    return unsigned and all(_holds(INT, value) for _, value in enumeration.members)  # type: ignore[union-attr]


def number_of(obj: Any, sign: str, chosen: Any = None) -> Number | None:
    """An operand of a built-in operator; None of what is none.

    Parameters
    ----------
    chosen : Becomes, optional
        The conversion that C++ calls, where it was found.

    Raises
    ------
    TypeError
        If C++ knows several conversions, or one to an enumeration, of which Python does not know all operators.
    RangeError
        If no integer of C++'s is wide enough.
    """
    kind = type(obj)
    if kind in _PYTHONS:
        return Number(_PYTHONS[kind](obj), obj)
    if (known := _format(kind)) is not None:
        return Number(known, obj.item())
    if (enumeration := _enumeration(kind)) is not None:
        return Number(_promoted_enum(enumeration), int(obj))
    found = (chosen,) if isinstance(chosen, Becomes) else conversions(kind)
    if not found:
        return None
    if (lost := getattr(kind, LOST, ())) and not (found[0] is chosen and _is_nearest(found[0], lost)):
        raise ambiguous_number(kind.__name__, sign, [*lost, *(becomes.text for becomes in found)])
    result = unqualified(found[0].result)
    # Of what is converted to an address, too, the built-in operators of addresses are as good.
    beside = addresses(kind) if sign in _OF_ADDRESSES and found[0] is not chosen else ()
    if len(found) > 1 or beside or not isinstance(result, Scalar):
        raise ambiguous_number(kind.__name__, sign, [becomes.text for becomes in (*found, *beside)])
    return Number(result, found[0].call(obj))


_OF_ADDRESSES = frozenset({"==", "!=", "<", ">", "<=", ">=", "+", "-"})


def addresses(cls: type) -> tuple[Becomes, ...]:
    """The conversions to pointers that C++ calls by itself, as they are known there already."""
    found = class_conversions.bound_conversions(cls)
    return tuple(becomes for becomes in found if _is_address(unqualified(becomes.result)))


def _is_address(type_: Any) -> bool:
    """Whether a type is one of addresses in C++: a pointer, that of characters too, or nullptr_t."""
    text = isinstance(type_, Text) and not type_.spelling.startswith("std")
    return text or isinstance(type_, Pointer | Nothing)


def _is_nearest(becomes: Becomes, lost: Sequence[str]) -> bool:
    """Whether a conversion is better than all that C++ refuses: these give what is promoted to the very type."""
    return unqualified(becomes.result) == INT and _NARROW.issuperset(lost)


_NARROW = frozenset(f"operator {name}" for name in ("bool", "char", "signed char", "unsigned char", "short"))


def _of_int(value: int) -> Scalar:
    for type_ in _INTEGER_TYPES:
        if _holds(type_, value):
            return type_
    raise RangeError(number_too_wide(value))


# What Python's numbers are in C++: of an integer the first of int, long and unsigned long that holds it, as a literal.
_PYTHONS: dict[type, Callable[[Any], Scalar]] = {
    bool: lambda value: BOOL,
    int: _of_int,
    float: lambda value: DOUBLE,
}


def _holds(type_: Scalar, value: int) -> bool:
    bits = 8 * type_.size
    low, high = (0, 1 << bits) if type_.kind == "uint" else (-1 << (bits - 1), 1 << (bits - 1))
    return low <= value < high


def _promoted(type_: Scalar) -> Scalar:
    """ISO C++ [conv.prom]: what is narrower than an int is one."""
    return INT if type_.kind != "float" and type_.size < INT.size else SCALARS[type_.name]


def _common(one: Scalar, other: Scalar) -> Scalar:
    """The type that a built-in operator computes in (ISO C++ [expr.arith.conv])."""
    floats = [t for t in (one, other) if t.kind == "float"]
    if floats:
        return max(floats, key=lambda t: t.size)
    one, other = _promoted(one), _promoted(other)
    return max(one, other, key=lambda t: (t.size, t.kind == "uint"))


def _converted(number: Number, type_: Scalar) -> Any:
    """The value in another type: an integer as Python's, a floating-point number as NumPy's."""
    value = number.value
    if type_.kind != "float":
        return _wrapped(int(value), type_)
    exact = SCALARS[number.type.name].numpy(value)  # rounded once, from its own type
    return type_.numpy(exact)


def _wrapped(value: int, type_: Scalar) -> int:
    bits = 8 * type_.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_.kind != "uint" and value >> (bits - 1) else value


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b), "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_SHIFTS = frozenset({"<<", ">>"})


def equal(one: Becomes, obj: Any, other: Any) -> bool:
    """What the built-in ``==`` says of the number that one conversion makes of an object, and of a number.

    No integer of C++'s is equal to one that is wider than all of them.
    """
    result = unqualified(one.result)
    too_wide = type(other) is int and not any(_holds(t, other) for t in _INTEGER_TYPES)
    number = None if too_wide else number_of(other, "==")
    if number is None or not isinstance(result, Scalar):
        return bool(one.call(obj) == other)
    return bool(_of_two("==", Number(result, one.call(obj)), number))


def both_equal(one: Becomes, obj: Any, other_one: Becomes, other: Any) -> bool:
    """What the built-in ``==`` says of the numbers, or enumerators, that two objects are converted to."""
    types = [unqualified(becomes.result) for becomes in (one, other_one)]
    values = one.call(obj), other_one.call(other)
    numbers = [Number(t, v) for t, v in zip(types, values, strict=True) if isinstance(t, Scalar)]
    return bool(_of_two("==", *numbers)) if len(numbers) == 2 else bool(values[0] == values[1])


def compute(sign: str, operands: Sequence[Any], chosen: Sequence[Any] = (None, None)) -> Any:
    """What a built-in operator of C++ gives; NotImplemented where an operand is no number, nor converted to one.

    Parameters
    ----------
    sign : str
        ``+``, ``<`` and so on; ``-``, ``+`` and ``~`` of one operand, too.
    operands : sequence
        In C++'s order.
    chosen : sequence, optional
        For each operand the conversion that C++ calls, where it was found.

    Returns
    -------
    bool, int, float or NotImplemented
        The value of C++'s result, whose type is that of the promoted operands.

    Raises
    ------
    RangeError
        If a signed integer overflows, which C++ leaves undefined.
    ZeroDivisionError
        If an integer is divided by zero.
    TypeError
        If C++ has no such operator of these types, or several conversions.
    """
    if not all(map(is_number, operands)):
        return NotImplemented
    numbers = [n for n in map(number_of, operands, repeat(sign), chosen) if n is not None]
    answer = _computed(sign, numbers)
    doubts = [_is_in_doubt(_enumeration(type(operand))) for operand in operands]
    unsigned = [Number(UNSIGNED, n.value) if d else n for n, d in zip(numbers, doubts, strict=True)]
    if any(doubts) and _computed(sign, unsigned) != answer:
        raise number_in_doubt(sign, type(operands[doubts.index(True)]).__name__)
    return answer


def _computed(sign: str, numbers: Sequence[Number]) -> Any:
    if len(numbers) == 1:
        return _of_one(sign, numbers[0])
    return _shifted(sign, *numbers) if sign in _SHIFTS else _of_two(sign, *numbers)


def compare_enumerators(sign: str, one: Any, other: Any) -> bool:
    """What the built-in comparison says of two enumerators of one enumeration, scoped or not."""
    return bool(_COMPARED[sign](int(one), int(other)))


def _of_one(sign: str, number: Number) -> Any:
    type_ = _promoted(number.type)
    if type_.kind == "float" and sign == "~":
        raise no_number_operator(sign, type_.name)
    return _result(_UNARY[sign](_converted(number, type_)), type_, sign)


def _of_two(sign: str, left: Number, right: Number) -> Any:
    type_ = _common(left.type, right.type)
    a, b = _converted(left, type_), _converted(right, type_)
    if sign in _COMPARED:
        return bool(_COMPARED[sign](a, b))
    table = _ARITHMETIC if type_.kind == "float" else _INTEGERS
    if sign not in table:
        raise no_number_operator(sign, type_.name)
    if type_.kind == "float":
        with np.errstate(all="ignore"):
            return _result(table[sign](a, b), type_, sign)
    if sign in ("/", "%") and b == 0:
        raise zero_division(sign)
    if sign == "%" and not _holds(type_, _quotient(a, b)):
        raise RangeError(number_overflow(sign, _quotient(a, b), type_.name))
    return _result(table[sign](a, b), type_, sign)


def _shifted(sign: str, left: Number, right: Number) -> int:
    """A shift has the type of its left operand; g++ shifts negative numbers, too."""
    type_, by = _promoted(left.type), _promoted(right.type)
    for side in (type_, by):
        if side.kind == "float":
            raise no_number_operator(sign, side.name)
    value, count = _converted(left, type_), _converted(right, by)
    if not 0 <= count < 8 * type_.size:
        raise RangeError(number_shift(sign, count, type_.name))
    return _wrapped(value << count, type_) if sign == "<<" else value >> count


def _result(value: Any, type_: Scalar, sign: str) -> Any:
    if type_.kind == "float":
        return float(value)
    if type_.kind == "uint":
        return _wrapped(value, type_)
    if not _holds(type_, value):
        raise RangeError(number_overflow(sign, value, type_.name))
    return value
