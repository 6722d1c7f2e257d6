"""Operators of enumerators that function templates declare: what g++ says of each, where Python computed numbers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import samebytes as sb

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
