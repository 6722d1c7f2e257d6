"""Friends that class templates define: C++ finds them by the objects of what derives from these, from any header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

MIXINS = r"""#pragma once
#include <compare>
#include <vector>
namespace mix {
template <class D> struct Ops {
  friend bool operator==(const D& a, const D& b) { return a.c % 10 == b.c % 10; }
  friend bool operator!=(const D&, const D&) { return true; }
  friend bool operator>(const D& a, const D&) { return a.c == 100; }
  friend D operator+(const D& a, const D& b) { return D(a.c + b.c + 1000); }
  friend D operator-(const D& a) { return D(-a.c); }
};
template <class D> struct Minus { friend int operator-(const D&, const D&) { return 50; } };
template <class D> struct Times {
  friend double operator*(const D& d, double x) { return d.v * x; }
  friend int operator*(const D& d, const char*) { return d.v; }
};
template <class D> struct Not { friend bool operator!(const D& d) { return d.v == 0; } };
template <class D> struct Ordered { friend auto operator<=>(const D& a, const D& b) { return b.v <=> a.v; } };
template <class D> struct Range {
  friend auto begin(const D& d) { return d.xs.begin(); } friend auto end(const D& d) { return d.xs.end(); }
};
template <class T> struct Box { T v = 0; friend bool operator!(const Box& d) { return d.v == 0; }
  friend Box operator+(const Box& a, const Box& b) { return {a.v + b.v}; } };
struct Plain { int p; friend int operator%(const Plain& a, int b) { return a.p % b; } };
}
"""
OWN = r"""#pragma once
MIXINS
struct Coin : mix::Ops<Coin> { long c; Coin(long c = 0) : c(c) {}
  friend bool operator<(const Coin& a, const Coin& b) { return a.c < b.c; } };
struct Hidden : private mix::Ops<Hidden> { long c; Hidden(long c = 0) : c(c) {} };
struct Sub : mix::Minus<Sub> { int v; Sub(int v = 0) : v(v) {} operator int() const { return v; }
  int operator-(int k) const { return v - k; } };
struct Product : mix::Times<Product> { int v; Product(int v = 0) : v(v) {}
  int operator*(int k) const { return v * k + 1000; } };
struct None : mix::Not<None> { int v; None(int v = 0) : v(v) {} };
struct Order : mix::Ordered<Order> { int v; Order(int v = 0) : v(v) {} };
struct Rows : mix::Range<Rows> { std::vector<int> xs{3, 4, 5}; };
using IntBox = mix::Box<int>;
struct Odd { int v; Odd(int v = 0) : v(v) {} bool operator!=(const Odd& o) const { return v % 2 != o.v % 2; } };
struct Number { int v; operator int() const { return v; } };
struct Kid : mix::Plain { int more = 0; };
namespace n {
struct Equal { int v; Equal(int v = 0) : v(v) {} bool operator==(const Equal& o) const { return v == o.v; } };
template <class T> bool operator!=(const T&, const T&) { return true; }
struct AtMost { int v; AtMost(int v) : v(v) {}
  friend bool operator<=(const AtMost& a, const AtMost& b) { return a.v <= b.v; } };
template <class T> bool operator>=(const T&, const T&) { return false; }
}
struct Two { int a, b; Two(int a = 0, int b = 0) : a(a), b(b) {}
  auto operator<=>(const Two& o) const { return a <=> o.a; } bool operator==(const Two& o) const { return a == o.a; }
  auto operator<=>(int k) const { return a <=> k; } bool operator==(int k) const { return a == k; } };
