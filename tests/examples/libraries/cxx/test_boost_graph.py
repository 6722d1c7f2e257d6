"""Boost.Graph: a graph is an object of C++'s, made and searched by two functions of one's own."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

SOURCE = r"""
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <vector>
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;
inline Graph made(int n, const std::vector<std::pair<int, int>>& edges, const std::vector<double>& costs) {
  Graph g(n);
  for (size_t i = 0; i < edges.size(); ++i) boost::add_edge(edges[i].first, edges[i].second, costs[i], g);
  return g;
}
inline std::vector<double> distances(const Graph& g, int from) {
  std::vector<double> d(boost::num_vertices(g));
  boost::dijkstra_shortest_paths(g, boost::vertex(from, g), boost::distance_map(&d[0]));
  return d;
}
"""
PROGRAM = r"""
int main() {
  for (double d : distances(made(5, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}, {1, 2, 5, 1.5}), 0)) tell(d);
}
"""


def test_shortest_paths(needs: Any, agree: Any) -> None:
    needs("boost/graph/adjacency_list.hpp", "libboost-dev")
    lib = sb.compile(SOURCE)
    graph = lib.made(5, [(0, 1), (1, 2), (0, 2), (2, 3)], [1, 2, 5, 1.5])
    assert not hasattr(graph, "m_vertices")
    agree([float(d) for d in lib.distances(graph, 0)], SOURCE + PROGRAM)
