"""Implicit conversions of arguments, by constructors and conversion operators, as C++ makes them.

The rows where C++ can be asked are asked: the same call in C++ says which overload it takes.
"""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <stdexcept>
#include <string>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct Path {
  std::string s;
  Path(std::string x) : s(x) { if (x == "bad") throw std::invalid_argument("no such path"); ++alive(); }
  Path(int a, int b = 0) : s(std::to_string(a)) { ++alive(); }
  explicit Path(double) : s("d") { ++alive(); }
  Path(const Path& o) : s(o.s) { ++alive(); }
  ~Path() { --alive(); }
  const char* c_str() const { return s.c_str(); }
};
inline std::string by_const(const Path& p) { return p.s; }
inline std::string by_value(Path p) { return p.s; }
inline std::string by_move(Path&& p) { return p.s; }
inline std::string by_reference(Path& p) { return p.s; }
inline std::string by_pointer(const Path* p) { return p ? p->s : "null"; }
inline const Path& identity(const Path& p) { return p; }
inline const char* inside(const Path& p) { return p.c_str(); }
struct Holder { const Path* p; Holder(const Path& q) : p(&q) {} ~Holder() {} std::string get() const { return p->s; } };
inline std::string over(const Path&) { return "path"; }
inline std::string over(std::string) { return "string"; }
struct Other { Other(std::string) {} };
inline std::string tie(const Path&) { return "path"; }
inline std::string tie(const Other&) { return "other"; }
struct Number { double re, im; Number(double r, double i = 0) : re(r), im(i) {} };
inline Number operator+(const Number& a, const Number& b) { return Number(a.re + b.re, a.im + b.im); }
inline double re(Number n) { return n.re; }
inline double scale(double x) { return x; }
inline double scale(Number) { return -1; }
struct B { int w; B() : w(0) {} };
struct A {
  int v; A(int v) : v(v) {}
  operator B() const { B b; b.w = v + 100; return b; }
  operator int() const { return v; }
  explicit operator std::string() const { return "explicit"; }
};
inline int of_b(B b) { return b.w; }
inline int of_int(int x) { return x; }
inline double of_double(double x) { return x; }
inline std::string of_text(std::string s) { return s; }
struct Derived : A { using A::A; };
struct Two; struct One { One() {} ~One() {} operator Two() const; };
struct Two { int made; Two(const One&) : made(1) {} };
inline One::operator Two() const { return Two(*this); }
inline int ambiguous(Two t) { return t.made; }
struct Text { std::string t = "text"; ~Text() {} operator std::string() const { return t; } };
inline std::string of_const_text(const std::string& s) { return s; }
struct Wrapped { Path p; Wrapped(Path p) : p(p) {} };
inline std::string twice(const Wrapped& w) { return w.p.s; }
struct Member { ~Member() {} std::string take(const Path& p) const { return p.s; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


ROWS = [
    ('lib.by_const("abc")', "abc"),
    ('lib.by_value("abc")', "abc"),
    ('lib.by_move("abc")', "abc"),
    ('lib.by_const(p="abc")', "abc"),
    ("lib.by_const(42)", "42"),
    ('lib.inside("x" * 50)', "x" * 50),
    ('lib.over("a")', "string"),
    ('lib.over(lib.Path("a"))', "path"),
    ("lib.over(3)", "path"),
    ("lib.re(2.0)", 2.0),
    ("lib.scale(2.0)", 2.0),
    ("(lib.Number(1) + 2.0).re", 3.0),
    ("(2.0 + lib.Number(1)).re", 3.0),
    ("lib.of_b(lib.A(3))", 103),
    ("lib.of_b(lib.Derived(4))", 104),
    ("lib.of_int(lib.A(5))", 5),
    ("lib.of_double(lib.A(5))", 5.0),
    ("lib.of_const_text(lib.Text())", "text"),
    ('lib.twice(lib.Path("a"))', "a"),
    ('lib.Member().take("four")', "four"),
    ('lib.Holder("held").get()', "held"),
    ("lib.by_pointer(None)", "null"),
]


@pytest.mark.parametrize(("call", "expected"), ROWS, ids=[call for call, _ in ROWS])
def test_a_conversion(lib: Any, call: str, expected: object) -> None:
    assert eval(call, {"lib": lib}) == expected
    gc.collect()
    assert lib.count() == 0


REFUSED = [
    ('lib.by_reference("abc")', sb.ArgumentError, "expected an object of Path"),
    ('lib.by_pointer("abc")', sb.ArgumentError, "argument 1 'p'"),
    ("lib.by_const(1.5)", sb.ArgumentError, "expected an object of Path"),
    ("lib.by_const(None)", sb.ArgumentError, "expected an object of Path"),
    ('lib.twice("a")', sb.ArgumentError, "expected an object of Wrapped"),
    ('lib.tie("a")', sb.ArgumentError, "ambiguous"),
    (
        "lib.ambiguous(lib.One())",
        sb.ArgumentError,
        "Two::Two(const One & arg0)\n    Two One::operator Two() const",
    ),
    ("lib.of_text(lib.A(1))", sb.ArgumentError, "expected text"),
    ('lib.by_const("bad")', ValueError, "no such path"),
    ('lib.Member.take("a", "b")', sb.ArgumentError, "a method: it is called on an object of Member"),
]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED, ids=[call for call, _, _ in REFUSED])
def test_what_cpp_does_not_convert(lib: Any, call: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        eval(call, {"lib": lib})
    assert words in str(raised.value)
    del raised
    gc.collect()
    assert lib.count() == 0


def test_a_temporary_lives_as_long_as_what_refers_to_it(lib: Any) -> None:
    seen = lib.identity("kept alive by its view, and long enough to lie outside of the object")
    gc.collect()
    assert seen.c_str().startswith("kept alive")
    assert lib.count() == 1
    held = lib.Holder("kept by the object that was made of it, which has its address")
    gc.collect()
    assert held.get().startswith("kept by")
    assert lib.count() == 2
    del seen, held
    gc.collect()
    assert lib.count() == 0
