"""``a < b`` where C++ has ``b > a`` alone: Python would turn the comparison round, and C++ refuses it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # g++ compiles each program twice

CODE = r"""
#if __cplusplus >= 202002L
#include <compare>
#endif
inline int& said() { static int n = 0; return n; }
inline int last() { return said(); }
inline void reset() { said() = 0; }
struct Three {
  int n = 0;
#if __cplusplus >= 202002L
  auto operator<=>(const Three& o) const { said() = 1; return n <=> o.n; }
#endif
  bool operator<(const struct Four&) const { said() = 2; return true; }
};
struct Four {
  int n = 0;
#if __cplusplus >= 202002L
  std::strong_ordering operator<=>(const Three&) const { said() = 3; return std::strong_ordering::greater; }
#endif
};
struct Five {
  int n = 0;
  bool operator<(const Three&) const { said() = 4; return true; }
#if __cplusplus >= 202002L
  std::strong_ordering operator<=>(const Four&) const { said() = 5; return std::strong_ordering::less; }
  bool operator<(const Four&) const { said() = 6; return false; }
#endif
};
struct Number { int n = 3; operator int() const { return n; } };
struct Made {
  int n = 3;
  Made(int i = 3) : n(i) {}
  bool operator>(const Made& o) const { said() = 7; return n > o.n; }
};
struct OfNumbers { int n = 3; bool operator>(const Number&) const { said() = 8; return true; } };
inline bool operator>(const Made&, const Number&) { said() = 9; return true; }
struct Alone { int n = 3; bool operator<(const Alone& o) const { said() = 10; return n < o.n; } };
struct Derived : Alone {};
struct OfInt { int n = 3; bool operator>=(int) const { said() = 11; return true; } };
struct Used : OfInt { using OfInt::operator>=; operator int() const { return 3; } };
struct OfAlone { operator Alone() const { return {}; } };
struct Plain { int n = 1; };
struct OfPlain { int n = 1; bool operator<=(const Plain&) const { said() = 12; return true; } };
"""
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
}  # fmt: skip
KINDS = [
    "Three",
    "Four",
    "Five",
    "Number",
    "Made",
    "OfNumbers",
    "Alone",
    "Derived",
    "OfInt",
    "OfAlone",
    "Plain",
]
KINDS += ["OfPlain", "Used", "int"]
BESIDE = (
    "Four",
    ">",
    "Five",
)  # C++20 calls the <=> of Five beside its <, which Python does not know: it is refused
ROWS = [(a, sign, b) for a in KINDS for b in KINDS for sign in SIGNS if (a, b) != ("int", "int")]


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
def test_none_is_turned_round(std: str, tmp_path: Path) -> None:
    lib = sb.compile(CODE, std=std, nogil=False)
    printed = 'std::printf("%d %d\\n", last(), v); }'
    asked = [f"{{ {a} a{{}}; {b} b{{}}; reset(); bool v = a {sign} b; {printed}" for a, sign, b in ROWS]

    def made(kind: str) -> Any:
        return 0 if kind == "int" else getattr(lib, kind)()

    wrong = []
    for (a, sign, b), expected in zip(ROWS, answers(CODE, asked, std, tmp_path), strict=True):
        lib.reset()
        try:
            answer = f"{SIGNS[sign](made(a), made(b)):d}"
            found = f"{lib.last()} {answer}"
        except (TypeError, sb.Error):
            found = REFUSED
        if found != expected and not (found == REFUSED and (a, sign, b) == BESIDE):
            wrong.append(f"{a} {sign} {b}: {found}, g++: {expected}")
    assert not wrong


@pytest.mark.parametrize("call", [lambda x: operator.le(3, x), lambda x: operator.ge(x, 3)])
def test_what_shows_no_side_is_refused(call: Callable[[Any], Any]) -> None:
    lib = sb.compile(CODE, nogil=False)
    with pytest.raises(TypeError, match="no code writes the sign between the two"):
        call(lib.OfInt())


def test_sorting_and_the_greatest_need_one_operator() -> None:
    """``sorted`` and ``max`` write no sign: the order of the class is what they mean."""
    lib = sb.compile(CODE, nogil=False)
    one, two = lib.Alone(n=1), lib.Alone(n=2)
    assert [x.n for x in sorted([two, one])] == [1, 2]
    assert (max(one, two).n, max([two, one]).n, min(one, two).n) == (2, 2, 1)
    with pytest.raises(TypeError, match="C\\+\\+ has no such operator"):
        _ = two > one
