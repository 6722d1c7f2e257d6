"""Comparisons and text of classes that derive from the standard library's, and from unexposed headers'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <string>
#include <tuple>
#include <utility>
#include <vector>
struct Text : std::string { Text(const char* c) : std::string(c) {} };
struct Longer : Text { int more = 0; Longer(const char* c) : Text(c) {} };
struct Converted : std::string {
  Converted(const char* c) : std::string(c) {}
  operator const char*() const { return "conversion"; }
};
struct Hidden : private std::string { Hidden() {} };
struct List : std::vector<int> { List() {} List& add(int x) { push_back(x); return *this; } };
struct Pair : std::pair<int, double> { Pair(int a) : std::pair<int, double>(a, .5) {} };
struct Three : std::tuple<int, int, int> { Three(int a) : std::tuple<int, int, int>(a, 2, 3) {} };
struct Own : std::vector<int> {
  int key;
  Own(int k) : key(k) {}
  bool operator==(const Own& o) const { return key == o.key; }
};
"""
ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a text": (lambda lib: [lib.Text("a") == lib.Text("a"), lib.Text("a") != lib.Text("a")], [True, False]),
    "other texts": (lambda lib: [lib.Text("a") == lib.Text("b"), lib.Text("a") < lib.Text("b")], [False, True]),
    "a text of Python's": (lambda lib: lib.Text("a") == "a", True),
    "a base of a base": (lambda lib: lib.Longer("a") == lib.Longer("a"), True),
    "a list": (lambda lib: lib.List().add(1) == lib.List().add(1), True),
    "lists in order": (lambda lib: lib.List().add(1) < lib.List().add(2), True),
    "a pair": (lambda lib: [lib.Pair(1) == lib.Pair(1), lib.Pair(1) >= lib.Pair(2)], [True, False]),
    "a tuple": (lambda lib: [lib.Three(1) == lib.Three(1), lib.Three(1) < lib.Three(2)], [True, True]),
    "its own": (lambda lib: [lib.Own(1) == lib.Own(1), lib.Own(1) == lib.Own(2)], [True, False]),
    "a private base": (lambda lib: lib.Hidden() == lib.Hidden(), False),  # C++ has none: identity
    "str": (lambda lib: [str(lib.Text("abc")), str(lib.Longer("x")), f"{lib.Text('')}"], ["abc", "x", ""]),
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


@pytest.mark.parametrize("name", ROWS)
def test_comparisons_and_text_are_the_base_s(lib: sb.Library, name: str) -> None:
    called, expected = ROWS[name]
    assert called(lib) == expected


def test_text_has_a_conversion_first(lib: sb.Library) -> None:
    assert str(lib.Converted("base")) == "conversion"
    assert "Hidden object" in str(lib.Hidden()) or "Hidden at" in str(lib.Hidden())


def test_what_is_equal_has_no_hash_of_its_address(lib: sb.Library) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(lib.Text("a"))
