"""Classes that a header instantiates explicitly, templates inside templates, and what their members begin with."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.optimised  # what is declared extern is there only where it is inlined

SOURCE = """
template <class T> struct A { T v = 3; T get() { return v; } static T st() { return 2; } A() {} A(T a) : v(a) {}
  struct In { int q = 4; }; };
template class A<int>; inline A<int> a() { return {}; }
template <class T> struct E { T v = 3; T get() const { return v; } };
extern template struct E<int>; inline E<int> e() { return {}; } inline E<float> implied() { return {}; }
template <class T> struct H { T v = 3; T get() { return v; } virtual ~H() {} H(T a) : v(a) {} };
#define INSTANTIATE(T) template class H<T>
INSTANTIATE(int); inline H<int>& h() { static H<int> x(5); return x; }
template <class T> struct D : E<T> { using E<T>::get; T more() { return 1; } };
template struct D<double>;
template <> struct E<char> { int other = 6; int f() { return other; } };
template <class G> struct Ext { template <class V> struct Map { V v; int t;
  explicit Map(const Ext&) : v(5), t(6) {} int get() { return t; } };
  struct In { int i = 8; int f() { return i; } }; };
inline Ext<int> ext() { return {}; }
inline Ext<int>::Map<double> map() { return Ext<int>::Map<double>(ext()); } inline Ext<int>::In in() { return {}; }
struct Ini { int q = 4; };
template <class T> struct Holds { T v; int k; }; inline Holds<Ini> holds() { return {}; }
template <class T> struct Derives : T { int z; }; inline Derives<Ini> derives() { return {}; }
template <class T> struct Arrays { T a[2] = {1, 2}; T b : 3; T c : 4 = 5; };
  inline Arrays<int> arrays() { return {}; }
template <class T> struct Plain { T a; T b; }; inline Plain<int> plain() { return {}; }
template <class T, int N = 2> struct Sized {
  enum { size = sizeof(T), count = N * size }; enum : long { big = 1L << 40 };
  struct In { enum { deep = N + 7 }; }; static int f() { return count; } };
template struct Sized<short>; typedef Sized<double, 3> Doubles; struct Sizes : Sized<char> {};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="instantiated")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lib.a().get()", 3), ("lib.A[int](4).get()", 4), ("lib.A[int].st()", 2), ("lib.A[int]().v", 3),
        ("lib.A[int].In().q", 4), ("lib.e().get()", 3), ("lib.E[int]().get()", 3), ("lib.implied().get()", 3),
        ("lib.h().get()", 5), ("lib.H[int](7).get()", 7), ("lib.D['double']().get()", 3),
        ("lib.D['double']().more()", 1),
        ("lib.Sized['short'].size", 2), ("lib.Sized['short'].count", 4), ("lib.Doubles.count", 24),
        ("lib.Doubles.big", 2**40), ("lib.Sized[int, 5].In.deep", 12), ("lib.Sized[int, 5]().count", 20),
        ("lib.Sizes.count", 2), ("lib.Sizes.f()", 2),
        ("lib.E['char']().f()", 6), ("lib.map().get()", 6), ("type(lib.map())(lib.ext()).v", 5), ("lib.in_().f()", 8),
    ],
)  # fmt: skip
def test_members_are_the_templates(lib: Any, expression: str, expected: object) -> None:
    assert eval(expression, {"lib": lib}) == expected
    assert {s.kind for s in lib.__skipped__} <= {"macro with parameters", "macro without a value"}


def test_an_injected_name_is_the_class_around(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="overloads take"):
        type(lib.map())(1.0, 77)


@pytest.mark.parametrize("name", ["implied", "holds", "derives", "arrays", "plain", "in_", "e"])
def test_an_object_made_in_python_begins_as_one_made_in_c(lib: Any, name: str) -> None:
    from_c = getattr(lib, name)()
    made = type(from_c)()
    assert bytes(made) == bytes(from_c)
