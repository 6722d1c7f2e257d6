"""Elements that are pointers to objects: Python gets the objects, whatever gives the pointer."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <list>
#include <set>
#include <vector>
struct Plain { int v; };
struct Owned { int v; ~Owned() {} };
struct Shape { int v; Shape(int n) : v(n) {} virtual ~Shape() {} };
struct Round : Shape { int r = 7; Round() : Shape(1) {} };
template <class N> struct Nodes {
  N a{1}, b{2};
  std::vector<N*> all{&a, nullptr, &b, &a};
  Nodes() = default;
  Nodes(const Nodes&) = delete;
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
  int sum() const { return a.v + b.v; }
};
template <class N> struct Fixed {
  N a{3};
  std::list<N*> all{&a};
  Fixed() = default;
  Fixed(const Fixed&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
template <class N> struct Given {
  N a{4};
  struct iterator {
    N* at;
    int n;
    N* operator*() const { return at; }
    iterator& operator++() { ++n; return *this; }
    bool operator!=(const iterator& other) const { return n != other.n; }
  };
  iterator begin() { return {&a, 0}; }
  iterator end() { return {&a, 3}; }
};
struct Readers {
  Owned a{5};
  std::set<const Owned*> all{&a};
  Readers() = default;
  Readers(const Readers&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
struct Shapes {
  Round round;
  std::vector<Shape*> all{&round};
  Shapes() = default;
  Shapes(const Shapes&) = delete;
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
};
struct PlainNodes : Nodes<Plain> {}; struct OwnedNodes : Nodes<Owned> {};
struct PlainFixed : Fixed<Plain> {}; struct OwnedFixed : Fixed<Owned> {};
struct PlainGiven : Given<Plain> {}; struct OwnedGiven : Given<Owned> {};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.mark.parametrize(
    ("cls", "values"),
    [
        ("PlainNodes", [1, None, 2, 1]),
        ("OwnedNodes", [1, None, 2, 1]),
        ("PlainFixed", [3]),
        ("OwnedFixed", [3]),
        ("PlainGiven", [4, 4, 4]),
        ("OwnedGiven", [4, 4, 4]),
        ("Readers", [5]),
        ("Shapes", [1]),
    ],
)
def test_elements_are_the_objects(lib: Any, cls: str, values: list[int | None]) -> None:
    assert [node if node is None else node.v for node in getattr(lib, cls)()] == values


@pytest.mark.parametrize("cls", ["PlainNodes", "OwnedNodes"])
def test_they_are_c_s_own_and_keep_what_they_lie_in(lib: Any, cls: str) -> None:
    nodes = getattr(lib, cls)()
    for node in nodes:
        if node is not None:
            node.v += 10
    assert nodes.sum() == 33  # one of them is there twice
    first = next(iter(getattr(lib, cls)()))
    assert first.v == 1


def test_they_are_of_the_class_that_they_really_are_and_as_const_as_cxx_says(lib: Any) -> None:
    (shape,) = lib.Shapes()
    assert type(shape) is lib.Round
    assert shape.r == 7
    (reader,) = lib.Readers()
    with pytest.raises(AttributeError, match="const"):
        reader.v = 1
