"""Boost's shared_ptr is its object, as the standard's is: made here and there, kept, in containers, overridden."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

SOURCE = """
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/enable_shared_from_this.hpp>
#include <vector>
struct Node : boost::enable_shared_from_this<Node> {
  static inline int alive = 0;
  int x;
  explicit Node(int x) : x(x) { ++alive; }
  virtual ~Node() { --alive; }
  virtual int value() const { return x; }
  boost::shared_ptr<Node> self() { return shared_from_this(); }
};
inline boost::shared_ptr<Node> made(int x) { return boost::make_shared<Node>(x); }
inline boost::shared_ptr<Node> kept;
inline void keep(const boost::shared_ptr<Node>& n) { kept = n; }
inline int value() { return kept ? kept->value() : -1; }
inline std::vector<boost::shared_ptr<Node>> all() { return {kept, made(9)}; }
"""


def test_it_is_its_object(needs: Any) -> None:
    needs("boost/shared_ptr.hpp", "libboost-dev")
    lib = sb.compile(SOURCE)

    class Mine(lib.Node):  # type: ignore[misc, name-defined]
        def value(self) -> int:
            return 50

    node = lib.made(3)
    assert (type(node), node.value(), node.self().value()) == (lib.Node, 3, 3)
    lib.keep(node)
    del node
    gc.collect()
    assert lib.value() == 3
    lib.keep(Mine(1))
    gc.collect()
    assert lib.value() == 50
    assert [one.value() for one in lib.all()] == [50, 9]
    lib.keep(None)
    gc.collect()
    assert (lib.value(), lib.Node.alive) == (-1, 0)
