"""A free operator answers where C++ looks for it: in the namespaces of the operands' classes, and in the global one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

CODE = """
#include <utility>
namespace a {
  inline namespace v1 { struct X { int v = 1; };  enum class E { A = 1 };  enum U { U1 = 1 }; }
  struct Y { int v = 1;  struct N { int w = 1; }; };
  inline int operator+(X, X) { return 1; }  inline int operator-(const Y::N&, int) { return 2; }
  namespace in { struct Z { int v = 1; };  inline int operator%(Z, Z) { return 12; } }
  inline int operator*(in::Z, int) { return 3; }
  struct W { int v = 1;  friend int operator~(W) { return 13; } };
  template <class T> struct Box { T t; };
}
namespace b {
  struct M { int v; M(int v = 0) : v(v) {} };  struct D : a::Y { int w = 1; };  struct F : a::Y {};
  inline int operator*(a::X, a::X) { return 4; }  inline int operator%(const a::Y&, const a::Y&) { return 5; }
  inline int operator-(a::W, M) { return 6; }  inline int operator+(M, a::W) { return 14; }
  inline int operator&(const a::Box<M>&, int) { return 7; }  inline int operator^(a::E, int) { return 8; }
  inline int operator|(a::W, a::W) { return 9; }  inline bool operator<(a::X, a::X) { return true; }
  inline int operator-(const a::X&) { return 15; }  inline int operator/(const a::X&, int) { return 16; }
  inline a::X& operator+=(a::X& x, int) { return x; }  inline bool operator!(a::E) { return true; }
  inline int operator*(a::U, int) { return 17; }  inline bool operator>(const a::Y&, int) { return true; }
  namespace deep { inline int operator+(M, int) { return 18; } }
}
inline int operator/(const a::X&, double) { return 19; }
namespace a { using b::operator|; }
namespace c { inline int operator<<(a::W, int) { return 10; } }  using namespace c;
namespace d { inline int operator>>(a::W, int) { return 11; } }  using d::operator>>;
namespace t { template <class T> int operator*(const a::Box<T>&, const a::Box<T>&) { return 20; } }
using Boxed = a::Box<b::M>;  using Whole = a::Box<int>;
"""
# The same in Python and in C++.
ROWS = [
    "a::X() + a::X()", "a::Y::N() - 1", "a::in::Z() % a::in::Z()", "a::W() - b::M(1)", "b::M(1) + a::W()",
    "Boxed() & 1", "b::D() % b::D()", "b::D() % a::Y()", "a::Y() % b::D()", "b::F() % b::D()", "b::D() > 1",
    "a::W() | a::W()", "a::W() << 1", "a::W() >> 1", "a::X() / 1", "a::X() / 1.5", "~a::W()", "a::U1 * 2",
]  # fmt: skip
# C++ finds none.
NONE = [
    "a::in::Z() * 2", "a::X() * a::X()", "a::Y() % a::Y()", "a::W() - 1", "Whole() & 1", "a::X() < a::X()",
    "a::X() > a::X()", "a::Y() > 1", "b::M(1) + 1", "Whole() * Whole()", "1 + a::W()",
]  # fmt: skip
STANDARDS = ("gnu++17", "gnu++20")
HAS = """
template <class S, class T> auto has{0}(int) -> decltype(void(std::declval<S&>() {1} std::declval<T&>()), 1) {{
  return 1;
}}
template <class, class> int has{0}(...) {{ return 0; }}
inline int answer_of_none{0}() {{ using namespace std;  return has{0}<decltype({2}), decltype({3})>(0); }}
"""


def _python(text: str) -> str:
    return text.replace("a::in::", "a.in_.").replace("::", ".")


@pytest.fixture(scope="module", params=STANDARDS)
def lib(request: Any) -> Any:
    answers = "".join(f"inline double answer{k}() {{ return {row}; }}\n" for k, row in enumerate(ROWS))
    for k, row in enumerate(NONE):
        left, sign, right = row.split()
        answers += HAS.format(k, sign, left, right)
    return sb.compile(CODE + answers, name="operators_of_namespaces", std=request.param)


def _evaluated(lib: Any, text: str) -> Any:
    return eval(_python(text), {name: getattr(lib, name) for name in ("a", "b", "Boxed", "Whole")})


@each("number, text", list(enumerate(ROWS)))
def test_the_operator_of_cxx_answers(lib: Any, number: int, text: str) -> None:
    assert _evaluated(lib, text) == getattr(lib, f"answer{number}")()


@each("number, text", list(enumerate(NONE)))
def test_one_that_cxx_does_not_find_is_refused(lib: Any, number: int, text: str) -> None:
    assert not getattr(lib, f"answer_of_none{number}")()
    with pytest.raises((TypeError, sb.ArgumentError)):
        _evaluated(lib, text)


def test_signs_of_one_operand_and_in_place_ones_are_not_found_either(lib: Any) -> None:
    with pytest.raises(TypeError):
        -lib.a.X()
    x = lib.a.X()
    with pytest.raises(TypeError):
        x += 1
    assert lib.a.E.A
    assert lib.a.E.A ^ 1 == 0  # a number of Python's
