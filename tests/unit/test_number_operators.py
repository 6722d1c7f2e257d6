"""Operators of objects that C++ converts to numbers by itself: every pair of operands, as g++ computes it."""

from __future__ import annotations

import json
import operator
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.values.later_type import LATER

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#pragma once
struct Int { int v = 5; operator int() const { return v; } };
class Object {
  int v;
 public:
  explicit Object(int n = -7) : v(n) {}
  ~Object() {}
  operator int() { return v; }
  operator int() const { return v; }
};
struct Wide { long v = -3000000000; operator long() const { return v; } };
struct Unsigned { unsigned v = 3; operator unsigned() const { return v; } };
struct UnsignedWide { unsigned long v = 1ul << 63; operator unsigned long() const { return v; } };
struct Short { short v = -300; operator short() const { return v; } };
struct Byte { unsigned char v = 200; operator unsigned char() const { return v; } };
struct Letter { char v = 'A'; operator char() const { return v; } };
struct Truth { bool v = true; operator bool() const { return v; } };
struct Single { float v = 0.1f; operator float() const { return v; } };
struct Double { double v = 2.5; operator double() const { return v; } };
struct Reference { int v = 4; operator int&() { return v; } operator const int&() const { return v; } };
struct Derived : Int {};
struct Explicit { int v = 5; explicit operator int() const { return v; } };
struct Two { int v = 5; operator int() const { return v; } operator double() const { return v; } };
struct TwoBases : Int, Double {};
enum class Level { low, high };
struct Scoped { Level v = Level::high; operator Level() const { return v; } };
struct Own {
  int v = 5;
  operator int() const { return v; }
  Own operator+(const Own& o) const { return {v + o.v + 100}; }
  bool operator<(const Own& o) const { return v > o.v; }
  Own operator-() const { return {1000}; }
};
struct Free { int v = 6; operator int() const { return v; } };
inline int operator+(const Free& a, const Free& b) { return 1000 + a.v + b.v; }
inline int operator*(int n, const Free& a) { return 2000 + n + a.v; }
inline bool operator<(int n, const Free& a) { return true; }
"""
CLASSES = (
    "Int", "Object", "Wide", "Unsigned", "UnsignedWide", "Short", "Byte", "Letter", "Truth", "Single", "Double",
    "Reference", "Derived", "Explicit", "Two", "TwoBases", "Scoped", "Own", "Free",
)  # fmt: skip
# What Python has, and the same in C++.
NUMBERS = [
    ("1", "1"), ("-2", "-2"), ("7", "7"), ("3000000000", "3000000000"), ("1.5", "1.5"), ("True", "true"),
    ("np.int16(-3)", "short(-3)"), ("np.uint32(9)", "9u"), ("np.float32(0.3)", "0.3f"), ("np.int64(11)", "11l"),
]  # fmt: skip
SIGNS: dict[str, Any] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
UNARY: dict[str, Any] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}

PROGRAM = r"""
#include "classes.hpp"
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <utility>
inline void show(bool v) { std::puts(v ? "true" : "false"); }
template <class T> std::enable_if_t<std::is_integral<T>::value> show(T v) {
  if (std::is_signed<T>::value) std::printf("%lld\n", (long long)v);
  else std::printf("%llu\n", (unsigned long long)v);
}
template <class T> std::enable_if_t<std::is_floating_point<T>::value> show(T v) {
  if (std::isfinite(v)) std::printf("%.17e\n", double(v));
  else std::puts(v > 0 ? "Infinity" : v < 0 ? "-Infinity" : "NaN");
}
inline void show(const Own& v) { std::printf("[%d]\n", v.v); }
template <class T> struct same { using type = T; };
#define OPERATOR(name, sign) \
  template <class A, class B> auto name(const A& a, const B& b, int) -> decltype(void(a sign b)) { show(a sign b); } \
  template <class A, class B> void name(const A&, const B&, long) { std::puts("null"); }
#define PREFIX(name, sign) \
  template <class A> auto name(const A& a, int) -> decltype(void(sign a)) { show(sign a); } \
  template <class A> void name(const A&, long) { std::puts("null"); }
