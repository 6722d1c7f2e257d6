"""Calls of templates that C++ completes or chooses by itself: trailing packs, functions, SFINAE beside a fallback."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <string>
#include <utility>
template <class T, class... A> T make(A... a) { return T((a + ... + 0)); }
template <class T, class... A> T add(T t, A... a) { return t + T((a + ... + 0)); }
template <int N, class... A> int offset(A... a) { return N + (0 + ... + a); }
template <class... A> int count(A...) { return sizeof...(A); }
template <int... N> int sum() { return (N + ... + 0); }
template <class T> struct Box {
  template <class... A> int count(A...) { return sizeof...(A); }
  template <class U, class... A> U make(A... a) { return U((a + ... + 0)); }
  template <class... A> static int all(A... a) { return (a + ... + 0); }
};
template <class R, class... Us, class... Ts> R apply(R (*f)(Us...), Ts&&... ts) { return f(std::forward<Ts>(ts)...); }
template <class F> auto run(F f) { return f(2); }
inline int twice(int x) { return 2 * x; }
inline double mixed(double x, int y) { return x + y; }
inline int several(int x) { return x; }
inline double several(double x) { return x; }

struct With { int var1 = 1; };
struct Without { int other = 1; };
template <class T> auto has(T t) -> decltype(t.var1, true) { return true; }
template <class... A> bool has(A...) { return false; }
template <class T> auto put(T& t) -> decltype(t.var1, 0) { t.var1 = 5; return 1; }
template <class... A> int put(A&&...) { return 2; }
struct Asked {
  int way;
  template <class T> auto has(T t) -> decltype(t.var1, true) { return true; }
  template <class... A> bool has(A...) { return false; }
  template <class T> static auto is(T t) -> decltype(t.var1, true) { return true; }
  template <class... A> static bool is(A...) { return false; }
  template <class T> Asked(T t, decltype(t.var1)* = nullptr) : way(1) {}
  template <class... A> Asked(int, A...) : way(2) {}
};

template <class... A> struct Counted { int n = sizeof...(A); };
template <class A> struct Valued { A a = 3; int m[2] = {1}; };
template <class A> struct Part { int b = 1; };
template <class A> struct Part<A*> { int b = 2; };
template <> struct Part<char> { int b = 3; };
template <class A> struct Inside { A a; int k; };
template <class A> struct Made { int n; Made() : n(8) {} };
struct Whole { Counted<int> c; Made<int> made[2]; int k; };
struct Derived : Counted<int, int> { int d; };
"""


class Index:
    def __index__(self) -> int:
        return 3


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", name="template_calls")


def test_a_trailing_pack_is_deduced_after_what_a_subscript_names(lib):
    assert lib.make[int](1, 2) == 3
    assert "class... A" in lib.make.__doc__


@pytest.mark.full
def test_packs_of_every_kind(lib):
    assert type(lib.make["double"](1.5, 2)) is float
    assert lib.make[int]() == 0
    assert lib.add[float](1, 2) == 3.0
    assert lib.offset[3](1, 2) == 6
    assert lib.sum[1, 2, 3]() == 6
    box = lib.Box[int]()
    assert (box.count(1, 2.0), box.make[float](1, 2), lib.Box[int].all[int](1, 2)) == (2, 3.0, 3)


@pytest.mark.full
def test_what_a_subscript_names_alone_is_a_function_with_names_and_conversions(lib):
    assert lib.add[float](t=1) == 1.0
    assert lib.count[int](Index()) == 1  # A... is int: nothing is left to be deduced
    assert pickle.loads(pickle.dumps(lib.make[int]))(1, 2) == 3


@pytest.mark.full
def test_a_value_without_a_type_of_cpps_says_what_to_write(lib):
    with pytest.raises(sb.ArgumentError, match=r"name the template's arguments: count\[\.\.\.\]\(\.\.\.\)"):
        lib.count(Index())
    assert lib.count[int](Index()) == 1
    with pytest.raises(sb.ArgumentError, match=r"arguments: run\[\.\.\.\]\(\.\.\.\)"):
        lib.run(lambda x: x * 3)
    assert lib.run["int(*)(int)"](lambda x: x * 3) == 6


@pytest.mark.full
def test_a_bound_function_is_an_argument_with_its_cpp_type(lib):
    assert lib.apply(lib.twice, 4) == 8
    assert lib.apply(lib.mixed, 4.0, 1) == 5.0
    assert lib.run(lib.twice) == 4
    with pytest.raises(
        sb.ArgumentError, match=r"cannot tell which .*\n  int several\(int x\)\n  double several"
    ):
        lib.run(lib.several)


def test_a_call_chooses_between_sfinae_and_a_fallback_that_takes_anything(lib):
    assert (lib.has(lib.With()), lib.has(lib.Without()), lib.has(1, 2), lib.has()) == (
        True,
        False,
        False,
        False,
    )
    asked = lib.Asked(3)
    assert (asked.has(lib.With()), asked.has(3)) == (True, False)
    assert (lib.Asked.is_(lib.With()), lib.Asked.is_(3, 4)) == (True, False)
    assert (lib.Asked(lib.With()).way, lib.Asked(3).way, lib.Asked(3, 4).way) == (1, 2, 2)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")
def test_the_call_is_of_the_category_of_its_arguments(lib):
    assert (lib.put(lib.With()), lib.put(lib.Without()), lib.put(3)) == (1, 2, 2)


def test_members_of_instantiations_have_their_initial_values(lib):
    assert lib.Counted[int, "double"]().n == 2
    whole = lib.Whole(k=4)
    assert (whole.c.n, whole.made[1].n, whole.k) == (1, 8, 4)
    assert lib.Derived().n == 2


@pytest.mark.full
def test_initial_values_of_templates_of_every_kind(lib):
    assert (lib.Valued[int]().a, lib.Valued["double"]().a, [*lib.Valued[int]().m]) == (3, 3.0, [1, 0])
    assert [lib.Part[a]().b for a in ("int", "int*", "char")] == [1, 2, 3]
    assert lib.Inside[lib.Counted[int]]().a.n == 1
    assert lib.Inside[int]().k == 0


def test_a_function_beside_a_template_says_why_it_is_not_bound() -> None:
    """C++ prefers it to the template, which other libraries' containers have for keys of other types."""
    with pytest.warns(sb.BindWarning):
        lib = sb.compile(r"""
        struct Map {
          long double find(const char*) const { return 1; }
          template <class K> int find(K a, K b) const { return 1; }
        };
        """)
    with pytest.raises(
        sb.ArgumentError,
        match=r"C\+\+ means Map::find, which is not bound: .*long double has no counterpart",
    ):
        lib.Map().find("b")
    assert lib.Map().find(1, 2) == 1
