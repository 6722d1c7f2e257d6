"""Members that differ by their ``requires`` alone: C++ has one of them, and so has Python."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

HEADER = """
template <class T> concept Whole = __is_same(T, int) || __is_same(T, long);
template <class T> struct Box { T v{};
  int kind() const requires Whole<T> { return 1; }
  int kind() const requires (!Whole<T>) { return 2; }
  int size() const { return 10; }
  int size() const requires Whole<T> { return 11; }
  T twice(T x) requires Whole<T> { return x + x; }
  T twice(T x) requires (!Whole<T>) { return x * 2; }
  int of(int) requires Whole<T> { return 1; }
  double of(int) requires (!Whole<T>) { return 2.5; }
  int one(int) const { return 1; } int one(double) const { return 2; } int one(int) requires Whole<T> { return 3; } };
template <class T> struct More : Box<T> { int own() requires Whole<T> { return 4; } int own() { return 5; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        HEADER, std="c++20", instantiate=["Box<int>", "Box<double>", "More<int>", "More<double>"]
    )


@each(
    ("call", "expected"),
    [
        (lambda m: [m.Box[t]().kind() for t in ("int", "double")], [1, 2]),
        (lambda m: [m.Box[t]().size() for t in ("int", "double")], [11, 10]),
        (lambda m: [m.Box["int"]().twice(4), m.Box["double"]().twice(1.25)], [8, 2.5]),
        (lambda m: [m.Box["int"]().of(4), m.Box["double"]().of(4)], [1, 2.5]),
        (lambda m: [m.Box["int"]().one(1), m.Box["int"]().one(1.5), m.Box["double"]().one(1)], [3, 2, 1]),
        (lambda m: [m.More["int"]().own(), m.More["double"]().own(), m.More["int"]().size()], [4, 5, 11]),
    ],
)
def test_the_member_that_cxx_calls(lib: Any, call: Any, expected: Any) -> None:
    assert call(lib) == expected
