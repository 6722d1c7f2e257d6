"""Text for a template's own type is text: comparing, adding and keeping it means no address."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # a build for each instantiation
HEADER = r"""
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>
template <class T> T largest(T a, T b) { return a > b ? a : b; }
template <class T> const T& largest_ref(const T& a, const T& b) { return a > b ? a : b; }
template <class T> bool same(T&& a, const T& b) { return a == b; }
template <class A, class B> bool both(A a, B b) { return a == b; }
template <class... A> int strings(const A&...) { return (0 + ... + std::is_same_v<A, std::string>); }
template <class T> unsigned long length(T s) { return std::strlen(s); }
template <class... A> int format(const char* f, A... a) { char b[99]; return std::snprintf(b, 99, f, a...); }
template <class T> int which(const T*) { return 1; }
template <class T> int which(T) { return 2; }
template <class T> int beside(T) { return 1; }
inline int beside(const char*) { return 2; }
template <class T> int text_beside(T) { return 1; }
inline int text_beside(const std::string&) { return 2; }
template <class T> struct Box { T v; T get() const { return v; } };
template <class T> Box<T> box(T v) { return {v}; }
template <class T> int find(const std::vector<T>& v, T x) {
  for (int i = 0; i < (int)v.size(); ++i) if (v[i] == x) return i;
  return -1;
}
struct S {
  int k = 0; S() {}
  template <class T> S(T a, T b) : k(a == b) {}
  template <class T> bool less(T a, T b) const { return a < b; }
  template <class T> static bool lower(T a, T b) { return a < b; }
};
struct Key { std::string k = "key"; };
template <class T> bool operator==(const Key& a, T b) { return T(a.k.c_str()) == b; }
struct Word { std::string k = "word";
  template <class T> bool operator==(const T& b) const { return T(k.c_str()) == b; } };
namespace n { template <class T> T most(T a, T b) { return a > b ? a : b; } }
"""
WORDS = [chr(97 + i) * (i % 5 + 1) for i in range(12)]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(HEADER, std="c++17")


@each("name", ["largest", "largest_ref", "n.most"])
def test_the_largest_of_two(lib: Any, name: str) -> None:
    space, _, name = name.rpartition(".")
    function = getattr(lib.n if space else lib, name)
    assert [(a, b) for a in WORDS for b in WORDS if function(a, b) != max(a, b)] == []


@each(
    ("call", "expected"),
    [
        (lambda m: m.same("x1", "x1"[:1] + "1"), True),
        (lambda m: m.both("x1", "x1"[:1] + "1"), True),
        (lambda m: m.strings("a", 1, "b"), 2),
        (lambda m: m.length("abc"), 3),  # what a C string alone does has one
        (lambda m: m.format("%s-%s", "a", "b"), 3),
        (lambda m: m.which("a"), 1),  # C++ prefers the address there
        (lambda m: m.beside("a"), 2),
        (lambda m: m.text_beside("a"), 2),
        (lambda m: m.box("hello").get(), "hello"),
        (lambda m: m.find(["a", "b"], "b"), 1),
        (lambda m: m.S("x1", "x1"[:1] + "1").k, 1),
        (lambda m: [m.S().less("a", "b"), m.S().less("b", "a"), m.S.lower("b", "a")], [True, False, False]),
        (lambda m: m.largest(b"a", "b"), "b"),
        (lambda m: [m.Key() == "key", m.Key() == "kex"], [True, False]),
        (lambda m: [m.Word() == "word", m.Word() == "wort"], [True, False]),
    ],
)
def test_text_is_text(lib: Any, call: Any, expected: Any) -> None:
    assert call(lib) == expected
