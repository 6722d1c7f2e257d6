"""Overloads that C++ sees and that are not bound: a call that means one is refused, and no other one answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

# Each row is bound, and bound again as the words advise.
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

THIRD = """
#pragma once
namespace oo {
struct T { int k = 1; };
struct Far { Far(const T&) {} };
inline int f(int) { return 1; }
inline int t(const T&) { return 1; }
template <class X> int h(X) { return 1; }
inline bool operator==(const T&, int) { return true; }
inline int operator+(const T&, int) { return 1; }
inline int far(const Far&) { return 1; }
inline int given(int, int = 4) { return 1; }
}
inline int gf(int) { return 1; }
inline int only(int) { return 1; }
"""
CODE = """
#include <ctype.h>
#include <string>
#include <third.hpp>
namespace oo {
inline int f(double) { return 2; }
inline int f(const char*) { return 3; }
inline int h(const char*) { return 2; }
inline int far(const std::string&) { return 2; }
inline int given(double) { return 2; }
inline int operator+(const T&, double) { return 2; }
}
namespace my { using oo::f; inline int f(unsigned char) { return 4; } }
using ::only;
inline int only(double) { return 2; }
inline int gf(double) { return 2; }
inline int toupper(double) { return 2; }
inline oo::T mk() { return {}; }

class S {
  S(int) : k(1) {}
  int m(int) { return 1; }
  int operator+(int) const { return 1; }
  int operator()(int) const { return 1; }
  int operator[](int) const { return 1; }
  template <class X> int any(const X&) { return 1; }
 protected:
  static int st(int) { return 1; }
 public:
  int k;
  S() : k(0) {}
  S(double) : k(2) {}
  int m(double) { return 2; }
  int m(const std::string&) { return 3; }
  int m(int, int = 3) { return 4; }
  int operator+(double) const { return 2; }
  int operator()(double) const { return 2; }
  int operator[](double) const { return 2; }
  int operator[](const char*) const { return 3; }
  int any(double) { return 2; }
  int any(const char*) { return 3; }
  static int st(double) { return 2; }
  int dots(int, ...) { return 1; }
  int dots(double) { return 2; }
  int dots(double, double) { return 3; }
};
inline int del(int) = delete;
inline int del(double) { return 2; }
int undef(int);
inline int undef(double) { return 2; }
__attribute__((weak)) int weak(int);
inline int weak(double) { return 2; }
inline int wide(__int128) { return 1; }
inline int wide(double) { return 2; }
inline int longest(long double) { return 1; }
inline int longest(double) { return 2; }
inline int longest(float) { return 3; }
template <class X> int req(X, X) = delete;
inline int req(double, double) { return 2; }
struct P { int k; P(double) : k(2) {} private: P(int) : k(1) {} };
inline int take(P p) { return p.k; }
struct Q { int k; Q(double) : k(2) {} Q(int) = delete; };
inline int either(Q) { return 1; }
inline int either(std::string) { return 2; }

struct A { int a = 1; virtual ~A() {} };
struct R { int x; };
inline int copied(const A&) { return 1; }
inline int copied(A) { return 2; }
inline int plain(const R&) { return 1; }
inline int plain(R) { return 2; }
inline int last(int) { return 1; }
inline int last(int, int = 3) { return 2; }
inline int none() { return 1; }
inline int none(int = 1) { return 2; }
struct M {
  M() {}
  M(int, int = 3) {}
  M(int) {}
  int f(int) { return 1; }
  int f(int, int = 3) { return 2; }
  int g() const { return 1; }
  int g(int = 0) const { return 2; }
  int operator()(int) const { return 1; }
  int operator()(int, int = 1) const { return 2; }
  static int s() { return 1; }
  static int s(int = 2) { return 2; }
};
inline int made(const M&) { return 1; }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = tmp_path_factory.mktemp("third")
    (home / "third.hpp").write_text(THIRD)
    return sb.compile(CODE, include_dirs=[home])


