"""An enumerator of an ``enum class`` is no number to C++, and so to no parameter, field or element that is one."""

from __future__ import annotations

import enum
import operator
from typing import Any

import pytest

import samebytes as sb

from ..tables import each

CODE = """
#include <functional>
#include <map>
#include <optional>
#include <vector>
enum class E : short { a = 1, b = 2 };
enum U { ua = 1, ub = 2 };
enum class Bare { x = 1, y = 2 };
struct S { int i = 0; double d = 0; E e = E::a; U u = ua; short row[2] = {}; };
struct C {
  int n;
  explicit C(int n) : n(n) {}
  int operator[](int i) const { return i; }
  int operator()(int i) const { return i; }
  int method(int i) const { return i; }
  static int fixed(int i) { return i; }
  int operator+(int k) const { return n + k; }
  bool operator<(int k) const { return n < k; }
  bool operator==(int k) const { return n == k; }
  C& operator+=(int k) { n += k; return *this; }
};
struct Implicit { int n; Implicit(int n) : n(n) {} };
struct N { int n; operator int() const { return n; } };
int variable = 0;
inline int whole(int x) { return x; } inline double real(double x) { return x; } inline bool truth(bool x) { return x; }
inline int letter(char x) { return x; } inline int referred(const int& x) { return x; }
inline U plain(U u) { return u; }
inline int two(long) { return 1; } inline int two(double) { return 2; }
inline int implicit(Implicit x) { return x.n; } inline int listed(const std::vector<int>& v) { return v[0]; }
inline int mapped(const std::map<int, int>& m) { return int(m.size()); }
inline int maybe(std::optional<int> o) { return *o; }
inline int called(const std::function<int()>& f) { return f(); }
inline E same(E e) { return e; }
inline int operator-(E, int) { return 5; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="scoped_enumerations")


REFUSED = [
    "lib.whole(x)", "lib.real(x)", "lib.truth(x)", "lib.letter(x)", "lib.referred(x)", "lib.plain(x)", "lib.two(x)",
    "lib.implicit(x)", "lib.maybe(x)",
    "lib.listed([x])", "lib.mapped({x: 1})", "lib.called(lambda: x)", "lib.S(x)", "lib.S(d=x)", "lib.S(u=x)",
    "setattr(s, 'i', x)", "setattr(s, 'd', x)", "setattr(s, 'row', [x, x])", "setattr(lib, 'variable', x)",
    "lib.C(x)", "c[x]", "c(x)", "c.method(x)", "lib.C.fixed(x)", "c + x", "c < x", "operator.iadd(c, x)",
    "lib.N(2) + x", "x + lib.N(2)", "lib.N(2) < x", "3 - x", "x - x",
]  # fmt: skip


@each("text", REFUSED)
def test_it_is_no_number(lib: Any, text: str) -> None:
    names = {"lib": lib, "x": lib.E.b, "s": lib.S(), "c": lib.C(1), "operator": operator}
    with pytest.raises((sb.ArgumentError, TypeError), match=r"got|no such operator|overload"):
        eval(text, names)


def test_the_refusal_says_what_makes_a_number(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"an enum class by itself: int\(x\) is its number"):
        lib.whole(lib.E.a)


def test_it_equals_no_object_that_is_a_number(lib: Any) -> None:
    assert lib.C(2) != lib.E.b
    assert lib.N(2) != lib.E.b


def test_other_enumerators_are_numbers(lib: Any) -> None:
    class Own(enum.IntEnum):
        two = 2

    for two in (lib.ub, Own.two):
        assert (lib.whole(two), lib.real(two), lib.referred(two), lib.maybe(two), lib.C(1)[two]) == (2,) * 5
        assert lib.N(2) == two


def test_it_is_an_int_to_python(lib: Any) -> None:
    x = lib.E.b
    assert (int(x), operator.index(x), float(x), [5, 6, 7][x], f"{x:d}", x == 2) == (2, 2, 2.0, 7, "2", True)
    assert (lib.whole(int(x)), lib.whole(x.value), lib.same(2) is x, x - 1) == (2, 2, True, 5)
    assert lib.Bare.x + lib.Bare.y == 3  # of which C++ declares nothing
