"""Default arguments that a macro wrote, whole or in part, and functions that one macro writes with their bodies."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <string>
#define DEF(n) inline int n(int a = 11) { return a; }
DEF(made)
#define SEVEN = 7
#define PARAMS int a, int b = 5
#define AS_IT_IS(x) x
#define TEN 10
inline int part(int a SEVEN) { return a; } inline int whole(PARAMS) { return a * 10 + b; }
inline int value(int a = TEN) { return a; }
  inline int argument(AS_IT_IS(int a = (3)), AS_IT_IS(int b = 4)) { return a + b; }
inline int extent(int AS_IT_IS(a)[3]) { return a != nullptr; }
#define MEMBERS(N) N(int a, int b = 9) : v(a + b) {} int m(int a = TEN + 1) { return a; } \\
  static int s(const std::string& t = "x;y") { return t.size(); }
struct S { int v; MEMBERS(S) }; struct H { virtual ~H() {} int v; MEMBERS(H) };
#define NULLED void* p = nullptr
inline bool nulled(NULLED) { return p == nullptr; }
#define TEXTS(n) inline std::string n(std::string s = "abc", double d = 2.5, const char* c = "=(") { return s + c; }
TEXTS(texts)
template <class T> struct Tp { T v = 0; MEMBERS(Tp) }; template class Tp<int>;
#define LAST(n) inline int n(int a = TEN) { return a; }
LAST(semicolon);
LAST(last)"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="written")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lib.made()", 11), ("lib.made(2)", 2), ("lib.part()", 7), ("lib.whole(1)", 15), ("lib.whole(1, b=2)", 12),
        ("lib.value()", 10), ("lib.argument()", 7), ("lib.argument(1)", 5), ("lib.S(1).v", 10), ("lib.S(1, 2).v", 3),
        ("lib.S(1).m()", 11), ("lib.S.s()", 3), ("lib.H(1).v", 10), ("lib.H(1, 2).m()", 11), ("lib.H.s()", 3),
        ("lib.nulled()", True), ("lib.texts()", "abc=("), ("lib.Tp[int](1).v", 10),
        ("lib.Tp[int](1).m()", 11), ("lib.semicolon()", 10), ("lib.last()", 10),
    ],
)  # fmt: skip
def test_a_macro_writes_defaults_and_bodies(lib: Any, expression: str, expected: object) -> None:
    assert eval(expression, {"lib": lib}) == expected
    assert {s.kind for s in lib.__skipped__} <= {"macro with parameters", "macro without a value"}


def test_the_extent_of_an_array_is_no_default(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="0 arguments"):
        lib.extent()
