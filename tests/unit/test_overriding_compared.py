"""Operators of a class of C++'s, with objects of classes of Python's that override its virtual functions."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <string>
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const { return 0; }
  virtual bool operator<(const Shape& o) const { return area() < o.area(); }
  bool operator==(const Shape& o) const { return area() == o.area(); }
  friend bool operator>=(const Shape& a, const Shape& b) { return a.area() >= b.area(); }
};
struct Circle : Shape { double area() const override { return 3; } };
inline bool operator<=(const Shape& a, const Shape& b) { return a.area() <= b.area(); }
struct Plain {
  virtual ~Plain() = default;
  virtual int n() const { return 1; }
  bool operator<(const Plain& o) const { return n() < o.n(); }
};
"""
CALLS = {
    "q < c": False, "c < q": True, "q < s": False, "s < q": True, "q < q": False, "q < q2": False,
    "q == c": False, "q == q2": True, "q2 == q": True, "s == lib.Shape()": True, "s == z": True, "z == s": True,
    "q <= c": False, "c <= q": True, "q >= c": True, "s >= z": True, "q != q2": False, "c != q": True,
    "max(q, c, s) is q": True, "p < lib.Plain()": False, "lib.Plain() < p": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    lib = sb.compile(SOURCE)

    class Square(lib.Shape):  # type: ignore[misc, name-defined]
        def area(self) -> float:
            return 16.0

    class Zero(lib.Shape):  # type: ignore[misc, name-defined]
        pass

    class Five(lib.Plain):  # type: ignore[misc, name-defined]
        def n(self) -> int:
            return 5

    return {
        "lib": lib, "q": Square(), "q2": Square(), "c": lib.Circle(), "s": lib.Shape(), "z": Zero(), "p": Five(),
    }  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_they_are_those_of_the_base(names: dict[str, Any], call: str) -> None:
    assert eval(call, names) is CALLS[call]
