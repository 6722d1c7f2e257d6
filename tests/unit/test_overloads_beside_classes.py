"""Beside classes of the standard library and pointers C++'s overload answers, or the call is refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

CODE = """
#include <bitset>
#include <complex>
#include <optional>
#include <tuple>
#include <variant>
using std::optional;
enum Color { RED };
struct Int { int v; operator int() const { return v; } };
struct Maybe { int v; operator optional<int>() const { return v; } };
struct Real { double v; Real(double v) : v(v) {} };
struct Address { int v; operator const int*() const { return &v; } };
struct S { int v; }; struct Longer : S { int w; };
struct FromS { int v; FromS(const S& s) : v(s.v) {} };
struct Kept { int v; Kept(optional<int> o) : v(o ? *o : 0) {} };
inline int a(bool) { return 1; } inline int a(optional<int>) { return 2; }
inline int b(unsigned) { return 1; } inline int b(optional<int>) { return 2; }
inline int c(char) { return 1; } inline int c(optional<int>) { return 2; }
inline int d(int) { return 1; } inline int d(optional<double>) { return 2; }
inline int e(double) { return 1; } inline int e(optional<int>) { return 2; }
inline int f(bool, const char*) { return 1; } inline int f(optional<int>, const char*) { return 2; }
inline int g(bool) { return 1; } inline int g(std::variant<int, double>) { return 2; }
inline int h(bool) { return 1; } inline int h(std::tuple<int>) { return 2; }
inline int i(bool) { return 1; } inline int i(std::bitset<8>) { return 2; }
inline int j(bool) { return 1; } inline int j(std::complex<double>) { return 2; }
inline int k(Color) { return 1; } inline int k(optional<int>) { return 2; }
inline int l(Kept) { return 1; } inline int l(optional<double>) { return 2; }
inline int m(S) { return 1; } inline int m(optional<Longer>) { return 2; }
inline int o(bool) { return 1; } inline int o(const std::optional<FromS>&) { return 2; }

inline int p(int) { return 1; } inline int p(const void*) { return 2; }
inline int q(FromS) { return 1; } inline int q(const void*) { return 2; }
inline int r(optional<int>) { return 1; } inline int r(const void*) { return 2; }
inline int s(optional<double>) { return 1; } inline int s(const int*) { return 2; }
inline int t(optional<int>) { return 1; } inline int t(const double*) { return 2; }
inline int u(double) { return 1; } inline int u(Int*) { return 2; }
inline int v(optional<FromS>) { return 1; } inline int v(const S*) { return 2; }
inline int w(std::variant<double, int>) { return 1; } inline int w(const float*) { return 2; }
inline int y(Real) { return 1; } inline int y(std::variant<double, S>) { return 2; }
inline int z(const int*) { return 1; } inline int z(const void*) { return 2; }
inline int x(const void*) { return 1; } inline int x(bool, int = 0) { return 2; }
"""
# C++, the same in Python, and whether samebytes refuses what C++ converts.
ROWS: list[tuple[str, Callable[[Any], Any], bool]] = [
    ("a(1)", lambda lib: lib.a(1), True),
    ("a(true)", lambda lib: lib.a(True), False),
    ("a((short)1)", lambda lib: lib.a(np.int16(1)), True),
    ("a(1.5)", lambda lib: lib.a(1.5), True),
    ("a(RED)", lambda lib: lib.a(lib.Color.RED), True),
    ("a(Maybe{3})", lambda lib: lib.a(lib.Maybe(3)), False),
    ("b(-1)", lambda lib: lib.b(-1), True),
    ("b(1)", lambda lib: lib.b(1), False),
    ("c(300)", lambda lib: lib.c(300), True),
    ("d(1.5)", lambda lib: lib.d(1.5), True),
    ("d(1)", lambda lib: lib.d(1), False),
    ("e((short)1)", lambda lib: lib.e(np.int16(1)), True),
    ("e(1L)", lambda lib: lib.e(np.int64(1)), True),
    ("f(1, nullptr)", lambda lib: lib.f(1, None), True),
    ('f(true, "x")', lambda lib: lib.f(True, "x"), False),
    ("g(1)", lambda lib: lib.g(1), True),
    ("h(1)", lambda lib: lib.h(1), True),
    ("i(1)", lambda lib: lib.i(1), True),
    ("j(1)", lambda lib: lib.j(1), True),
    ("k(2)", lambda lib: lib.k(2), False),
    ("m(Longer{{1}, 2})", lambda lib: lib.m(lib.Longer(1, 2)), False),
    ("o(S{1})", lambda lib: lib.o(lib.S(1)), True),
    ("p(Int{3})", lambda lib: lib.p(lib.Int(3)), False),
    ("q(S{1})", lambda lib: lib.q(lib.S(1)), False),
    ("q(Longer{{1}, 2})", lambda lib: lib.q(lib.Longer(1, 2)), False),
    ("r(1.5f)", lambda lib: lib.r(np.float32(1.5)), True),
    ("r(Int{3})", lambda lib: lib.r(lib.Int(3)), True),
    ("s((short)1)", lambda lib: lib.s(np.int16(1)), True),
    ("t(1.5)", lambda lib: lib.t(1.5), True),
    ("u(Int{3})", lambda lib: lib.u(lib.Int(3)), False),
    ("v(S{1})", lambda lib: lib.v(lib.S(1)), True),
    ("w(1.5f)", lambda lib: lib.w(np.float32(1.5)), False),
    ("y(1)", lambda lib: lib.y(1), False),
    ("z(Address{3})", lambda lib: lib.z(lib.Address(3)), False),
    ("x(1.5f)", lambda lib: lib.x(np.float32(1.5)), True),
]
ANSWERS = "".join(f"inline int answer{i}() {{ return {cxx}; }}\n" for i, (cxx, _, _) in enumerate(ROWS))


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE + ANSWERS, name="beside_classes")


@each("number, ask, refused", [(i, ask, refused) for i, (_, ask, refused) in enumerate(ROWS)])
def test_the_overload_of_cxx_answers_or_none(
    lib: Any, number: int, ask: Callable[[Any], Any], refused: bool
) -> None:
    try:
        answer = ask(lib)
    except (sb.ArgumentError, sb.RangeError):
        assert refused
    else:
        assert not refused
        assert answer == getattr(lib, f"answer{number}")()


def test_the_address_of_an_object_goes_where_cxx_converts_its_value_to_nothing(lib: Any) -> None:
    assert lib.p(lib.S(1)) == 2
    assert lib.u(1.5) == 1


def test_an_optional_argument_means_one_conversion_by_a_class(lib: Any) -> None:
    """``Kept`` is made of an optional, which an int would have to become first."""
    assert lib.l(1) == 2