inline Kid kid() { Kid k; k.p = 7; return k; }
"""
# Python's expression, C++'s.
ROWS = {
    "Coin(3) == Coin(13)": "Coin(3) == Coin(13)", "Coin(3) != Coin(3)": "Coin(3) != Coin(3)",
    "Coin(5) > Coin(3)": "Coin(5) > Coin(3)", "Coin(100) > Coin(300)": "Coin(100) > Coin(300)",
    "Coin(5) < Coin(3)": "Coin(5) < Coin(3)", "(Coin(3) + Coin(4)).c": "(Coin(3) + Coin(4)).c",
    "(-Coin(3)).c": "(-Coin(3)).c", "(Coin(3) + 4).c": "(Coin(3) + 4).c", "(4 + Coin(3)).c": "(4 + Coin(3)).c",
    "Hidden(3) == Hidden(13)": "Hidden(3) == Hidden(13)", "Hidden(3) > Hidden(1)": "Hidden(3) > Hidden(1)",
    "(Hidden(3) + Hidden(4)).c": "(Hidden(3) + Hidden(4)).c", "Sub(5) - Sub(1)": "Sub(5) - Sub(1)",
    "Sub(5) - 1": "Sub(5) - 1",
    "Product(3) * 2": "Product(3) * 2", "Product(3) * 2.5": "Product(3) * 2.5", "Product(3) * 'x'": 'Product(3) * "x"',
    "bool(None_(0))": "!!None(0)", "bool(None_(2))": "!!None(2)", "Order(1) < Order(2)": "Order(1) < Order(2)",
    "Order(1) >= Order(2)": "Order(1) >= Order(2)",
    "sum(Rows())": "[] { int s = 0; for (int x : Rows()) s += x; return s; }()",
    "bool(IntBox())": "!!IntBox()", "(IntBox(3) + IntBox(4)).v": "(IntBox{3} + IntBox{4}).v",
    "Odd(1) != Odd(3)": "Odd(1) != Odd(3)", "Odd(1) != Odd(2)": "Odd(1) != Odd(2)", "Number(5) == 5": "Number{5} == 5",
    "n.Equal(1) != n.Equal(1)": "n::Equal(1) != n::Equal(1)",
    "n.AtMost(3) >= n.AtMost(2)": "n::AtMost(3) >= n::AtMost(2)",
    "n.AtMost(3) <= n.AtMost(2)": "n::AtMost(3) <= n::AtMost(2)", "Two(1) < 3": "Two(1) < 3",
    "3 > Two(1)": "3 > Two(1)",
    "Two(1) < Two(0)": "Two(1) < Two(0)", "Two(1, 2) == Two(1, 3)": "Two(1, 2) == Two(1, 3)",
    "Two(3) == 3": "Two(3) == 3",
    "kid() % 4": "kid() % 4",
}  # fmt: skip


@pytest.fixture(scope="module", params=["one file", "another header"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    answers = "".join(
        f"inline double answer{i}() {{ return {cxx}; }}\n" for i, cxx in enumerate(ROWS.values())
    )
    home: Path = tmp_path_factory.mktemp("friends")
    for folder in ("own", "other"):
        (home / folder).mkdir()
    (home / "other" / "mixins.hpp").write_text(MIXINS)
    mixins = MIXINS.replace("#pragma once", "") if request.param == "one file" else "#include <mixins.hpp>"
    (home / "own" / "own.hpp").write_text(OWN.replace("MIXINS", mixins) + answers)
    return sb.bind(home / "own" / "own.hpp", include_dirs=[home / "other"], std="gnu++20")


@pytest.mark.parametrize("row", range(len(ROWS)), ids=list(ROWS))
def test_what_c_plus_plus_finds(lib: Any, row: int) -> None:
    names = {
        n: getattr(lib, n)
        for n in ("Coin", "Hidden", "Sub", "Product", "Order", "Rows", "IntBox", "Odd", "n", "Two")
    }
    names |= {
        "None_": getattr(lib, "None_", None) or lib.__records__["None"],
        "Number": lib.Number,
        "kid": lib.kid,
    }
    assert eval(list(ROWS)[row], names) == getattr(lib, f"answer{row}")()


def test_other_classes_have_nothing_of_them(lib: Any) -> None:
    for text in ("Odd(1) + Odd(1)", "-Odd(1)", "Odd(1) > Odd(2)", "Order(1) + Order(2)"):
        with pytest.raises(TypeError, match=r"not supported|unsupported operand|bad operand"):
            eval(text, {"Odd": lib.Odd, "Order": lib.Order})
    assert lib.Odd(0)
