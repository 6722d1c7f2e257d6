"""``in``, subscripts from the end, slices and views of keys, of classes that C++ can ask the same: g++ is asked it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.loading.stubs import stub_text

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <cstddef>
#include <list>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
struct Row {  // random access, an unsigned subscript
  std::vector<int> v{10, 20, 30, 40, 50};
  auto begin() { return v.begin(); }
  auto end() { return v.end(); }
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return v.size(); }
  int& operator[](std::size_t i) { return v[i]; }
  const int& operator[](std::size_t i) const { return v[i]; }
};
struct Wide : Row { int own = 1; };
struct Around {  // a signed subscript, which has a meaning below zero
  std::vector<int> v{1, 2, 3};
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  int size() const { return 3; }
  int operator[](int i) const { return 100 * i; }
};
struct Chain {  // no random access
  std::list<int> v{1, 2, 3};
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return v.size(); }
  int operator[](unsigned i) const { auto at = v.begin(); while (i--) ++at; return *at; }
};
struct Lying : Row {
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return 3; }
  int operator[](std::size_t i) const { return v[i]; }
};
struct Indexed {  // [] gives something else than a loop
  std::vector<int> v{7, 8, 9};
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return v.size(); }
  double operator[](std::size_t i) const { return i * .5; }
};
struct Dict {
  std::map<std::string, int> m{{"a", 1}, {"b", 2}};
  auto begin() const { return m.begin(); }
  auto end() const { return m.end(); }
  std::size_t size() const { return m.size(); }
  auto find(const std::string& k) const { return m.find(k); }
  int& operator[](const std::string& k) { return m[k]; }
};
struct Numbers {
  std::map<int, int> m{{-1, 7}, {0, 8}};
  auto begin() const { return m.begin(); }
  auto end() const { return m.end(); }
  std::size_t size() const { return m.size(); }
  std::size_t count(int k) const { return m.count(k); }
  int& operator[](int k) { return m[k]; }
  int values() const { return 5; }
};
struct Keyed {
  std::map<unsigned, unsigned> m{{0, 5}, {9, 6}};
  auto begin() const { return m.begin(); }
  auto end() const { return m.end(); }
  std::size_t size() const { return m.size(); }
  bool contains(unsigned k) const { return m.count(k); }
  unsigned operator[](unsigned k) const { return m.at(k); }
};
struct Pairs {  // a set of pairs is no map
  std::set<std::pair<int, int>> s{{1, 2}};
  auto begin() const { return s.begin(); }
  auto end() const { return s.end(); }
  auto find(const std::pair<int, int>& p) const { return s.find(p); }
};
struct Even {  // what is in it, C++ says; a loop gives something else
  int v[2] = {0, 2};
  const int* begin() const { return v; }
  const int* end() const { return v + 2; }
  bool contains(int k) const { return k % 2 == 0; }
};
struct Counting {  // count() without a key_type may count anything
  int v[2] = {3, 4};
  const int* begin() const { return v; }
  const int* end() const { return v + 2; }
  int count(int k) const { return k; }
};
struct Bag : Counting {
  using key_type = int;
  const int* begin() const { return v; }
  const int* end() const { return v + 2; }
  int count(int k) const { return k == 4 ? 2 : 0; }
};
struct Odd : Even { bool contains(int k) const { return k % 2 != 0; } };
struct Looped : Even {
  const int* begin() const { return v; }
  const int* end() const { return v + 1; }
  void contains(int, int) const {}
};
template <class T> struct Of {
  std::vector<T> v{T(1), T(2), T(3)};
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return v.size(); }
  const T& operator[](std::size_t i) const { return v[i]; }
};
template struct Of<double>;
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="looking")


def make(lib: Any, name: str) -> Any:
    return lib.Of[sb.float64]() if name == "Of" else getattr(lib, name)()


# What Python says, and what a C++ program says of the same.
SAME = [
    ("Row", "x[-1]", "x[x.size() - 1]"),
    ("Row", "x[-5]", "x[0]"),
    ("Row", "x[2]", "x[2]"),
    ("Wide", "x[-2]", "x[x.size() - 2]"),
    ("Row", "len(x[1:4])", "3"),
    ("Row", "x[::-2][1]", "x[2]"),
    ("Around", "x[-1]", "x[-1]"),
    ("Numbers", "x[-1]", "x[-1]"),
    ("Numbers", "-1 in x", "x.count(-1) != 0"),
    ("Numbers", "5 in x", "x.count(5) != 0"),
    ("Numbers", "x.values()", "x.values()"),
    ("Dict", "'a' in x", 'x.find("a") != x.end()'),
    ("Dict", "'z' in x", 'x.find("z") != x.end()'),
    ("Keyed", "9 in x", "x.contains(9)"),
    ("Keyed", "5 in x", "x.contains(5)"),
    ("Pairs", "(1, 2) in x", "x.find({1, 2}) != x.end()"),
    ("Pairs", "(2, 1) in x", "x.find({2, 1}) != x.end()"),
    ("Even", "4 in x", "x.contains(4)"),
    ("Odd", "4 in x", "x.contains(4)"),
    ("Odd", "5 in x", "x.contains(5)"),
    ("Bag", "4 in x", "x.count(4) != 0"),
    ("Bag", "3 in x", "x.count(3) != 0"),
    ("Of", "int(x[-1])", "int(x[2])"),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    place: Path = tmp_path_factory.mktemp("looking")
    lines = [
        f'{{ {"Of<double>" if name == "Of" else name} x; std::printf("%d ", int({cxx})); }}'
        for name, _, cxx in SAME
    ]
    source = place / "program.cpp"
    source.write_text(f"{CODE}\n#include <cstdio>\nint main() {{\n" + "\n".join(lines) + "\n}\n")
    subprocess.run(["g++", "-std=c++17", "-o", place / "program", source], check=True)
    told = subprocess.run([place / "program"], check=True, capture_output=True, text=True).stdout
    return [int(word) for word in told.split()]


@pytest.mark.parametrize("row", range(len(SAME)), ids=[f"{name} {python}" for name, python, _ in SAME])
def test_python_says_what_cxx_says(lib: Any, answers: list[int], row: int) -> None:
    name, python, _ = SAME[row]
    assert eval(python, {"x": make(lib, name)}) == answers[row]


SLICES = [slice(1, 3), slice(None, None, -1), slice(-2, None), slice(3, 99), slice(4, 1, -2), slice(2, 2)]


@pytest.mark.parametrize("which", SLICES, ids=str)
def test_slices_are_those_of_a_list(lib: Any, which: slice) -> None:
    for name in ("Row", "Wide", "Of"):
        made = make(lib, name)
        assert made[which] == list(made)[which]


def test_elements_are_set_from_the_end(lib: Any) -> None:
    row = lib.Row()
    row[-1] = 99
    row[-5] += 1
    assert (list(row), row[4]) == ([11, 20, 30, 40, 99], 99)
    row[1:3] = [5, 6]
    assert list(row) == [11, 5, 6, 40, 99]
    with pytest.raises(sb.ArgumentError, match="expected int32"):
        row[-1] = "x"


@pytest.mark.parametrize(
    ("name", "python", "error", "words"),
    [
        ("Row", "x[-6]", IndexError, r"Row\[-6\]: it has 5 elements"),
        ("Lying", "x[-1]", TypeError, r"size\(\) says 3 elements, and end\(\) is 5"),
        ("Chain", "x[-1]", sb.RangeError, "expected uint32"),
        ("Chain", "x[0:1]", sb.ArgumentError, "expected uint32"),
        ("Indexed", "x[-1]", sb.RangeError, "expected uint64"),
        ("Keyed", "x[-1]", sb.RangeError, "expected uint32"),
        ("Around", "x[0:1]", sb.ArgumentError, "expected int32"),
        ("Row", "x['a']", sb.ArgumentError, "expected uint64"),
        ("Dict", "1 in x", sb.ArgumentError, "expected text"),
        ("Numbers", "reversed(x)", TypeError, "not reversible"),
        ("Keyed", "reversed(x)", TypeError, "not reversible"),
    ],
)
def test_what_is_refused(lib: Any, name: str, python: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        eval(python, {"x": make(lib, name)})


def test_views_of_a_mapping(lib: Any) -> None:
    made = lib.Dict()
    made["c"] = 3
    expected = {"a": 1, "b": 2, "c": 3}
    assert (list(made.keys()), list(made.values()), list(made.items())) == (
        list(expected), list(expected.values()), list(expected.items()),
    )  # fmt: skip
    assert dict(made) == dict(made.items()) == expected
    assert (made.keys() & {"a", "z"}, len(made.items())) == ({"a"}, 3)
    keys = made.keys()
    assert ("z" in keys, ("a", 1) in made.items(), ("q", 1) in made.items()) == (False, True, False)
    assert (3 in made.values(), 4 in made.values(), len(made)) == (True, False, 3)  # nothing was added


def test_membership_is_a_loop_where_cxx_has_none(lib: Any) -> None:
    counting = lib.Counting()
    assert (3 in counting, 5 in counting) == (True, False)
    looped = lib.Looped()
    assert (0 in looped, 4 in looped) == (True, False)
    assert not hasattr(lib.Pairs(), "keys")
    assert list(reversed(lib.Row())) == [50, 40, 30, 20, 10]


def test_stubs_say_what_is_in_it() -> None:
    source = CODE + "\nstruct Named : Dict { int keys() const { return 3; } };"
    stub = stub_text(sb.compile(source, name="in_stubs"), "in_stubs")
    by_class = {part.partition("(")[0]: part for part in stub.split("\nclass ")}
    expected = [
        "def __contains__(self, x: str | bytes) -> bool",
        "KeysView[str]",
        "ValuesView[int]",
        "ItemsView[str, int]",
    ]
    assert [words for words in expected if words not in by_class["Dict"]] == []
    assert "__contains__" not in by_class["Looped"]
    assert "KeysView" not in by_class["Named"] + by_class["Row"]
    imported = next(line for line in stub.splitlines() if line.startswith("from collections.abc import"))
    assert {"ItemsView", "KeysView", "ValuesView"} <= {word.strip(",") for word in imported.split()}
