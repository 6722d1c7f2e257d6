"""An overload with ``...`` is called where C++ converts the arguments to no other one (ISO C++ [over.ics.rank])."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

CODE = """
#include <optional>
#include <string>
enum Ue { U1 = 1 };
enum class Sc { A = 1 };
struct Text { std::string s; Text(const char* c) : s(c) {} Text(int) {} };
struct Truth { bool b; std::string s; Truth(bool b) : b(b) {} };
struct Number { int n; Number(int n) : n(n) {} std::string s; };
struct Base { int n = 1; };
struct Derived : Base { int m = 2; };
inline int i(int) { return 1; }  inline int i(...) { return 2; }
inline int b(bool) { return 1; }  inline int b(...) { return 2; }
inline int u(unsigned) { return 1; }  inline int u(...) { return 2; }
inline int g(const Text&) { return 1; }  inline int g(...) { return 2; }
inline int t(const Truth&) { return 1; }  inline int t(...) { return 2; }
inline int h(Ue) { return 1; }  inline int h(...) { return 2; }
inline int s(Sc) { return 1; }  inline int s(...) { return 2; }
inline int n(Number) { return 1; }  inline int n(...) { return 2; }
inline int o(std::optional<int>) { return 1; }  inline int o(...) { return 2; }
inline int p(const char*) { return 1; }  inline int p(...) { return 2; }
inline int q(std::string) { return 1; }  inline int q(...) { return 2; }
inline int two(Ue, const char*) { return 1; }  inline int two(...) { return 2; }
inline int three(bool, const char*) { return 1; }  inline int three(...) { return 2; }
inline int more(const Text&, int = 3) { return 1; }  inline int more(...) { return 2; }
inline int first(const char*, ...) { return 1; }  inline int first(int, ...) { return 2; }
  inline int first(Text, Text) { return 3; }
inline int real(double, ...) { return 1; }  inline int real(Ue, ...) { return 2; }
inline int tie(int, int) { return 1; }  inline int tie(double, ...) { return 2; }
inline int c(const Text&, double) { return 1; }  inline int c(const char*, ...) { return 2; }
"""
# The same in Python and in C++.
ANSWERED = [
    'g("x")', "g(3)", "g(2.5 > 1 ? 3 : 4)", "h(1)", "h(U1)", "i(U1)", "i(7)", "i('x', 'y')", "s(1)", "s(Sc::A)",
    "i(Sc::A)", "b(Sc::A)", 'h("x")', "n(3)", "n(U1)", "n(Sc::A)", 'n("x")', "o(4)", 'o("x")', 'p("x")', "p(2.5)",
    'q("x")', "q(1)",
    'two(U1, "x")', 'two(1, "x")', 'two(Sc::A, "x")', 'three(true, "x")', "three(true, 1)", "more(3)", 'more("x", 4)',
    "more(3, 4, 5)", 'more(3, "x")', 'first("x")', "first(1, 2, 3)", "real(1, 2)",
    "real(U1, 2)", "real(2.5, 2)", "tie(1, 2)", "tie(1, 2, 3)", "tie(2.5)", 'tie(1, "x")',
]  # fmt: skip
# C++ calls the first overload, and the call is refused.
REFUSED = [
    "i(True)", "i(2.5)", "i(1 << 40)", "b(1)", 'b("x")', "b(U1)", "u(-1)", "g(2.5)", "t(1)", 't("x")', "n(True)",
    "n(2.5)", "o(True)", 'three(1, "x")', 'three("x", "y")',
]  # fmt: skip
# C++ finds neither better: the declared parameter of the one is nearer, the ellipsis is farther (g++ warns).
TIED = ["tie(2.5, 1)", 'c("x", 2.5)', 'first("x", 1)', "first(1, 2)"]


def _cxx(text: str) -> str:
    return text.replace("'x', 'y'", '"x", "y"')


def _python(text: str) -> str:
    for cxx, python in (("::", "."), ("true", "True"), ("2.5 > 1 ? 3 : 4", "3")):
        text = text.replace(cxx, python)
    return text


@pytest.fixture(scope="module")
def lib() -> Any:
    answers = "".join(f"inline int answer{k}() {{ return {_cxx(row)}; }}\n" for k, row in enumerate(ANSWERED))
    return sb.compile(CODE + answers, name="ellipsis_overloads")


def _evaluated(lib: Any, text: str) -> Any:
    return eval(_python(text), {name: getattr(lib, name) for name in dir(lib)})


@each("number, text", list(enumerate(ANSWERED)))
def test_the_overload_of_cxx_is_called(lib: Any, number: int, text: str) -> None:
    assert _evaluated(lib, text) == getattr(lib, f"answer{number}")()


@each("text", REFUSED)
def test_a_conversion_that_is_refused_calls_no_ellipsis(lib: Any, text: str) -> None:
    with pytest.raises(sb.Error):
        _evaluated(lib, text)


@each("text", TIED)
def test_an_ellipsis_and_a_nearer_parameter_are_no_choice(lib: Any, text: str) -> None:
    with pytest.raises(sb.ArgumentError, match="ambiguous"):
        _evaluated(lib, text)
