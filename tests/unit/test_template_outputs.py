"""Templates with hidden outputs: C++ deduces from the arguments that the Python call has."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
namespace ns {
template <class T> using ptr = const T*;
template <class T> void minmax(ptr<T> p, int n, T& low, T& high) {
  low = high = p[0];
  for (int i = 1; i < n; ++i) { if (p[i] < low) low = p[i]; if (p[i] > high) high = p[i]; }
}
template <class T> int split(T x, T* whole, double* rest) { *whole = (T)(long)x; *rest = x - *whole; return 5; }
template <class T> int split(T* x, T* whole, double* rest) { *whole = *x; *rest = 7; return 6; }
template <class T, int N> void fill(T x, T (&out)[N]) { for (auto& o : out) o = x; }
template <class T> void grid(T x, T out[4]) { for (int i = 0; i < 4; ++i) out[i] = x * i; }
template <class T> void last(T& out, T x) { out = x + 1; }
struct S {
  double k;
  template <class T> void scaled(T x, T& out) const { out = T(x * k); }
  template <class T> static void two(T x, T& out) { out = x + x; }
};
template <class T> struct V {
  T k;
  template <class U> void times(U x, decltype(U() * T())& out) const { out = x * k; }
  void get(T& out) const { out = k; }
};
}
"""
RETURNED = "out_return"
INTENTS: dict[str, Any] = {
    "minmax": {"low": RETURNED, "high": RETURNED},
    "split": {"whole": RETURNED, "rest": RETURNED},
    "ns::grid": {"out": sb.out_array_return("double", 4)},
    "last": {"out": RETURNED},
    "ns::fill": {"out": RETURNED},
    "S.scaled": {"out": RETURNED},
    "S.two": {1: RETURNED},
    "V.times": {"out": RETURNED},
    "V.get": {"out": RETURNED},
}


@pytest.fixture(scope="module")
def ns() -> Any:
    return sb.compile(SOURCE, arg_intent=INTENTS, instantiate=["ns::minmax<float>", "ns::V<float>"]).ns


F4, F8 = np.array([3, 1, 2], "f4"), np.array([3, 1, 2], "f8")
ROWS: list[tuple[str, Any, Any]] = [
    ("beforehand", lambda n: n.minmax(F4, 3), (1.0, 3.0)),
    ("named", lambda n: n.minmax["float"](F4, 3), (1.0, 3.0)),
    ("deduced", lambda n: n.minmax(F8, 3), (1.0, 3.0)),
    ("by name", lambda n: n.minmax(n=2, p=F8), (1.0, 3.0)),
    ("with a result", lambda n: n.split(2.5), (5, 2.0, 0.5)),
    ("overloads", lambda n: n.split(F8), (6, 3.0, 7.0)),
    ("arrays", lambda n: n.grid(2.0), (0.0, 2.0, 4.0, 6.0)),
    ("outputs first", lambda n: n.last(4), 5),
    ("methods", lambda n: n.S(k=2).scaled(1.5), 3.0),
    ("static members", lambda n: n.S.two(4), 8),
    ("members of templates", lambda n: n.V["float"](k=3).times(2.5), 7.5),
    ("plain members of templates", lambda n: n.V["float"](k=3).get(), 3.0),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_gives_what_cxx_writes(ns: Any, call: Any, expected: Any) -> None:
    assert call(ns) == expected


def test_what_cannot_be_deduced(ns: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"fill\(int, \?\): .*no matching function for call to 'ns::fill'"
    ):
        ns.fill(3)
    with pytest.raises(sb.ArgumentError, match=r"minmax\(double \*\): C.. refuses it"):
        ns.minmax(F8)


def test_unknown_members_of_no_template() -> None:
    with pytest.raises(sb.BindError, match=r"unknown function 'W\.get'"):
        sb.compile("template <class T> struct V {};", arg_intent={"W.get": {"out": "out_return"}})


OPEN_NAMES = """
template <class T> struct Tub { T v; void get(T& out) { out = v; } };
template <class T> struct Part { void get(T& o) { o = 1; } };
template <class T> struct Part<T*> { void other(T& o) { o = 2; } };
template <class T> struct Derived : Tub<T> { void mine(T& o) { o = 4; } };
template <class T> void next(T a, T& out) { out = a + 1; }
template <class... A> void pack(A... a) {}
"""


@pytest.mark.parametrize(
    ("intents", "words"),
    [
        (
            {"Tub.gett": {"out": "out_return"}},
            "unknown function 'Tub.gett'; known: Tub.get. Did you mean 'Tub.get'?",
        ),
        ({"Tub::gett": {"out": "out_return"}}, "unknown function 'Tub::gett'"),
        ({"next": {"nope": "out_return"}}, "unknown parameter 'nope'; known: a, out"),
        ({"next": {2: "out_return"}}, "index 2 is out of range for 2 parameters: a, out"),
    ],
)
def test_what_no_instantiation_has_is_an_error_at_once(intents: Any, words: str) -> None:
    with pytest.raises(sb.BindError, match=re.escape(words)):
        sb.compile(OPEN_NAMES, arg_intent=intents)


@pytest.mark.parametrize("name", ["Part.other", "Derived.get", "Tub.get", "pack"])
def test_what_some_instantiation_may_have_waits(name: str) -> None:
    """Members of specializations and of bases, and parameters of packs."""
    sb.compile(OPEN_NAMES, arg_intent={name: {"o": "out_return"}})
