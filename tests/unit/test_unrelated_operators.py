"""Operators of other classes do not change an answer, be they of types that C++ converts by classes, or not bound."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

CODE = """
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>
enum E { E1 = 1 };
struct A { int v = 5; operator int() const { return v; }
  bool operator<(int) const { return true; } bool operator<=(int) const { return true; }
  int operator+(E) const { return -7; } int operator-(int) const { return -8; }
  int operator*(double) const { return -9; }
  int operator/(int) const { return -10; } int operator&(int) const { return -11; }
  int operator|(E) const { return -12; }
  bool operator==(int) const { return false; } };
struct H { double v; H(double v = 2.5) : v(v) {} ~H() {} operator double() const { return v; }
  bool operator<(int) const { return true; } };
struct W { int v = 5; operator int() const { return v; } int operator+(std::optional<int>) const { return -777; }
  int operator-(std::optional<W>) const { return -778; } };
struct Int { int v = 3; operator int() const { return v; } };
struct FromA { int v; FromA(const A& a) : v(a.v) {} };
struct Bare { int v = 1; };

struct Shared { int v = 1; Shared() {} ~Shared() {} operator int() const { return v; } };
inline int operator+(std::shared_ptr<Shared>, std::shared_ptr<Shared>) { return 9; }
inline std::shared_ptr<Shared> shared() { return std::make_shared<Shared>(); }

struct Q { int v = 1; };
inline bool operator<(const Q&, std::optional<int>) { return true; }
inline bool operator<=(const Q&, long double) { return true; }
inline int operator+(const Q&, std::variant<int, Q>) { return 1; }
inline int operator-(const Q&, std::vector<int>) { return 1; }
inline int operator*(const Q&, std::shared_ptr<H>) { return 1; }
inline int operator/(const Q&, int) = delete;
inline int operator&(const Q&, const std::array<int, 2>&) { return 1; }
inline int operator|(const Q&, std::pair<int, int>) { return 1; }
bool operator==(const Q&, const Q&) = delete;

inline int operator%(const FromA&, long double) { return 1; }
inline int operator^(const Int&, long double) { return 1; }
inline int operator-(long double, const Bare&) { return 1; }
"""
# The same in Python and in C++.
ROWS = [
    "A() < 2", "A() < A()", "A() <= 2", "H() < 2", "A() + 2", "A() + A()", "A() - 2", "A() * 2.5", "A() / 2",
    "A() & 2", "A() | 2", "A() == 2", "Int() + 2", "Int() < Int()", "2 - Int()", "Int() * 2",
    "Int() | 1", "A() % 2",
]  # fmt: skip
ANSWERS = "".join(f"inline auto answer{i}() {{ return {row}; }}\n" for i, row in enumerate(ROWS))
STANDARDS = ("gnu++17", "gnu++20")


@pytest.fixture(scope="module", params=[STANDARDS[0], pytest.param(STANDARDS[1], marks=pytest.mark.full)])
def lib(request: Any) -> Any:
    return sb.compile(CODE + ANSWERS, name="unrelated_operators", flags=[f"-std={request.param}"])


@each("number, row", list(enumerate(ROWS)))
def test_the_answer_is_that_of_cxx(lib: Any, number: int, row: str) -> None:
    names = {name: getattr(lib, name) for name in ("A", "H", "Int")}
    assert eval(row, names) == getattr(lib, f"answer{number}")()


@each(
    "sign, operands",
    [
        (operator.xor, lambda lib: (lib.Int(), 1)),
        (operator.sub, lambda lib: (1, lib.Bare())),
        (operator.truediv, lambda lib: (lib.Q(), 1)),
    ],
)
def test_one_that_cxx_calls_and_that_is_not_bound_is_refused(lib: Any, sign: Any, operands: Any) -> None:
    with pytest.raises(TypeError, match="not bound"):
        sign(*operands(lib))


def test_an_optional_operand_takes_an_object_by_one_conversion(lib: Any) -> None:
    """The object of a member is not converted: C++ calls it, where the built-in operator would convert both."""
    with pytest.raises(sb.ArgumentError, match="expected int32"):
        lib.W() + lib.Int()
    assert lib.W() - lib.W() == -778
    assert lib.W() - lib.Int() == 2  # no W is made of an Int
    assert lib.W() + None == -777


def test_neither_is_better_than_the_built_in_operator_for_both_operands(lib: Any) -> None:
    for number in (2, np.int32(2)):
        with pytest.raises(sb.ArgumentError, match="ambiguous"):
            lib.W() + number


def test_an_object_may_stand_for_a_smart_pointer_of_it(lib: Any) -> None:
    for operand in (lib.Shared(), lib.shared()):
        with pytest.raises(sb.ArgumentError, match="not known here"):
            operand + operand
    assert lib.Shared() + 2 == 3
