"""An operator that does not take an operand as it is says so in one way, whatever the operator and the operand."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..tables import each

SOURCE = """
struct A {
  int n = 1;
  int operator+(long o) const { return n + o; } int operator*(bool o) const { return n * o; }
  int operator<<(long o) const { return n << o; }
  bool operator<(long o) const { return n < o; } bool operator>=(bool o) const { return o; }
  bool operator==(long o) const { return n == o; } A& operator+=(long o) { n += o; return *this; }
};
struct Right { int n = 1; };
inline int operator+(long o, const Right& r) { return o + r.n; }
inline bool operator<(long o, const Right& r) { return o < r.n; }
struct Derived : A {};
struct Two { int operator+(long) const { return 1; } int operator+(const Right&) const { return 2; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


REFUSED = (2.5, np.float64(2.5), np.float32(2.5), np.bool_(True), np.arange(3.0), "x", None, [1])
LEFT = {"+": operator.add, "<<": operator.lshift, "<": lambda a, b: a < b, "+=": operator.iadd}


@each("sign, operand", [(sign, operand) for sign in LEFT for operand in REFUSED])
def test_the_error_names_operator_argument_and_operand(lib: Any, sign: str, operand: Any) -> None:
    for cls in (lib.A, lib.Derived, type("Mine", (lib.A,), {})):
        with pytest.raises(sb.ArgumentError) as refusal:
            LEFT[sign](cls(), operand)
        words = str(refusal.value)
        assert f"operator{sign}() argument 1 'o': expected int64" in words
        assert type(operand).__name__ in words


@each("sign, operand", [("*", 5), ("*", np.int64(5)), (">=", 5), (">=", 2.5), (">=", np.int8(1))])
def test_so_does_that_of_an_operator_of_truth(lib: Any, sign: str, operand: Any) -> None:
    call = {"*": operator.mul, ">=": lambda a, b: a >= b}[sign]
    with pytest.raises(sb.ArgumentError, match=r"argument 1 'o': expected bool, got .*bool\(x\) converts it"):
        call(lib.A(), operand)


@each(
    "call, operand",
    [(c, o) for c in (operator.add, lambda a, b: a < b) for o in (2.5, np.float64(2.5), np.arange(3.0))],
)
def test_so_does_that_of_an_object_on_the_right(lib: Any, call: Any, operand: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="expected int64"):
        call(operand, lib.Right())


def test_each_overload_is_named(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"operator\+\(float64\) has no overload that fits"):
        lib.Two() + np.float64(2.5)


class Answers:
    """A class of Python's that knows operands of others."""

    def __radd__(self, other: Any) -> str:
        return "theirs"

    __rlshift__ = __gt__ = __radd__


@each("sign", ["+", "<<", "<"])
def test_an_operand_that_knows_the_other_answers(lib: Any, sign: str) -> None:
    assert LEFT[sign](lib.A(), Answers()) == "theirs"
    with pytest.raises(TypeError):
        LEFT[sign](lib.A(), Fraction(1, 2))


def test_other_kinds_are_unequal(lib: Any) -> None:
    a = lib.A()
    assert [a == x for x in (1, 1.0, np.float64(1))] == [True] * 3
    assert not any(a == x for x in (2.5, "x", None))
    assert a != "x"
    assert a != 2.5
    with pytest.raises(TypeError, match="not supported between"):
        a > 2  # noqa: B015 - C++ has no such operator
