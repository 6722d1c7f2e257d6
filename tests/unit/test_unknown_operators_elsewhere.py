"""Operators that are templates, deleted or not bound are no matter to a class that they do not take."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

CODE = """
struct B { int v; bool operator==(int x) const { return v == x; } };
inline bool operator>(const B&, int) { return true; }  inline bool operator<(int, const B&) { return false; }
enum Ue { U1 = 1 };  inline int operator*(Ue, Ue) { return 50; }
struct F { int v; bool operator==(const F&) = delete; int operator*(F) const = delete; };
struct G { int v; };  bool operator==(const G&, const G&) = delete;  bool operator>(G, long double);
struct H { int v; template <class T> bool operator<(const T&) const { return true; } };
template <class T> struct Box { T t; friend bool operator==(const Box&, const Box&) { return true; }
  friend int operator*(Box, int) { return 60; } };
struct K { int v; bool operator==(const K&) const { return true; } private: bool operator<(const K&) const; };
namespace ns { struct L { int v; }; inline int operator,(const L&, int) { return 70; }
  inline int operator!(L) { return 0; } }
using Boxed = Box<int>;  inline Boxed boxed() { return {1}; }
"""


@pytest.fixture(scope="module", params=("gnu++17", "gnu++20"))
def lib(request: Any) -> Any:
    return sb.compile(CODE, name="unknown_operators_elsewhere", std=request.param)


@each(
    "text, answer",
    [
        ("B(1) > 3", True), ("3 < B(1)", False), ("B(1) == 1", True), ("U1 * 2", 2), ("U1 * U1", 50),
        ("boxed() == boxed()", True), ("boxed() * 2", 60), ("H(1) < B(1)", True), ("K(1) == K(2)", True),
    ],
)  # fmt: skip
def test_the_operator_of_cxx_answers(lib: Any, text: str, answer: Any) -> None:
    assert eval(text, {name: getattr(lib, name) for name in dir(lib)}) == answer


@each("text", ["G(1) > 3", "K(1) < K(2)", "F(1) * F(1)", "B(1) * 2"])
def test_what_is_not_bound_is_refused(lib: Any, text: str) -> None:
    with pytest.raises((TypeError, sb.ArgumentError)):
        eval(text, {name: getattr(lib, name) for name in dir(lib)})


def test_a_free_operator_that_python_lacks_is_the_librarys(lib: Any) -> None:
    one = lib.ns.L(1)
    assert getattr(lib.ns, "operator,")(one, 1) == 70
    for name in ("operator,", "operator!"):
        with pytest.raises(AttributeError, match=f"no member of 'ns::L': getattr.lib.ns, '{name}'."):
            getattr(one, name)