"""


def _rows() -> list[tuple[str, str, str]]:
    """Every sign with its operands as Python writes them."""
    objects = [f"lib.{name}()" for name in CLASSES]
    numbers = [python for python, _ in NUMBERS]
    pairs = [(a, b) for a in objects for b in [*objects, *numbers]] + [
        (a, b) for a in numbers for b in objects
    ]
    return [(sign, a, b) for sign in SIGNS for a, b in pairs] + [
        (sign, a, "") for sign in UNARY for a in objects
    ]


def _cxx(text: str) -> str:
    return dict(NUMBERS).get(text, f"{text.removeprefix('lib.')[:-2]}{{}}")


def _answers(folder: Path, rows: list[tuple[str, str, str]]) -> list[Any]:
    """What g++ makes of the rows: a value, or None of what is ill-formed; what traps or is undefined is not asked."""
    binary = [f"OPERATOR(f{i}, {sign})" for i, sign in enumerate(SIGNS)]
    prefix = [f"PREFIX(u{i}, {sign})" for i, sign in enumerate(UNARY)]
    places = {sign: i for i, sign in enumerate(SIGNS)}, {sign: i for i, sign in enumerate(UNARY)}
    calls = [
        f"f{places[0][sign]}({_cxx(a)}, {_cxx(b)}, 0);" if b else f"u{places[1][sign]}({_cxx(a)}, 0);"
        for sign, a, b in rows
    ]
    (folder / "classes.hpp").write_text(SOURCE)
    lines = [PROGRAM, *binary, *prefix, "int main() {", *calls, "}"]
    (folder / "main.cpp").write_text("\n".join(lines))
    command = ["g++", "-std=gnu++17", "-O0", "-w", "-o", "main", "main.cpp"]
    subprocess.run(command, cwd=folder, check=True)
    output = subprocess.run([folder / "main"], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="number_operators")


def _ask(lib: Any, sign: str, a: str, b: str) -> Any:
    names = {"lib": lib, "np": np}
    operands = [eval(text, names) for text in (a, b) if text]
    try:
        answer = (SIGNS if b else UNARY)[sign](*operands)
    except TypeError:
        return None
    except sb.RangeError:
        return sb.RangeError
    return [answer.v] if isinstance(answer, lib.Own) else answer


# g++ finds these, whichever the conversion that they use; others are refused with words only where it finds nothing.
_SEVERAL = ("Two", "Own", "Free", "Scoped")


def _is_wrong(lib: Any, row: tuple[str, str, str], python: Any, cxx: Any) -> bool:
    """Whether an answer is another than C++'s, or one is missing, or there is one that C++ has not."""
    chosen = any(name in part for name in _SEVERAL for part in row[1:])
    if python is sb.RangeError and cxx is not None:
        return not _is_undefined(lib, row, cxx)
    if python is None:
        return cxx is not None and not chosen
    if cxx is None:
        return (
            "Free" not in f"{row[1]}{row[2]}"
        )  # ambiguous in C++: by the class's own, or by the built-in one
    return type(python) is not type(cxx) or repr(python) != repr(cxx)


def _is_undefined(lib: Any, row: tuple[str, str, str], cxx: Any) -> bool:
    """Whether g++'s answer is one to an undefined question: a shift too far, or what an integer does not hold."""
    sign, *texts = row
    values = [eval(text, {"lib": lib, "np": np}) for text in texts if text]
    operands = [bool(v) if isinstance(v, lib.Truth) else int(v) for v in values]
    if sign in ("<<", ">>"):
        return not 0 <= operands[1] < 32
    return bool((SIGNS if len(operands) == 2 else UNARY)[sign](*operands) != cxx)