@each(
    "text, words",
    [
        ("oo.f(1)", r"int oo::f\(int.*third.hpp is not exposed: expose=\['oo::f'\] names it"),
        ("my.f(1)", r"int my::f\(int.*expose="),
        ("gf(1)", r"expose=\['gf'\]"),
        ("only(1)", r"expose=\['only'\]"),
        ("toupper(97)", r"int toupper\(int.*ctype.h is not exposed: expose=\['toupper'\]"),
        ("oo.h(1)", "oo::h|is ambiguous"),
        ("oo.far(mk())", "oo::far|expose="),
        ("oo.given(1)", r"expose=\['oo::given'\]"),
        ("mk() + 1", r"expose=\['oo::operator\+'\]"),
        ("mk() == 1", r"operator==.*expose="),
        ("S(1)", "it is private"),
        ("S() + 1", "it is private"),
        ("S()(1)", "it is private"),
        ("S()[1]", "it is private"),
        ("S().any(1)", "it is private"),
        ("S().any(S())", "it is private"),
        ("S.st(1)", "it is protected"),
        ("S().m(1)", "is ambiguous(.|\n)*it is private"),
        ("S().dots(1)", r"dots\(int \w+, \.\.\.\).*variable number of arguments"),
        ("S().dots(1, 2)", r"is ambiguous(.|\n)*variable number of arguments"),
        ("del_(1)", "it is deleted"),
        ("undef(1)", "no source or library given defines it"),
        ("weak(1)", "no source or library given defines it"),
        ("wide(1)", "128-bit integer has no counterpart"),
        ("req(1, 1)", "call to deleted function"),
        ("take(1)", r"P::P\(int.*it is private"),
        ("either(1)", r"Q::Q\(int.*it is deleted"),
    ],
)  # fmt: skip
def test_a_call_that_means_one_says_so(lib: Any, text: str, words: str) -> None:
    with pytest.raises(sb.ArgumentError, match=words):
        eval(text, names(lib))


@each(
    "text, answer",
    [
        ("oo.f(1.5)", 2), ("oo.f('x')", 3), ("my.f('x')", 3), ("gf(1.5)", 2), ("oo.h('x')", 2), ("oo.far('x')", 2),
        ("mk() + 1.5", 2), ("S(1.5).k", 2), ("S() + 1.5", 2), ("S()(1.5)", 2), ("S()['x']", 3),
        ("S()[1.5]", 2), ("S().any(1.5)", 2), ("S().any('x')", 3), ("S.st(1.5)", 2), ("S().m(1.5)", 2),
        ("S().m('x')", 3), ("S().m(1, 2)", 4), ("S().dots(1.5)", 2), ("S().dots(1.5, 2.5)", 3), ("del_(1.5)", 2),
        ("undef(1.5)", 2), ("wide(1.5)", 2), ("longest(1.5)", 2), ("req(1.5, 1.5)", 2), ("take(1.5)", 2),
        ("either('x')", 2), ("last(1, 2)", 2), ("none(1)", 2), ("M().f(1, 2)", 2), ("M().g(1)", 2), ("M.s(1)", 2),
    ],
)  # fmt: skip
def test_what_cxx_calls_and_is_bound_answers(lib: Any, text: str, answer: Any) -> None:
    assert eval(text, names(lib)) == answer


@each(
    "text",
    ["copied(A())", "plain(R(1))", "last(1)", "none()", "M(1)", "made(1)", "M().f(1)", "M().g()", "M()(1)", "M.s()"],
)  # fmt: skip
def test_what_cxx_finds_ambiguous_is_refused(lib: Any, text: str) -> None:
    with pytest.raises(sb.ArgumentError, match=r"fit equally well|none is better"):
        eval(text, names(lib))


def test_objects_whose_operator_takes_others_are_not_compared(lib: Any) -> None:
    with pytest.raises(TypeError, match=r"operator==\(T, T\): C\+\+ has no such operator"):
        lib.mk() == lib.mk()  # noqa: B015


def test_what_the_words_advise_binds_it(tmp_path: Path) -> None:
    (tmp_path / "third.hpp").write_text(THIRD)
    lib = sb.compile(CODE, include_dirs=[tmp_path], expose=["oo::f", "gf", "oo::operator+", "toupper"])
    assert (lib.oo.f(1), lib.my.f(1), lib.gf(1), lib.mk() + 1, lib.toupper(97)) == (1, 1, 1, 1, 65)


def test_a_single_overload_is_named_all_the_same(lib: Any) -> None:
    assert lib.oo.f.overload("double")(1) == 2
    assert lib.last.overload("int, int")(1, 2) == 2
    with pytest.raises(sb.BindError, match="has no overload 'int'"):
        lib.oo.f.overload("int")


def names(lib: Any) -> dict[str, Any]:
    return {name: getattr(lib, name) for name in dir(lib) if not name.startswith("__")}
