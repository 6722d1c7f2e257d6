"""The operator that C++ finds answers, be it of a base, of another class or the built-in one; or none does."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

CODE = """
#include <string>
struct Length { int n = 5; }; inline int operator-(const Length&, const Length&) { return 300; }
struct Road : Length { int lanes = 2; operator double() const { return n; }
  int operator-(const std::string&) const { return 9; } };
struct Ordered { int n = 1; friend bool operator<=(const Ordered& a, const Ordered& b) { return a.n <= b.n; } };
struct Named : Ordered { int id = 7; bool operator<=(const std::string&) const { return false; } };
struct Number { int a = 1; operator double() const { return 27.5; } };
struct Signed { int b = 2; int operator-() const { return 7; } int operator+(int) const { return 70; } };
struct Both : Number, Signed {}; struct Turned : Signed, Number {};
struct V { int n = 1; V(int = 0) {} friend int operator*(const V&, int) { return 305; } };
struct W { int m = 1; int operator*(const V&) const { return 2400; } };
struct WV : W, V {}; struct VW : V, W {};
struct Own { int n = 1; bool operator>(const Own&) const { return true; } operator int() const { return 12; } };
struct Derived : Own { int more = 2; };
struct Id { int n = 1; bool operator==(const Id& o) const { return n == o.n; }
  bool operator<(const Id& o) const { return n < o.n; } };
struct User : Id { std::string name = "Ada"; }; struct Shape : Id { virtual ~Shape() {} };
  struct Plain : Id { int more = 2; };
struct Texted { int n = 1; operator int() const { return 2; }
  bool operator==(const std::string&) const { return false; } };
struct Freed { int n = 1; operator int() const { return 2; } };
  inline bool operator==(const Freed&, const std::string&) { return false; }
struct Again : Number { int m = 2; operator double() const { return 31.5; } };
struct Flag { bool on = true; operator bool() const { return on; } }; struct Count { int n = 1;
  operator int() const { return n; } };
struct Unlike { int n = 1; bool operator!=(const Unlike&) const { return true; }
  bool operator==(const Unlike&) const { return true; } };
struct Like : Unlike { int m = 1; }; inline bool operator==(const Like&, const Like&) { return true; }
struct Other { int n = 1; operator int() const { return 2; }
  bool operator!=(const std::string&) const { return true; } };
struct A { int v = 1; operator int() const { return 4; } };
inline bool operator==(long o, const A&) { return o == 3; }
  inline bool operator!=(long o, const A&) { return o != 4; }
