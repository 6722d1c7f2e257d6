"""Conversions of class templates to their parameters: defaults and those of outer classes are written out."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <string>
#include <vector>
template <class Tag, class T = int> struct Strong {
  T v;
  explicit operator T() const { return v; }
  operator std::vector<T>() const { return {v, v}; }
};
struct A {};
using Id = Strong<A>;
using Name = Strong<A, std::string>;
template <class T> struct Grid {
  T v[3]{};
  class Cell {
    Grid& g;
    int i;
   public:
    Cell(Grid& g, int i) : g(g), i(i) {}
    operator T() const { return g.v[i]; }
    Cell& operator=(T x) { g.v[i] = x; return *this; }
    template <class U> struct Deep {
      T t;
      operator T() const { return t + 1; }
      explicit operator U() const { return U(2 * t); }
    };
  };
  Cell at(int i) { return {*this, i}; }
};
using Doubles = Grid<double>;
using Deep = Grid<int>::Cell::Deep<double>;
template <int N, class T = short> struct Range {
  struct At { T x; operator T() const { return x; } };
  At begin() const { return {T(N)}; }
  operator T() const { return N + 1; }
};
using Range3 = Range<3>;
template <class T> struct Outer {
  struct In { template <class U = T> struct X { operator U() const { return U(7); } }; };
};
using X = Outer<long>::In::X<>;
template <class... Ts> struct Pack { operator int() const { return sizeof...(Ts); } };
using Pack2 = Pack<int, char>;
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


def test_parameters_with_defaults(lib: sb.Library) -> None:
    assert int(lib.Id(v=3)) == 3
    assert str(lib.Name("x")) == "x"
    assert int(lib.Range3()) == 4
    assert int(lib.Pack2()) == 2


def test_parameters_of_the_classes_around(lib: sb.Library) -> None:
    grid = lib.Doubles()
    cell = grid.at(1)
    getattr(cell, "operator=")(2.5)
    assert float(cell) == 2.5
    assert list(grid.v) == [0, 2.5, 0]
    assert int(lib.Deep(t=4)) == 5
    assert float(lib.Deep(t=4)) == 8
    assert int(lib.Range3().begin()) == 3
    assert int(lib.X()) == 7


def test_constructors_that_templates_make_leave_the_others() -> None:
    """What converts does not depend on the calls before: each conversion builds a constructor of its own."""
    lib = sb.compile(
        """
#include <string>
template <class T> struct W { T x; W(T a = 0) : x(a) {} template <class U> W(const W<U>& o) : x(T(o.x)) {} };
struct Any {
  std::string w;
  template <class T> Any(const W<T>& v) : w("W" + std::to_string(int(v.x))) {}
  Any(const std::string& s) : w("s" + s) {}
};
using WD = W<double>; using WI = W<int>; using WF = W<float>;
inline double number(const WD& v) { return v.x; }
inline std::string any(const Any& a) { return a.w; }
"""
    )
    for _ in range(2):
        assert [lib.number(made(3)) for made in (lib.WI, lib.WF, lib.WI, lib.WD)] == [3.0] * 4
        assert [lib.any(x) for x in ("q", lib.WI(3), "q", lib.WF(4), lib.WI(5))] == [
            "sq",
            "W3",
            "sq",
            "W4",
            "W5",
        ]
