"""Class templates that macros define: clang has more tokens of their parameters than these are."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = """
#include <type_traits>
template <class T, class U, class V = std::false_type> struct Compared;  // V: whether T and U are one
#define COMPARED(name, Q)                                                       \\
  template <class T, class U, class Q> struct name##_of {                       \\
    int marked() const { return 1; }                                            \\
  };                                                                            \\
  template <class T, class U> struct name : name##_of<T, U, std::false_type> {  \\
    int whole() const { return 2; } /* more of it */                            \\
  };                                                                            \\
  template <class T> struct name<T, T> : name##_of<T, T, std::true_type> {      \\
    int one() const { return 3; }                                               \\
  };
COMPARED(Pair, Which)
template <class T, template <class, class> class F = Pair> struct Below : F<T, int> { T t{}; };
struct First : Pair<First, int> { int x = 4; };
struct Second : Pair<Second, Second> { int y = 5; };
template <class T> struct Held : Pair<T, T> { T t{}; int held() const { return 6; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="macro_templates")


ROWS = {
    "lib.First().marked() + lib.First().whole()": 3,
    "lib.Second().marked() + lib.Second().one()": 4,
    "lib.Held['int']().marked() + lib.Held['int']().one() + lib.Held['int']().held()": 10,
    "lib.Held['First']().one()": 3,
    "lib.Below['double']().whole()": 2,
    "lib.Below['int']().one()": 3,
    "lib.Pair['char', 'short']().whole()": 2,
}


@pytest.mark.parametrize("asked", ROWS)
def test_a_row(lib: Any, asked: str) -> None:
    assert eval(asked, {"lib": lib}) == ROWS[asked]
