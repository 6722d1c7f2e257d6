"""Operators of a class with overloads and templates of one name: C++ chooses among all of them."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = """
#include <string>
#include <vector>
struct Both {
  int t = 0;
  std::string operator+(double) const { return "double"; }
  template <class T> std::string operator+(T) const { return "T"; }
  std::string operator()(double) const { return "double"; }
  template <class T> std::string operator()(T) const { return "T"; }
  std::string operator[](double) const { return "double"; }
  template <class T> std::string operator[](T) const { return "T"; }
  bool operator==(double) const { return false; }
  template <class T> bool operator==(T) const { return true; }
  Both& operator+=(double) { t = 1; return *this; }
  template <class T> Both& operator+=(T) { t = 2; return *this; }
};
struct Derived : Both {};
struct Cells {
  int operator()(int i, int j) const { return i * 10 + j; }
  template <class T> int operator()(const std::vector<T>& v) const { return int(v.size()) + 100; }
  int operator[](int i) const { return i; }
  template <class T> int operator[](const std::vector<T>& v) const { return int(v.size()) + 100; }
};
"""
# What Python asks, and C++.
ROWS = [
    ("Both() + 1", "Both{} + 1"), ("Both() + 1.5", "Both{} + 1.5"), ("Both() + True", "Both{} + true"),
    ("Both()(1)", "Both{}(1)"), ("Both()(1.5)", "Both{}(1.5)"), ("Both()[1]", "Both{}[1]"),
    ("Both()[1.5]", "Both{}[1.5]"), ("Both() == 1", "Both{} == 1"), ("Both() == 1.5", "Both{} == 1.5"),
    ("added(Both(), 1)", "(Both{} += 1).t"), ("added(Both(), 1.5)", "(Both{} += 1.5).t"),
    ("Derived() + 1", "Derived{} + 1"), ("Derived() + 1.5", "Derived{} + 1.5"),
    ("Cells()(1, 2)", "Cells{}(1, 2)"), ("Cells()([1, 2])", "Cells{}(std::vector<int>{1, 2})"),
    ("Cells()[3]", "Cells{}[3]"), ("Cells()[[1, 2]]", "Cells{}[std::vector<int>{1, 2}]"),
]  # fmt: skip


def _added(object_: Any, value: Any) -> Any:
    object_ += value
    return object_.t


@pytest.fixture(scope="module")
def lib() -> Any:
    answers = "".join(f"auto answer{i}() {{ return {cxx}; }}\n" for i, (_, cxx) in enumerate(ROWS))
    return sb.compile(CODE + answers, name="beside_templates")


@pytest.mark.parametrize("row", range(len(ROWS)), ids=[ask for ask, _ in ROWS])
def test_cxx_chooses(lib: Any, row: int) -> None:
    names = {name: getattr(lib, name) for name in ("Both", "Derived", "Cells")}
    assert eval(ROWS[row][0], {**names, "added": _added}) == getattr(lib, f"answer{row}")()


def test_what_neither_takes_is_refused(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"operator\(\)"):
        lib.Cells()("text", "text")
