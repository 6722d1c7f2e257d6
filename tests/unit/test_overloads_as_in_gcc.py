"""What calls of overloads mean to g++: of using-declarations, of deleted ones, for temporaries, for enumerations."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers
from ..tables import each

pytestmark = pytest.mark.full  # each instantiation is a build

CODE = """
struct A { int h(int) const { return 1; } int h(double) const { return 11; } int operator+(int) const { return 1; }
  int operator-(int) const { return 1; } int operator-(double) const { return 3; }
  int operator()(int) const { return 1; } int operator()(double) const { return 3; }
  static int s(int) { return 1; } static int s(double) { return 3; } };
struct B { int h(int) const { return 2; } int operator+(int) const { return 2; } int operator-(int) const { return 2; }
  int operator()(int) const { return 2; } static int s(int) { return 2; } };
struct C : A, B { using A::h; using B::h; using A::operator+; using B::operator+; using A::operator-;
  using B::operator-; using A::operator(); using B::operator(); using A::s; using B::s; };
struct D : C {};
struct A1 { A1(int) {} A1(long) {} A1(const char*) {} };
struct B1 { B1() {} B1(int) {} };
struct C1 : A1, B1 { using A1::A1; using B1::B1; };
inline int c1(const C1&) { return 1; }
namespace a { template <class T> int u(T) { return 1; } template <class T> int v(const T&) { return 1; }
  inline int w(int) { return 1; } }
namespace b { template <class T> int u(T) { return 2; } template <class T> int v(T&&) { return 2; }
  template <class T> int w(T) { return 2; } }
namespace m { using a::u; using b::u; using a::v; using b::v; using a::w; using b::w; }

int d1(int&&) = delete;
template <class T> int d1(const T&) { return 1; }
template <class T> int d2(T, long) { return 1; }
inline int d2(long, int) { return 2; }
struct S {
  int m(int&&) const = delete;
  template <class T> int m(const T&) const { return 1; }
  template <class T> int operator()(const T&) const { return 1; }
  int operator()(int&&) const = delete;
};
struct S1 { template <class T> S1(const T&) : n(1) {} S1(int&&) = delete; S1(double) : n(2) {} int n; };
struct S2 { template <class T> S2(T) = delete; S2(double) : n(2) {} int n; };
struct S3 { template <class T> S3(T) : n(1) {} S3(double) : n(2) {} int n; };
inline int s1(const S1& s) { return s.n; }
inline int s2(const S2& s) { return s.n; }
inline int s3(const S3& s) { return s.n; }
template <class T> int e1(T&) { return 1; }
inline int e1(const S3&) { return 2; }
inline S3 made{1.5};
inline const S3& constant() { return made; }

inline int r1(double) { return 1; }
inline int r1(double&&) { return 2; }
inline int r2(const double&) { return 1; }
inline int r2(double&&) { return 2; }
inline int r3(int) { return 1; }
inline int r3(int&&) { return 2; }
inline int r4(const int&) { return 1; }
inline int r4(int&&) { return 2; }
inline int r5(float) { return 1; }
inline int r5(int) { return 2; }
inline int r6(const short&&) { return 1; }
inline int r6(short&&) { return 2; }
inline int r7(const long&&) { return 1; }
inline int r7(long long&&) { return 2; }
inline int r8(const S2&) { return 1; }
inline int r8(S2&&) { return 2; }
inline int r9(S2) { return 1; }
inline int r9(S2&&) { return 2; }
struct P { int* w; const P& operator=(int) const { *w = 1; return *this; }
  const P& operator=(double) const { *w = 2; return *this; } };
struct X { int w = 0; P operator[](int) { return P{&w}; } };
inline int r10(int, int) { return 1; }
inline int r10(int, double) { return 2; }
struct L { operator long long() const { return 1; } };
inline int r11(long) { return 1; }
inline int r11(long long) { return 2; }
enum F : short { f = 1 };
struct N { operator F() const { return f; } operator unsigned() const { return 1; } };
inline int r12(unsigned char) { return 1; }
inline int r12(const char*) { return 2; }
"""

i32, i64, u32, f32 = np.int32(3), np.int64(3), np.uint32(3), np.float32(1.5)
# In C++, and in Python where that is written otherwise: methods of objects, and what one name of NumPy's stands for.
ROWS = (
    *(f"{c}().h({v})" for c in "CD" for v in ("3", "1.5")), *(f"{c}() + 3" for c in "CD"),
    *(f"{c}() - {v}" for c in "CD" for v in ("3", "1.5")), "C()(3)", "C()(1.5)", "C::s(3)", "C::s(1.5)",
    "c1(i32)", "c1(i64)", "m::u(3)", "m::v(3)", "m::w(3)", "m::w(1.5)",
    *(f"d1({v})" for v in ("3", "1.5", "i32", "i64")), "d2(i32, i32)", "d2(i32, i64)",
    "S().m(3)", "S().m(1.5)", "S()(3)", "S()(1.5)", "e1(made)", "e1(constant())",
    *(f"{s}({v})" for s in ("s1", "s2", "s3") for v in ("3", "1.5", "i64", "f32")),
    *(f"r{n}({v})" for n in range(1, 10) for v in ("3", "1.5", "i32", "i64", "f32")),
    *(f"r10(0, {v})" for v in ("3", "1.5", "i32", "i64", "u32", "f32")), "r11(L())", "r12(N())",
    *(f"[&] {{ X x; x[0] = {v}; return x.w; }}()" for v in ("3", "1.5", "i32", "i64", "u32", "f32")),
)  # fmt: skip
# What has no size, and goes to the number that holds it (docs/howto/overloads.md).
OWN = {"r7(3)", "r5(1.5)"}  # Python's numbers have no size


def _assigned(lib: Any, value: Any) -> int:
    x = lib.X()
    x[0] = value
    return int(x.w)


def _in_python(lib: Any, text: str) -> str:
    names = {
        "np": np,
        "i32": i32,
        "i64": i64,
        "u32": u32,
        "f32": f32,
        "assigned": lambda v: _assigned(lib, v),
    }
    if "x[0] =" in text:
        text = f"assigned({text.partition('= ')[2].partition(';')[0]})"
    names |= {name: getattr(lib, name) for name in dir(lib) if not name.startswith("_")}
    try:
        return str(eval(text.replace("::", "."), names))
    except (sb.Error, TypeError, AttributeError) as error:
        return str(error)


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning):  # of what using-declarations make ambiguous
        return sb.compile(CODE, std="gnu++20", name="overloads_as_in_gcc")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    values = "int i32_{3}; long i64_{3}; unsigned u32_{3}; float f32_{1.5};"
    texts = [re.sub(r"\b([iu]\d\d|f32)\b", r"(decltype(\1_))\1_", text) for text in ROWS]  # temporaries
    statements = [f'{{ {values} std::printf("%d\\n", {text}); }}' for text in texts]
    found = answers(CODE, statements, "gnu++20", tmp_path_factory.mktemp("gcc"))
    return dict(zip(ROWS, found, strict=True))


@each("text", list(ROWS))
def test_a_call_means_what_it_does_to_gcc(lib: Any, expected: dict[str, str], text: str) -> None:
    python = _in_python(lib, text)
    if text in OWN:
        assert python.isdecimal()
    elif python != expected[text]:
        assert not python.isdecimal()
        # What loses something samebytes refuses to convert.
        assert expected[text] == REFUSED or "expected" in python