def test_every_operator_is_that_of_cxx(lib: Any, tmp_path: Path) -> None:
    rows = _rows()
    answers = _answers(tmp_path, rows)
    asked = [_ask(lib, *row) for row in rows]
    assert len(answers) == len(rows) > 10_000
    wrong = [
        (row, python, cxx)
        for row, python, cxx in zip(rows, asked, answers, strict=True)
        if _is_wrong(lib, row, python, cxx)
    ]
    assert not wrong, f"{len(wrong)} of {len(rows)}: {wrong[:20]}"
    refused = [
        row
        for row, python, cxx in zip(rows, asked, answers, strict=True)
        if python is None and cxx is not None
    ]
    assert len(refused) <= 545


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda lib: lib.Int(2**31 - 1) + 1, sb.RangeError, r"gives 2147483648, which C\+\+'s int32 does not hold"),
        (lambda lib: -lib.Int(-(2**31)), sb.RangeError, "gives 2147483648"),
        (lambda lib: lib.Int(-(2**31)) % -1, sb.RangeError, "gives 2147483648"),
        (lambda lib: lib.Int() / 0, ZeroDivisionError, "by zero is undefined in C"),
        (lambda lib: lib.Int() << 32, sb.RangeError, "operator<< by 32 is undefined"),
        (lambda lib: lib.Int() + 2**64, sb.RangeError, "no integer that holds"),
        (lambda lib: lib.Two() + 1, TypeError, r"several conversions.*operator int\(\) const.*write int\(x\)"),
        (lambda lib: lib.Double() % 2, TypeError, r"no operator% of float64"),
        (lambda lib: lib.Int() + "1", TypeError, "unsupported operand"),
        (lambda lib: lib.Explicit() + 1, TypeError, "unsupported operand"),
        (lambda lib: operator.iadd(lib.Int(), 1), TypeError, r"no operator\+= of a Int.*write x = x \+ y"),
    ],
)  # fmt: skip
def test_what_cxx_leaves_undefined_is_refused(lib: Any, use: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        use(lib)


def test_unsigned_numbers_are_equal_as_in_cxx(lib: Any) -> None:
    assert lib.Unsigned(2**32 - 1) == -1  # C++ compares them as unsigned numbers
    assert lib.UnsignedWide(2**64 - 1) == lib.Int(-1)
    assert lib.Int(3) != 2**70
    assert lib.Double(1.0) / 0 == float("inf")


ELSEWHERE = """
#pragma once
namespace h {
struct Plain { int v; operator int() const { return v; } };
class Object { int v; public: Object(int n) : v(n) {} ~Object() {} operator double() const { return v; } };
}
"""
USED = """
#include "elsewhere.hpp"
inline h::Plain plain(int v) { return {v}; }
inline h::Object object(int v) { return h::Object(v); }
"""
USES = [
    lambda x: x + 1, lambda x: 2 * x, lambda x: x < 7, lambda x: operator.gt(7, x), lambda x: x == 3,
    lambda x: x != 3, int, float,
]  # fmt: skip


def test_classes_of_headers_that_are_not_exposed_say_so(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.hpp").write_text(ELSEWHERE)
    hidden = sb.compile(USED, include_dirs=tmp_path)
    shown = sb.compile(USED, include_dirs=tmp_path, expose=["h::Plain", "h::Object"])
    for make in ("plain", "object"):
        for use in USES:
            with pytest.raises(TypeError, match=r"elsewhere\.hpp is not exposed: expose="):
                use(getattr(hidden, make)(3))
            assert use(getattr(shown, make)(3)) == use(3)
    assert hidden.plain(3) == hidden.plain(3)
    assert hidden.object(3) != hidden.object(4)
    assert [bool(make(v)) for make in (hidden.plain, hidden.object) for v in (0, 3)] == [False, True] * 2


BY_A_CLASS = """
class Money { double v; public: explicit Money(double x) : v(x) {} ~Money() {} double get() const { return v; } };
inline Money operator+(const Money& a, const Money& b) { return Money(a.get() + b.get()); }
inline bool operator<(const Money& a, const Money& b) { return a.get() < b.get(); }
struct Coin { int v; operator Money() const { return Money(v * 10); } };
"""


def test_the_left_operand_becomes_an_object_of_the_rights_class() -> None:
    lib = sb.compile(BY_A_CLASS, name="coins")
    assert (lib.Coin(2) + lib.Money(1)).get() == (lib.Money(1) + lib.Coin(2)).get() == 21
    assert (lib.Coin(2) < lib.Money(1), lib.Coin(0) < lib.Money(1)) == (False, True)


@pytest.mark.parametrize("count", [40, 0], ids=["many in the header", "one of a call"])
def test_classes_whose_members_wait_are_not_bound_for_it(count: int) -> None:
    """So many classes of a header have their members with their first use, which builds a library."""
    made = "".join(f"inline Num<{i}> make{i}() {{ return {{{i}}}; }}\n" for i in range(count))
    lib = sb.compile(
        "template <int N> struct Num { int v; operator int() const { return v; } };\n"
        f"{made}template <int N> Num<N> make(int v) {{ return {{v}}; }}\n"
    )
    number = lib.make7() if count else lib.make[7](7)
    assert LATER in vars(type(number))
    assert (number + 1, 1 - number, number < 8, number == 7) == (8, -6, True, True)
    assert LATER not in vars(type(number))
    assert all(LATER in vars(cls) for name, cls in lib.__records__.items() if cls is not type(number))
