"""Operators that classes inside of class templates have as friends: C++'s, where Python had its own or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <ostream>
#include <string>
#include <vector>
template <class W> struct Graph {
  struct Edge {
    int to;
    W weight;
    friend bool operator<(const Edge& a, const Edge& b) { return a.weight < b.weight; }
    friend bool operator==(const Edge& a, const Edge& b) { return a.to == b.to; }
    friend bool operator!=(const Edge& a, const Edge& b) { return !(a == b); }
    friend Edge operator+(Edge a, W k) { a.weight += k; return a; }
    friend Edge operator*(W k, Edge a) { a.weight *= k; return a; }
    friend Edge& operator+=(Edge& a, W k) { a.weight += k; return a; }
    friend Edge operator-(Edge a) { a.weight = -a.weight; return a; }
    friend std::ostream& operator<<(std::ostream& o, const Edge& e) { return o << "to " << e.to; }
    struct End { int at; friend bool operator==(const End& a, const End& b) { return a.at % 10 == b.at % 10; } };
    End end() const { return {to}; }
  };
  class Node {  // no bytes
    std::string name;
   public:
    explicit Node(std::string n) : name(n) {}
    friend bool operator==(const Node& a, const Node& b) { return a.name.size() == b.name.size(); }
    friend bool operator!(const Node& a) { return a.name.empty(); }
  };
  std::vector<Edge> edges() const { return {{1, W(2)}, {2, W(1)}}; }
  static Node node(const std::string& name) { return Node(name); }
};
using IntGraph = Graph<int>;
struct Mine : Graph<int>::Edge { int more = 0; };
"""
ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "==": (lambda g: g.Edge(1, 5) == g.Edge(1, 6), True),
    "!=": (lambda g: g.Edge(1, 5) != g.Edge(1, 6), False),
    "<": (lambda g: [e.to for e in sorted(g().edges())], [2, 1]),
    "+": (lambda g: (g.Edge(1, 5) + 2).weight, 7),
    "* on the right": (lambda g: (2 * g.Edge(1, 5)).weight, 10),
    "- alone": (lambda g: (-g.Edge(1, 5)).weight, -5),
    "<<": (lambda g: str(g.Edge(3, 5)), "to 3"),
    "a class inside of it": (lambda g: g.Edge(13, 0).end() == g.Edge(3, 0).end(), True),
    "== of handles": (lambda g: [g.node("ab") == g.node("cd"), g.node("a") == g.node("ab")], [True, False]),
    "! of handles": (lambda g: [bool(g.node("")), bool(g.node("a"))], [False, True]),
}


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("made", ["by the header", "by Python"])
def test_the_operator_is_the_friend(lib: sb.Library, made: str, name: str) -> None:
    called, expected = ROWS[name]
    assert called(lib.IntGraph if made == "by the header" else lib.Graph["long"]) == expected


def test_in_place(lib: sb.Library) -> None:
    edge = same = lib.IntGraph.Edge(1, 5)
    edge += 3
    assert edge is same
    assert edge.weight == 8


def test_what_derives_from_it(lib: sb.Library) -> None:
    one, other = lib.Mine(), lib.Mine()
    one.to = other.to = 4
    one.weight, other.weight = 1, 2
    assert one == other
    assert one < other
    assert str(one) == "to 4"
    assert (one + 5).weight == 6
