"""Operators of a class with overloads and templates of one name: C++ chooses among all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
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
template <class T> struct V {
  T x;
  V(T a = 0) : x(a) {}
  template <class U> V(const V<U>& o) : x(T(o.x)) {}
};
inline int operator*(const V<int>&, const V<int>&) { return 1; }
template <class T, class U> int operator*(const V<T>&, const V<U>&) { return 2; }
template <class T> int operator*(const V<T>&, T) { return 3; }
template <class T> int operator*(double, const V<T>&) { return 4; }
inline bool operator<(const V<int>&, const V<int>&) { return true; }
template <class T, class U> bool operator<(const V<T>&, const V<U>&) { return false; }
struct Base { int b = 1; };
struct VirtualBase { virtual ~VirtualBase() {} };
template <class T> struct X : Base { T t; X(T x = 0) : t(x) {} };
template <class T> struct Y : VirtualBase { T t; Y(T x = 0) : t(x) {} };
inline bool operator==(const Base&, const Base&) { return true; }
template <class T> bool operator==(const X<T>&, const X<T>&) { return false; }
inline bool operator==(const VirtualBase&, const VirtualBase&) { return true; }
template <class T> bool operator==(const Y<T>&, const Y<T>&) { return false; }
inline int operator-(const Base&) { return 1; }
template <class T> int operator-(const X<T>&) { return 2; }
struct Texts {
  template <class T> int operator()(T) const { return 1; } int operator()(const char*) const { return 2; }
  template <class T> int operator[](const T&) const { return 1; } int operator[](const char*) const { return 2; }
  template <class T> int operator+(T) const { return 1; } int operator+(const char*) const { return 2; }
};
template <class T> struct Number {
  T v = 3;
  operator T() const { return v; }
  friend int operator*(Number a, T b) { return a.v * 1000 + b; }
  friend bool operator<(Number a, T b) { return a.v > b; }
};
template <class T> struct Member { T v = 3; operator T() const { return v; }
  int operator*(T b) const { return v * 1000 + b; } };
using NI = Number<int>; using ND = Number<double>; using MD = Member<double>;
using VI = V<int>; using VD = V<double>; using XI = X<int>; using YI = Y<int>;
"""
# What Python asks, and C++.
ROWS = [
    ("Both() + 1", "Both{} + 1"), ("Both() + 1.5", "Both{} + 1.5"), ("Both() + True", "Both{} + true"),
    ("Both()(1)", "Both{}(1)"), ("Both()(1.5)", "Both{}(1.5)"), ("Both()[1]", "Both{}[1]"),
    ("Both()[1.5]", "Both{}[1.5]"), ("Both() == 1", "Both{} == 1"), ("Both() == 1.5", "Both{} == 1.5"),
    ("added(Both(), 1)", "(Both{} += 1).t"), ("added(Both(), 1.5)", "(Both{} += 1.5).t"),
    ("Derived() + 1", "Derived{} + 1"), ("Derived() + 1.5", "Derived{} + 1.5"),
    ("Cells()(1, 2)", "Cells{}(1, 2)"), ("Cells()([1, 2])", "Cells{}(std::vector<int>{1, 2})"),
    ("VI(1) * VI(2)", "VI(1) * VI(2)"), ("VI(1) * VD(2)", "VI(1) * VD(2)"), ("VD(1) * VI(2)", "VD(1) * VI(2)"),
    ("VI(1) * 3", "VI(1) * 3"), ("1.5 * VI(1)", "1.5 * VI(1)"), ("VI(1) < VD(2)", "VI(1) < VD(2)"),
    ("VI(1) < VI(2)", "VI(1) < VI(2)"), ("XI() == XI()", "XI{} == XI{}"), ("YI() == YI()", "YI{} == YI{}"),
    ("-XI()", "-XI{}"), ("XI() == Base()", "XI{} == Base{}"),
    ("Texts()('x')", 'Texts{}("x")'), ("Texts()['x']", 'Texts{}["x"]'), ("Texts() + 'x'", 'Texts{} + "x"'),
    ("Texts()(1)", "Texts{}(1)"), ("NI() * 2", "NI{} * 2"),
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
    names = {name: getattr(lib, name) for name in dir(lib) if name[0].isupper()}
    assert eval(ROWS[row][0], {**names, "added": _added}) == getattr(lib, f"answer{row}")()


@pytest.mark.parametrize(
    "asked", ["NI() * 1.5", "NI() < 1.5", "NI() < 3.5", "ND() * 2", "ND() * np.float32(1.5)"]
)
def test_no_built_in_operator_answers_for_what_iso_cxx_finds_ambiguous(lib: Any, asked: str) -> None:
    """GCC takes the friend, by a conversion that a call refuses or not, and only warns."""
    with pytest.raises(sb.ArgumentError, match=r"is ambiguous.*Convert an operand"):
        eval(asked, {"NI": lib.NI, "ND": lib.ND, "np": np})
    assert lib.MD() * 2 == 3002  # as GCC has it


def test_what_neither_takes_is_refused(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"operator\(\)"):
        lib.Cells()("text", "text")
