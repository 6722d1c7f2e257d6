"""Operators of enumerators are those that C++ finds: no ``int`` is converted to an enumeration for one."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

CODE = """
#include <type_traits>
enum Ue { U1 = 1, U2 = 2, U6 = 6 };
enum Pe { P1 = 1, P3 = 3 };
enum Small : unsigned char { S1 = 1, S200 = 200 };
enum Wide : unsigned { W1 = 1, W2 = 2 };
enum class Sc { A = 1, B = 2 };
inline int operator*(Ue, Ue) { return 50; }  inline int operator|(Ue, Ue) { return 70; }
inline bool operator<(Ue, Ue) { return false; }  inline int operator/(Ue, Ue) { return 80; }
inline int operator%(Ue, Pe) { return 90; }  inline int operator-(Ue, int) { return 10; }
inline int operator+(const Ue&, const Ue&) { return 11; }  inline bool operator>=(Ue, int) { return false; }
inline int operator+(Small, Small) { return 12; }  inline int operator~(Small) { return 13; }
inline int operator-(Wide, Wide) { return 14; }  inline bool operator<=(Wide, Wide) { return true; }
inline int operator+(Sc, int) { return 15; }  inline bool operator<(Sc, int) { return true; }
enum Lo { L1 = 1, L2 = 2 };  inline bool operator<(int, Lo) { return false; }
inline int operator-(const Lo&) { return 17; }
inline bool operator==(Ue, Pe) { return false; }  inline int operator&(int, Ue) { return 16; }
enum class Off { A = 1, B = 2 };  inline bool operator!(Off o) { return o == Off::A; }
enum Plain { X0 = 0, X1 = 1 };  inline bool operator!(const Plain& p) { return p == X0; }
enum Odd { O0 = 0, O1 = 1 };  inline bool operator!(Odd) { return true; }
enum class Of { A = 0, B = 1 };  enum class Not { A = 0, B = 1 };
template <class E> std::enable_if_t<std::is_same<E, Of>::value, bool> operator!(E e) { return e == E::B; }
namespace ns { enum class In { A = 1, B = 2 };  struct Answer { bool b; explicit operator bool() const { return b; } };
  inline Answer operator!(In i) { return {i == In::A}; } }
struct Box {  // C++ finds its friends by what lies in it
  enum E { a = 1, b = 2 };  enum class C { x = 1, y = 2 };  struct In { int i = 0; };
  friend int operator|(E, E) { return 20; }  friend bool operator<(E, E) { return false; }
  friend int operator+(E, int) { return 21; }  friend int operator*(int, E) { return 22; }
  friend int operator-(E) { return 23; }  friend bool operator==(E, E) { return false; }
  friend C operator|(C, C) { return C::y; }  friend int operator%(E, const Box&) { return 24; }
  friend bool operator!(C c) { return c == C::x; }  friend int operator&(In, In) { return 25; }
  friend bool operator>(const In&, const In&) { return true; }  friend int operator^(Ue, Ue) { return 26; }
  friend E& operator+=(E& e, int) { e = b; return e; }  friend int operator/(E, E) = delete; };
namespace ns { struct Outer { struct Mid { enum E { p = 1, q = 2 };  friend int operator-(E, E) { return 27; } };
  friend int operator-(Mid::E, int) { return 28; }  friend int operator+(Mid::E, Mid::E) { return 29; } }; }
"""
ROWS = [
    "U1 * 2", "U1 | 1", "U1 < 2", "U1 * U1", "U1 < U2", "U2 < U1", "U2 > U1", "U1 < 0", "U6 / 4", "U6 / U2",
    "U6 % P1", "U6 % 4", "U1 - 1", "U1 - U2", "U1 * P3", "P3 * U1", "P1 | U1", "U1 + U2", "U1 + 1", "U1 * true",
    "U6 / 4.0", "U1 >= 1", "U1 >= U2", "2 * U1", "2 < U1", "2 > U1", "1 | U2", "S200 + S200", "S200 + 100",
    "~S200", "W1 - W2", "W2 - 1", "W1 <= W2", "W1 <= 0", "Sc::A + 1", "Sc::A < 0", "Sc::A < Sc::A",
    "Sc::A < Sc::B", "U1 == P1", "U1 == 1", "3 & U2", "U6 & 3", "U6 & U2", "U1 < P1", "1 < L2", "2 > L1",
    "L2 > 1", "L1 < 2", "-L1", "2 - L1", "U1 - 1L", "U1 < 2L", "U1 < 2.5f", "!Off::A", "!Off::B", "!X0", "!X1",
    "Box::a | Box::b", "Box::a < Box::b", "Box::a + 5", "3 * Box::a", "Box::a * Box::a", "-Box::b", "Box::a == Box::a",
    "double(Box::C::x | Box::C::x)", "Box::a % Box()", "Box::a != Box::a", "!Box::C::x", "!Box::C::y",
    "Box::a & Box::b", "Box::In() & Box::In()", "Box::In() > Box::In()", "U6 ^ U1", "Box::a > Box::b",
    "ns::Outer::Mid::p - ns::Outer::Mid::q", "ns::Outer::Mid::q - 1", "ns::Outer::Mid::p + ns::Outer::Mid::q",
    "!Of::A", "!Of::B", "bool(!ns::In::A)", "bool(!ns::In::B)", "~U1", "L2 < 1",
]  # fmt: skip
STANDARDS = ("gnu++17", "gnu++20")


def _python(text: str) -> str:
    for cxx, python in (
        ("::", "."),
        ("true", "True"),
        ("double", "float"),
        ("1L", "np.int64(1)"),
        ("2L", "np.int64(2)"),
        ("2.5f", "np.float32(2.5)"),
    ):
        text = text.replace(cxx, python)
    return re.sub(r"!(?!=)", "not ", text)


@pytest.fixture(scope="module", params=STANDARDS)
def lib(request: Any) -> Any:
    answers = "".join(f"inline double answer{k}() {{ return {row}; }}\n" for k, row in enumerate(ROWS))
    return sb.compile(CODE + answers, name="enum_operators", std=request.param)


def _evaluated(lib: Any, text: str) -> Any:
    return eval(_python(text), {"np": np} | {name: getattr(lib, name) for name in dir(lib)})


@each("number, text", list(enumerate(ROWS)))
def test_the_operator_of_cxx_answers(lib: Any, number: int, text: str) -> None:
    assert _evaluated(lib, text) == getattr(lib, f"answer{number}")()


def test_the_type_that_an_enumeration_is_declared_with_decides(lib: Any) -> None:
    """Of an enumeration without a type ``W1 - 2`` would be -1."""
    assert lib.W1 - 2 == 4294967295
    assert lib.W1 <= -1


def test_operators_of_the_class_around(lib: Any) -> None:
    box = lib.Box
    changed = box.a
    changed += 5
    assert changed is box.b
    for compute in (lambda: box.a / box.b, lambda: box.In() | box.In()):
        with pytest.raises(TypeError, match=r"operator/.*deleted|unsupported"):
            compute()


def test_a_not_that_contradicts_the_number_is_refused(lib: Any) -> None:
    assert not lib.O0
    with pytest.raises(sb.ArgumentError, match="operator!"):
        operator.not_(lib.O1)
    assert (not lib.Not.B, not lib.Not.A) == (False, True)
