"""LEMON: a graph, and a map of its nodes: a template in a class template, which inherits from another of those."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <lemon/list_graph.h>
int main() {
  lemon::ListDigraph g; auto a = g.addNode(), b = g.addNode(); auto e = g.addArc(a, b);
  tell(g.id(a)); tell(g.id(b)); tell(g.id(e)); tell(g.source(e) == a); tell(g.valid(e)); tell(g.source(e) == b);
  lemon::ListDigraph::NodeMap<double> m(g); m.set(a, 2.5); m.set(b, 1.5); tell(m[a]); tell(m[b]);
  g.erase(e); tell(g.valid(e));
}
"""


def test_a_graph(needs: Any, agree: Any) -> None:
    needs("lemon/list_graph.h", "liblemon-dev")
    lemon = sb.bind(
        "lemon/list_graph.h", libraries=["lemon"], expose=["*/lemon/list_graph.h", "*/lemon/bits/*"]
    ).lemon
    graph = lemon.ListDigraph()
    a, b = graph.addNode(), graph.addNode()
    arc = graph.addArc(a, b)
    values: list[Any] = [graph.id(a), graph.id(b), graph.id(arc), graph.source(arc) == a, graph.valid(arc)]
    values.append(graph.source(arc) == b)
    weights = lemon.ListDigraph.NodeMap["double"](graph)
    weights.set(a, 2.5)
    weights.set(b, 1.5)
    values += [weights[a], weights[b]]
    graph.erase(arc)
    agree([*values, graph.valid(arc)], PROGRAM, "-llemon")
