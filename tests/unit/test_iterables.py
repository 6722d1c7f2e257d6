"""Containers take what Python calls a sequence, a mapping or an iterator, and rows of arrays; each element once."""

from __future__ import annotations

import array
import collections
import io
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>
std::vector<long> numbers(const std::vector<long>& v) { return v; }
std::vector<std::string> words(std::deque<std::string> v) { return {v.begin(), v.end()}; }
std::vector<std::vector<double>> rows(std::vector<std::vector<double>> v) { return v; }
std::vector<std::pair<int, int>> pairs(std::vector<std::pair<int, int>> v) { return v; }
std::set<int> unique(std::set<int> v) { return v; }
std::map<std::string, int> named(std::map<std::string, int> v) { return v; }
std::size_t either(std::variant<std::vector<int>, std::vector<std::string>> v) { return v.index(); }
int nested(std::optional<std::vector<int>> v) { return v ? int(v->size()) : -1; }
int two(const std::vector<int>& v, int n) { return int(v.size()) * 10 + n; }
const char* which(const std::vector<int>&) { return "numbers"; }
const char* which(int) { return "number"; }
const char* tied(const std::vector<int>&) { return "numbers"; }
const char* tied(const std::vector<std::string>&) { return "words"; }
struct Held {
  std::vector<int> v;
  explicit Held(std::vector<int> from) : v(from) {}
  int size() const { return int(v.size()); }
};
int held(const Held& h) { return h.size(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="iterables")


def plain(value: Any) -> Any:
    """A value as lists and numbers of Python's own."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [plain(v) for v in value] if isinstance(value, list) else value


class Numbered(collections.abc.Sequence):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < 3:
            raise IndexError(index)
        return index * 10


CASES: list[tuple[str, Callable[[], Any], Any]] = [
    ("numbers", lambda: (x * x for x in range(4)), [0, 1, 4, 9]),
    ("numbers", lambda: iter(()), []),
    ("numbers", lambda: map(abs, [-1, 2]), [1, 2]),
    ("numbers", lambda: collections.deque([1, 2]), [1, 2]),
    ("numbers", lambda: {1: 5, 2: 6}.keys(), [1, 2]),
    ("numbers", lambda: {1: 5, 2: 6}.values(), [5, 6]),
    ("numbers", Numbered, [0, 10, 20]),
    ("numbers", lambda: array.array("l", [7, 8]), [7, 8]),
    ("words", lambda: io.StringIO("a\nb\n"), ["a\n", "b\n"]),
    ("words", lambda: {"ab": 1}.keys(), ["ab"]),
    ("words", lambda: reversed(["a", "b"]), ["b", "a"]),
    ("rows", lambda: np.arange(6.0).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
    ("rows", lambda: np.arange(6.0).reshape(3, 2).T, [[0, 2, 4], [1, 3, 5]]),
    ("rows", lambda: np.zeros((0, 3)), []),
    ("rows", lambda: (np.full(n, n, float) for n in range(3)), [[], [1], [2, 2]]),
    ("pairs", lambda: np.array([[1, 2], [3, 4]], np.int32), [(1, 2), (3, 4)]),
    ("pairs", lambda: {1: 2}.items(), [(1, 2)]),
    ("pairs", lambda: zip([1, 2], [5, 6], strict=True), [(1, 5), (2, 6)]),
    ("unique", lambda: (x % 2 for x in range(5)), {0, 1}),
    ("unique", lambda: {4: 1}.keys(), {4}),
    ("unique", lambda: collections.deque([3, 3]), {3}),
    ("named", lambda: types.MappingProxyType({"ab": 3}), {"ab": 3}),
    ("named", lambda: collections.ChainMap({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
    ("nested", lambda: collections.deque([1, 2]), 2),
    ("which", lambda: (x for x in (1, 2)), "numbers"),
]


@pytest.mark.parametrize(("name", "make", "expected"), CASES, ids=range(len(CASES)))
def test_what_a_container_takes(lib: Any, name: str, make: Callable[[], Any], expected: Any) -> None:
    assert plain(getattr(lib, name)(make())) == expected


def test_constructors_and_members_take_iterators(lib: Any) -> None:
    held = lib.Held(x for x in range(3))
    assert held.size() == 3
    held.v = (x for x in range(5))
    assert held.size() == 5


REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("words", lambda: "abc", "expected a list"),
    ("words", lambda: {"ab": 1}, "expected a list"),
    ("words", lambda: {"ab"}, "sorted(x) gives its elements an order"),
    ("numbers", lambda: b"ab", "int64"),
    ("rows", lambda: np.ones((2, 2), int), "'v[0]'"),
    ("rows", lambda: np.array(1.0), "expected a list"),
    ("pairs", lambda: np.ones((2, 3), np.int32), "'v[0]': expected a tuple of 2"),
    ("pairs", lambda: np.ones((2, 2)), "'v[0][0]': expected int32"),
    ("numbers", lambda: (x for x in (1, "a", 2)), "'v[1]': expected int64"),
    ("named", lambda: [("ab", 3)], "expected a dict"),
    ("either", lambda: (x for x in ["a"]), "expected"),
    ("nested", lambda: iter([1]), "list(x) takes what it has left"),
    ("tied", lambda: iter([1]), "these overloads fit equally well"),
]


@pytest.mark.parametrize(("name", "make", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_a_container_refuses(lib: Any, name: str, make: Callable[[], Any], words: str) -> None:
    with pytest.raises(sb.Error, match=re.escape(words)):
        getattr(lib, name)(make())


@pytest.mark.parametrize("name", ["either", "nested", "tied"])
def test_an_iterator_that_is_refused_is_not_touched(lib: Any, name: str) -> None:
    left = iter([1, 2, 3])
    with pytest.raises(sb.Error):
        getattr(lib, name)(left)
    assert list(left) == [1, 2, 3]


def test_what_an_iterator_raises_comes_back(lib: Any) -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        lib.numbers(failing())
    with pytest.raises(sb.ArgumentError, match="argument 2 'n'"):
        lib.two(iter([1, 2]), "x")
    assert lib.two((x for x in range(3)), n=4) == 34
