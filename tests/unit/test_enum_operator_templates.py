"""Operators of enumerators that function templates declare: what g++ says of each, where Python computed numbers."""

from __future__ import annotations

import operator
import subprocess
from pathlib import Path

import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <type_traits>
enum class Flag : unsigned { a = 1, b = 2 };
enum class Other { a = 1, b = 2 };
enum Plain { pa = 1, pb = 2 };
enum class Own { a = 2, b = 6 };
template <class E> struct on : std::false_type {};
template <> struct on<Flag> : std::true_type {};
template <> struct on<Plain> : std::true_type {};
template <class E> struct Set {
  unsigned bits;
  bool has(E e) const { return bits & unsigned(e); }
  int value() const { return int(bits); }
};
template <class E> std::enable_if_t<on<E>::value, Set<E>> operator|(E x, E y) {
  return {unsigned(x) | unsigned(y) | 8u};
}
template <class E> std::enable_if_t<on<E>::value, Set<E>> operator|(Set<E> x, E y) {
  return {x.bits | unsigned(y) | 16u};
}
template <class E, class = std::enable_if_t<on<E>::value>> E operator~(E) { return E(2); }
template <class E> std::enable_if_t<on<E>::value, int> operator+(E x, int k) { return int(x) * 1000 + k; }
template <class E> std::enable_if_t<on<E>::value, int> operator-(int k, E x) { return int(x) * 1000 - k; }
template <class E> std::enable_if_t<on<E>::value, bool> operator<(E, E) { return false; }
inline Own operator|(Own x, Own y) { return Own(int(x) * int(y) / 2); }
template <class T> struct Around {
  T t; enum E { a = 1, b = 2 };
  friend int operator|(E, E) { return 70; }  friend bool operator<(E, E) { return false; }
  friend bool operator<(int, E) { return false; }  friend int operator+(int, E) { return 71; }
};
using Of = Around<int>;
"""
# Python, and C++ where it is written otherwise.
ROWS = {
    "(lib.Flag.a | lib.Flag.b).value()": "(Flag::a | Flag::b).value()",
    "(lib.Flag.a | lib.Flag.b | lib.Flag.a).value()": "(Flag::a | Flag::b | Flag::a).value()",
    "(lib.pa | lib.pb).value()": "(pa | pb).value()",
    "int(~lib.Flag.a)": "int(~Flag::a)",
    "lib.Flag.b + 3": "Flag::b + 3",
    "3 - lib.Flag.b": "3 - Flag::b",
    "lib.pb + lib.pa": "pb + pa",
    "int(lib.Own.a | lib.Own.b)": "int(Own::a | Own::b)",
    "int(lib.Flag.a == lib.Flag.a)": "Flag::a == Flag::a",
    "int(lib.pa < lib.pb)": "pa < pb",
    "lib.pa & lib.pb": "pa & pb",
    "lib.Of.a | lib.Of.b": "Of::a | Of::b",
    "lib.Of.a < lib.Of.b": "Of::a < Of::b",
    "lib.Of.a > lib.Of.b": "Of::a > Of::b",
    "0 < lib.Of.b": "0 < Of::b",
    "lib.Of.b > 0": "Of::b > 0",
    "lib.Of.a < 2": "Of::a < 2",
    "3 + lib.Of.a": "3 + Of::a",
    "lib.Of.a + 3": "Of::a + 3",
}


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    folder: Path = tmp_path_factory.mktemp("operators")
    rows = "".join(f'std::printf("%d\\n", int({cxx}));' for cxx in ROWS.values())
    (folder / "main.cpp").write_text(f"#include <cstdio>\n{SOURCE}\nint main() {{ {rows} }}")
    subprocess.run(["g++", "-std=gnu++17", "-w", "-o", "main", "main.cpp"], cwd=folder, check=True)
    lines = subprocess.run([folder / "main"], capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(ROWS, map(int, lines), strict=True))


@pytest.mark.parametrize("python", ROWS)
def test_it_is_what_cpp_makes_of_it(lib: sb.Library, told: dict[str, int], python: str) -> None:
    assert int(eval(python, {"lib": lib})) == told[python]


def test_an_enumeration_of_which_the_templates_are_not(lib: sb.Library) -> None:
    assert lib.Other.a | lib.Other.b == 3  # C++ has none: Python's numbers


# Templates that take anything, each with its operators; the last one beside an operator of one enumeration.
BEGIN = """enum En { e5 = 5 }; enum Other { o5 = 5 }; enum class Sc { s5 = 5 }; struct K {};
inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline void reset() { last_() = 0; }
"""
TEMPLATES = {
    "of one type": "template <class T> bool operator{0}(T, T) {{ last_() = 1; return 0; }}",
    "of two types": "template <class A, class B> bool operator{0}(A, B) {{ last_() = 1; return 0; }}",
    "by reference": "template <class A, class B> bool operator{0}(const A&, const B&) {{ last_() = 1; return 0; }}",
    "forwarding": "template <class A, class B> bool operator{0}(A&&, B&&) {{ last_() = 1; return 0; }}",
    "an enumeration on the left": "template <class T> bool operator{0}(En, T) {{ last_() = 1; return 0; }}",
    "an enumeration on the right": "template <class T> bool operator{0}(T, Sc) {{ last_() = 1; return 0; }}",
    "of an object beside an operator": (
        "template <class T> bool operator{0}(const K&, const T&) {{ last_() = 1; return 0; }}"
        "inline bool operator{0}(Sc, float) {{ last_() = 2; return 0; }}"
    ),
}
VALUES = {"En": "e5", "Other": "o5", "Sc": "Sc::s5", "int": "5", "double": "2.5", "K": "K()"}
SIGNS = ("<", ">=", "==")
PAIRS = [(a, b) for a in VALUES for b in VALUES if {a, b} & {"En", "Sc"} and a != "double"]


def _answer(lib: sb.Library, sign: str, a: str, b: str) -> str:
    known = {"En": lib.e5, "Other": lib.o5, "Sc": lib.Sc.s5, "int": 5, "double": 2.5, "K": lib.K()}
    lib.reset()
    try:
        answer = eval(f"x {sign} y", {"x": known[a], "y": known[b]})
    except (sb.Error, TypeError) as error:
        return str(error)
    return f"{lib.last()} {int(answer)}"


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("form", TEMPLATES)
def test_comparisons_by_templates_that_take_anything(form: str, std: str, tmp_path: Path) -> None:
    program = BEGIN + "".join(f"{TEMPLATES[form].format(sign)}\n" for sign in SIGNS)
    asked = [(sign, *pair) for sign in SIGNS for pair in PAIRS]
    statements = [
        f"{{ {a} a = {VALUES[a]}; {b} b = {VALUES[b]}; reset(); bool v = a {sign} b; "
        'std::printf("%d %d\\n", last(), v); }'
        for sign, a, b in asked
    ]
    lib = sb.compile(program, std=std)
    for one, cxx in zip(asked, answers(program, statements, std, tmp_path), strict=True):
        python = _answer(lib, *one)
        if cxx != REFUSED:
            assert python == cxx, one
        elif "beside" in form and one[0] != "==":
            assert "C++ has no" in python or "not supported" in python, one
        elif python[0].isdigit() and one[0] != "==":
            assert python.startswith("0 "), one  # an enumerator is an int to Python


def test_no_code_shows_the_side_of_an_enumerator() -> None:
    lib = sb.compile("enum En { e5 = 5 }; template <class T> bool operator<(T, En) { return false; }")
    three = 3
    assert not three < lib.e5
    with pytest.raises(sb.ArgumentError, match="Python asks En for both"):
        operator.lt(3, lib.e5)
    assert operator.lt(lib.e5, lib.e5) is False
    assert sorted([lib.e5, lib.En(4)]) == [4, 5]


BOTH = (
    BEGIN
    + """template <class T> bool operator==(En, T) { last_() = 1; return false; }
template <class T> bool operator!=(En, T) { last_() = 2; return false; }
"""
)


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
def test_a_template_that_only_some_compilers_turn_round(std: str, tmp_path: Path) -> None:
    lib = sb.compile(BOTH, std=std)
    asked = [
        (sign, *pair) for sign in ("==", "!=") for pair in [("Other", "En"), ("int", "En"), ("En", "int")]
    ]
    statements = [
        f'{{ reset(); bool v = {VALUES[a]} {sign} {VALUES[b]}; std::printf("%d %d\\n", last(), v); }}'
        for sign, a, b in asked
    ]
    for one, cxx in zip(asked, answers(BOTH, statements, std, tmp_path), strict=True):
        python = _answer(lib, *one)
        if std == "gnu++17" or one[1] == "En":
            assert python == cxx, one
        else:
            assert "some compilers turn a template round" in python, one