inline bool operator<(long o, const A&) { return o == 3; }
struct P { int n = 1; std::string s; };
struct Q { int m = 1; Q() {} Q(const P&) {} };
inline bool operator==(const Q&, int) { return true; }
inline bool operator!=(const Q&, int) { return false; }
struct Loose { int n = 1; operator bool() { return true; } operator int() const { return 4; } };
"""
# The same in Python and in C++; where Python asks an object for both sides, what it writes tells them apart.
ROWS = [
    "Road() - Road()", "Road() - Length()", "Length() - Road()", "Named() <= Named()", "-Both()", "Both() + 1",
    "-Turned()",
    "Both() * 2", "WV() * 5", "VW() * 5", "Own() > Own()", "Own() > Derived()", "Own() < Derived()",
    "Derived() > Own()",
    "User() == User()", "User() == Id()", "Id() == User()", "Shape() == Shape()", "Plain() == Plain()",
    "User() < User()",
    "Texted() == Texted()", "Freed() == Freed()", "Again() == Again()", "Number() == Again()", "Again() == Number()",
    "Flag() == 1", "Flag() != 1", "Flag() == Count()", "Flag() + 1", "Flag() <= 1", "Like() != Like()",
    "Like() == Like()",
    "Other() != Other()", "A() == 3", "A() != 3", "A() != 4", "A() > 3", "A() > 2", "3 == a", "4 == a", "3 != a",
    "a == 3", "a != 4",
    "3 < A()", "2 < A()", "P() == Count()", "P() != Count()", "Q() == Count()", "Loose() + 1", "Loose() == Loose()",
]  # fmt: skip
STANDARDS = ("gnu++17", "gnu++20")


@pytest.fixture(scope="module", params=STANDARDS)
def lib(request: Any) -> Any:
    answers = "".join(f"inline double answer{i}() {{ A a; return {cxx}; }}\n" for i, cxx in enumerate(ROWS))
    return sb.compile(CODE + answers, name="choice_of_operators", std=request.param)


@each("number, text", list(enumerate(ROWS)))
def test_the_operator_of_cxx_answers(lib: Any, number: int, text: str) -> None:
    names = {name: getattr(lib, name) for name in dir(lib) if name[0].isupper()} | {"a": lib.A()}
    assert eval(text, names) == getattr(lib, f"answer{number}")()


def test_what_python_cannot_tell_apart_is_refused(lib: Any) -> None:
    if not operator.eq(lib.Own() > lib.Derived(), lib.Own() < lib.Derived()):
        with pytest.raises(sb.ArgumentError, match="Python asks Derived for both"):
            operator.gt(lib.Own(), lib.Derived())


def test_what_may_be_equal_has_no_hash(lib: Any) -> None:
    for cls in (lib.User, lib.Shape, lib.Flag):
        with pytest.raises(TypeError, match="unhashable"):
            hash(cls())


NUMBERS = """
struct I { int v; I(int x) : v(x) {} bool operator==(int o) const { return v == o; } };
struct D { double v; D(double x) : v(x) {} bool operator==(double o) const { return v == o; } };
struct F { float v; F(float x) : v(x) {} bool operator==(float o) const { return v == o; } };
struct B { bool v; bool operator==(bool o) const { return v == o; } };
struct U { int v; bool operator==(int o) const { return v == o; } bool operator!=(int o) const { return v != o; } };
struct S { int v; bool operator==(short o) const { return v == o; }
  bool operator==(const char*) const { return false; } };
struct H : virtual I { H(int x) : I(x) {} };
"""


@pytest.fixture(scope="module")
def numbers() -> Any:
    return sb.compile(NUMBERS, name="choice_of_equal_numbers")


@each(
    "make, number, equal",
    [
        (lambda lib: lib.I(1), 1.0, True), (lambda lib: lib.I(1), 1.5, False), (lambda lib: lib.I(1), True, True),
        (lambda lib: lib.I(1), float("nan"), False), (lambda lib: lib.I(1), 1 << 70, False),
        (lambda lib: lib.I(1), np.float32(1), True), (lambda lib: lib.I(1), 1 + 0j, True),
        (lambda lib: lib.D(1.0), np.int64(1), True), (lambda lib: lib.D(1.0), True, True),
        (lambda lib: lib.D(2.0**53), (1 << 53) + 1, False), (lambda lib: lib.F(0.5), np.float64(0.5), True),
        (lambda lib: lib.F(0.1), np.float64(0.1), False), (lambda lib: lib.F(0.1), 0.1, True),
        (lambda lib: lib.B(True), 1, True), (lambda lib: lib.B(True), 2, False), (lambda lib: lib.B(False),
        0.0, True),
        (lambda lib: lib.U(1), 1.0, True), (lambda lib: lib.U(1), 1.5, False), (lambda lib: lib.S(1), True, True),
        (lambda lib: lib.S(1), 1.0, True), (lambda lib: lib.S(1), 70000, False), (lambda lib: lib.H(1), 1.0, True),
        (lambda lib: lib.H(1), 2.0, False),
    ],
)  # fmt: skip
def test_a_number_of_another_kind_is_compared_by_its_value(
    numbers: Any, make: Any, number: Any, equal: bool
) -> None:
    obj = make(numbers)
    assert (obj == number, obj != number, number == obj, number != obj) == (equal, not equal) * 2
