"""The overload that C++ calls answers, or the call is refused in words: no other one answers in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

CODE = """
enum class Mode : short { read = 1, write = 5 }; enum Color { RED, GREEN = 5 };
struct Flag { bool v; Flag(bool x) : v(x) {} }; struct Length { double v; Length(double x) : v(x) {} };
struct Id { int v; Id(int x) : v(x) {} };
inline int flag(int) { return 1; } inline int flag(const Flag&) { return 2; }
inline int length(int) { return 1; } inline int length(Length) { return 2; }
inline int id(bool) { return 1; } inline int id(Id) { return 2; }
inline int two(bool, int) { return 1; } inline int two(char, unsigned long) { return 2; }
inline int mode(Mode) { return 1; } inline int mode(double) { return 2; }
inline int made(Mode) { return 1; } inline int made(Id) { return 2; }
inline int both(Mode, int) { return 1; } inline int both(double, double) { return 2; }
inline int truth(Mode) { return 1; } inline int truth(bool) { return 2; }
inline int left(short, Color = RED) { return 1; } inline int left(int, float) { return 2; }
inline int tie(Id, int) { return 1; } inline int tie(int, double) { return 2; }
struct Made { int which; Made(int) : which(1) {} Made(const Flag&) : which(2) {} };
struct Plain { int f(int) const { return 1; } int f(int, int = 3) { return 2; } };
struct None { int f() const { return 1; } int f(int = 1) { return 2; } };
struct Real { int f(double) const { return 1; } int f(double, bool = true) { return 2; } };
struct Still { int f(long) const { return 1; } static int f(short, int = 1) { return 2; } };
struct Any { int f(long) { return 1; } static int f(int) { return 2; } };
struct Base { int f(int) const { return 1; } };
struct Using : Base { using Base::f; int f(int, int = 3) { return 2; } };
struct Called { int operator()(int) const { return 1; } int operator()(int, int = 3) { return 2; } };
struct Bare { int f(int, double) const { return 1; } static int f(double = 1) { return 2; } };
struct Some { int f() const { return 1; } static int f(int, int = 7) { return 2; } };
"""
# C++, and the same in Python.
ROWS: list[tuple[str, Callable[[Any], Any]]] = [
    ("flag(true)", lambda lib: lib.flag(True)),
    ("flag(4)", lambda lib: lib.flag(4)),
    ("length(1.5)", lambda lib: lib.length(1.5)),
    ("length(4)", lambda lib: lib.length(4)),
    ("id(5)", lambda lib: lib.id(5)),
    ("id(true)", lambda lib: lib.id(True)),
    ("two(5L, 300)", lambda lib: lib.two(np.int64(5), 300)),
    ("mode((short)5)", lambda lib: lib.mode(np.int16(5))),
    ("mode(Mode::write)", lambda lib: lib.mode(lib.Mode.write)),
    ("made(5)", lambda lib: lib.made(5)),
    ("both(5, 5)", lambda lib: lib.both(5, 5)),
    ("truth(1)", lambda lib: lib.truth(1)),
    ("left(5, (signed char)5)", lambda lib: lib.left(5, np.int8(5))),
    ("left((short)5)", lambda lib: lib.left(np.int16(5))),
    ("Made(true).which", lambda lib: lib.Made(True).which),
    ("Plain().f(4)", lambda lib: lib.Plain().f(4)),
    ("None().f()", lambda lib: getattr(lib, "None")().f() if hasattr(lib, "None") else lib.None_().f()),
    ("Real().f(4.0)", lambda lib: lib.Real().f(4.0)),
    ("Still().f((short)4)", lambda lib: lib.Still().f(np.int16(4))),
    ("Any().f(4)", lambda lib: lib.Any().f(4)),
    ("Using().f(4)", lambda lib: lib.Using().f(4)),
    ("Called()(4)", lambda lib: lib.Called()(4)),
    ("Bare().f()", lambda lib: lib.Bare().f()),
    ("Bare().f(2.5)", lambda lib: lib.Bare().f(2.5)),
    ("Some().f(5)", lambda lib: lib.Some().f(5)),
]


@pytest.fixture(scope="module")
def lib() -> Any:
    answers = "".join(f"inline int answer{i}() {{ return {cxx}; }}\n" for i, (cxx, _) in enumerate(ROWS))
    return sb.compile(CODE + answers, name="choice_of_overloads")


@each("number, cxx, ask", [(i, *row) for i, row in enumerate(ROWS)])
def test_the_overload_of_cxx_answers_or_none(
    lib: Any, number: int, cxx: str, ask: Callable[[Any], Any]
) -> None:
    try:
        answer = ask(lib)
    except (sb.ArgumentError, sb.RangeError):
        assert cxx in REFUSED
    else:
        assert cxx not in REFUSED
        assert answer == getattr(lib, f"answer{number}")()


# What C++ calls takes these by a conversion that samebytes refuses.
REFUSED = {
    "flag(true)", "length(1.5)", "id(5)", "two(5L, 300)", "mode((short)5)", "truth(1)", "left(5, (signed char)5)",
    "Made(true).which",
}  # fmt: skip


def test_the_error_is_of_the_overload_that_cxx_calls(lib: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"argument 1 .*expected int32.*got True.*int\(x\) converts it"
    ):
        lib.flag(True)


def test_two_that_are_each_better_for_one_argument_are_ambiguous(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="ambiguous"):
        lib.tie(1, 2)
