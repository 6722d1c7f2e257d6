"""``==`` by what C++ converts operands to: as g++ has it, or refused; unequal only where it has no operator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # g++ compiles each program twice

CODE = r"""
inline int& said() { static int n = 0; return n; }
inline int last() { return said(); }
inline void reset() { said() = 0; }
enum E { e0, e1 }; enum class S { s0, s1 };
#define GIVES(N, TYPE, VALUE) operator TYPE() const { said() = N; return VALUE; }
struct IntE { GIVES(1, int, 1) GIVES(2, E, e1) };
struct IntDouble { GIVES(1, int, 1) GIVES(2, double, 1) };
struct BothE { GIVES(1, E, e1) GIVES(2, S, S::s1) };
struct BoolS { GIVES(1, bool, true) GIVES(2, S, S::s1) };
struct OnlyS { GIVES(1, S, S::s1) };
struct OnlyE { GIVES(1, E, e1) };
struct Added : OnlyE { GIVES(2, int, 1) };
struct Member { int n = 3; bool operator==(const Member& o) const { said() = 10; return n == o.n; } };
struct Free { int n = 3; };
inline bool operator==(const Free& a, const Free& b) { said() = 11; return a.n == b.n; }
struct Gives { Member m; Free f;
  operator const Member&() const { return m; } operator const Free&() const { return f; } };
struct Derived : Gives { int x = 1; };
struct Virtual : virtual Gives { int x = 1; Virtual() {} };
struct Hidden : private Gives { int x = 1; };
#define MADE(NAME, N, TYPE) struct NAME { TYPE n; NAME(TYPE v = 2) : n(v) {} \
  bool operator==(const NAME& o) const { said() = N; return n == o.n; } }
MADE(OfInt, 20, int);
MADE(OfDouble, 21, double);
MADE(OfByte, 22, unsigned char);
struct OfBoth {
  double n;
  OfBoth(int v = 2) : n(v) {}
  OfBoth(double v) : n(v) {}
  friend bool operator==(const OfBoth& a, const OfBoth& b) { said() = 23; return a.n == b.n; }
};
struct Explicit { int n = 2;
  explicit Explicit(int v = 2) : n(v) {} bool operator==(const Explicit& o) const { return true; } };
"""
NUMBERS = {
    "e1": lambda lib: lib.e1, "S::s1": lambda lib: lib.S.s1, "1": lambda lib: 1, "2": lambda lib: 2,
    "2.0": lambda lib: 2.0, "2.5": lambda lib: 2.5, "true": lambda lib: True, "2.0f": lambda lib: np.float32(2),
    "2L": lambda lib: np.int64(2), "300": lambda lib: 300,
}  # fmt: skip
GIVING = ["IntE", "IntDouble", "BothE", "BoolS", "OnlyS", "OnlyE", "Added"]
OBJECTS = ["Gives", "Derived", "Virtual", "Hidden", "Member", "Free"]
MAKING = ["OfInt", "OfDouble", "OfByte", "OfBoth", "Explicit"]
ROWS = [(a, b) for a in (*GIVING, *MAKING) for b in NUMBERS]
ROWS += [(a, b) for group in (GIVING, OBJECTS) for a in group for b in group]
# Each conversion is as good to C++, which Python says, too.
AMBIGUOUS = [("IntDouble", b) for b in ("e1", "1", "2.0", "true")] + [
    ("IntDouble", "IntDouble"),
    ("IntE", "IntE"),
]
BY_VALUE = {
    ("OfInt", "2.5"),
    ("OfByte", "2.5"),
    ("OfByte", "300"),
}  # as of parameters that are numbers: unequal


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
def test_what_cxx_converts_is_compared_as_in_gcc(std: str, tmp_path: Path) -> None:
    lib = sb.compile(CODE, std=std, nogil=False)

    def made(text: str) -> Any:
        return NUMBERS[text](lib) if text in NUMBERS else getattr(lib, text)()

    def statement(a: str, b: str) -> str:
        right = b if b in NUMBERS else f"{b}()"
        return f'{{ reset(); bool v = {a}() == {right}; std::printf("%d %d\\n", last(), v); }}'

    wrong, right = [], 0
    for row, expected in zip(ROWS, answers(CODE, [statement(*r) for r in ROWS], std, tmp_path), strict=True):
        lib.reset()
        one, other = map(made, row)
        try:
            answer = one == other
            found = f"{lib.last()} {answer:d}"
        except (TypeError, sb.Error):
            found = REFUSED
        right += found == expected != REFUSED
        refused = expected == REFUSED and row not in AMBIGUOUS  # then objects are equal or not
        if found not in (expected, REFUSED) and not refused and row not in BY_VALUE:
            wrong.append(f"{row}: {found}, g++: {expected}")
    assert not wrong
    assert right > 40


@pytest.mark.parametrize(("name", "numbers"), [("OfInt", (2.5, 1e20)), ("OfByte", (2.5, 300))])
def test_a_number_that_the_constructor_cuts_off_is_unequal(name: str, numbers: tuple[Any, ...]) -> None:
    made = getattr(sb.compile(CODE, nogil=False), name)
    assert made(2) == 2.0
    assert made(2) == np.float32(2)
    assert not any(made(2) == number or made(44) == number for number in numbers)


TIED = """enum E : long { e = 2 };
struct Of { int v; Of(int a) : v(a) {} Of(double a) : v(int(a)) {} };
struct Member : Of { using Of::Of;
  bool operator==(const Member& o) const { return v == o.v; }
  bool operator!=(const Member& o) const { return v != o.v; }
  bool operator<(const Member& o) const { return v < o.v; } };
struct Friend : Of { using Of::Of; friend bool operator==(const Friend& a, const Friend& b) { return a.v == b.v; } };
struct Free : Of { using Of::Of; }; inline bool operator==(Free a, Free b) { return a.v == b.v; }
struct Two : Of { using Of::Of;
  bool operator==(const Two& o) const { return v == o.v; } bool operator==(const char*) const { return false; } };
"""


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("name", ["Member", "Friend", "Free", "Two"])
def test_a_number_of_which_several_constructors_make_one_is_refused(name: str, std: str) -> None:
    lib = sb.compile(TIED, std=std)
    made = getattr(lib, name)(2)
    for number in (np.int64(2), np.uint32(2), np.uint64(2), np.longdouble(2), lib.e):
        for compared in (lambda a, b: a == b, lambda a, b: a != b):
            for operands in ((made, number), (number, made)):
                with pytest.raises(sb.ArgumentError, match="C\\+\\+ knows several conversions"):
                    compared(*operands)
    for number in (2, 2.0, np.int32(2), np.int16(2), np.float32(2), np.float64(2)):
        assert made == number
        assert number == made
    with pytest.raises((sb.ArgumentError, TypeError)):
        made < np.int64(2)  # noqa: B015
