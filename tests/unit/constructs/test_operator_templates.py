"""Operators that are templates, friends of templates or member templates; classes that a call gives."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
namespace ns {
template <class T> struct P {
  T x;
  friend P operator+(P a, P b) { return {static_cast<T>(a.x + b.x)}; }
  friend bool operator<(const P& a, const P& b) { return a.x < b.x; }
  template <class U> P operator%(U k) const { return {static_cast<T>(x % k)}; }
  P operator/(T k) const { return {static_cast<T>(x / k)}; }
  P& operator-=(const P& o) { x -= o.x; return *this; }
  P<P> wrapped() const { return {*this}; }
};
template <class T> P<T> operator*(P<T> a, T k) { return {static_cast<T>(a.x * k)}; }
template <class T> P<T> operator*(T k, P<T> a) { return {static_cast<T>(a.x * k + 1)}; }
template <class T> P<T>& operator+=(P<T>& a, T k) { a.x += k; return a; }
template <class T> P<T> operator-(P<T> a) { return {static_cast<T>(-a.x)}; }
template <class T> bool operator==(const P<T>& a, const P<T>& b) { return a.x == b.x; }
template <class T> class Ref {
  const P<T>& p;
public:
  explicit Ref(const P<T>& q) : p(q) {}
  T value() const { return p.x; }
};
template <class T> Ref<T> refer(const P<T>& p) { return Ref<T>(p); }
}
"""
_P = "ns::P<int> &"
READY = [
    "ns::P<int>", f"operator+({_P}, {_P})", f"operator<({_P}, {_P})", f"operator%({_P}, int)", f"operator*({_P}, int)",
    f"operator*(int, {_P})", f"operator+=({_P}, int)", f"operator-({_P})", f"operator==({_P}, {_P})",
    f"ns::refer({_P})", "ns::Ref<int>",
]  # fmt: skip


@pytest.fixture(scope="module")
def ns() -> Any:
    lib = sb.compile(SOURCE, instantiate=READY)
    return lib.ns


ROWS: list[tuple[str, Any]] = [
    ("(p(3) + p(4)).x", 7), ("p(3) < p(4)", True), ("p(5) < p(4)", False), ("(p(7) % 4).x", 3), ("(p(7) / 2).x", 3),
    ("(p(3) * 4).x", 12), ("(4 * p(3)).x", 13), ("(-p(3)).x", -3), ("p(3) == p(3)", True), ("p(3) == p(4)", False),
    ("type(p(1) + p(2)) is P", True),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), ROWS, ids=[words for words, _ in ROWS])
def test_gives_what_cxx_gives(ns: Any, words: str, expected: Any) -> None:
    cls = ns.P[int]
    assert eval(words, {"P": cls, "p": lambda x: cls(x=x)}) == expected


def test_in_place(ns: Any) -> None:
    first = p = ns.P[int](x=3)
    p += 4
    assert p is first
    assert p.x == 7
    p -= ns.P[int](x=2)
    assert first.x == 5


def test_what_an_object_refers_to_lives(ns: Any) -> None:
    held = ns.refer(ns.P[int](x=3) + ns.P[int](x=4))
    gc.collect()
    others = [ns.P[int](x=9) for _ in range(100)]
    assert (held.value(), others[0].x) == (7, 9)


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_a_class_that_a_call_gives_has_its_members(ns: Any) -> None:
    wrapped = ns.P[int](x=7).wrapped()
    assert wrapped.x.x == 7
    assert wrapped.wrapped().x.x.x == 7
    assert type(wrapped) is ns.P["ns::P<int>"]
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        assert wrapped.missing
