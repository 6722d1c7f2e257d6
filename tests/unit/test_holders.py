"""Smart pointers of other libraries that share an object: each is the object, once it is named."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <functional>
#include <memory>
#include <vector>
namespace mine {
// Shares its object by a count of its own.
template <class T> class handle {
  struct block { T* object; std::function<void(T*)> end; long count; };
  block* to = nullptr;
 public:
  handle() {}
  explicit handle(T* object) : handle(object, [](T* o) { delete o; }) {}
  template <class E> handle(T* object, E end) : to(new block{object, end, 1}) {}
  handle(const handle& other) : to(other.to) { if (to) ++to->count; }
  handle& operator=(handle other) { std::swap(to, other.to); return *this; }
  ~handle() { if (to && !--to->count) { to->end(to->object); delete to; } }
  T* get() const { return to ? to->object : nullptr; }
  T* operator->() const { return get(); }
};
}
struct Node {
  static inline int alive = 0;
  int x;
  mine::handle<Node> next;
  explicit Node(int x) : x(x) { ++alive; }
  Node(const Node&) = delete;
  virtual ~Node() { --alive; }
  virtual int value() const { return x; }
};
struct Twice : Node { using Node::Node; int value() const override { return 2 * x; } };
inline mine::handle<Node> made(int x) { return mine::handle<Node>(x < 0 ? new Twice(x) : new Node(x)); }
inline mine::handle<Node> none() { return {}; }
inline mine::handle<const Node> looked(int x) { return mine::handle<const Node>(new Node(x)); }
inline mine::handle<Node> kept;
inline void keep(const mine::handle<Node>& node) { kept = node; }
inline int value_of_kept() { return kept.get() ? kept->value() : -1; }
inline mine::handle<Node> given() { return kept; }
inline int sum(const std::vector<mine::handle<Node>>& nodes) {
  int s = 0;
  for (auto& n : nodes) s += n->value();
  return s;
}
inline int read(mine::handle<const Node> node) { return node->value(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, holders=["mine::handle"])


def test_a_holder_is_its_object(lib: Any) -> None:
    before = lib.Node.alive
    node = lib.made(3)
    assert (type(node), node.value(), lib.none()) == (lib.Node, 3, None)
    assert isinstance(lib.made(-3), lib.Twice)
    assert lib.sum([node, lib.Twice(5), lib.made(1)]) == 14
    assert lib.read(node) == lib.read(lib.Node(3)) == lib.looked(3).value() == 3
    with pytest.raises(sb.ArgumentError, match=r"Node"):
        lib.keep(3)
    del node
    gc.collect()
    assert lib.Node.alive == before


def test_cxx_and_python_share_it(lib: Any) -> None:
    before = lib.Node.alive
    node = lib.Twice(4)  # Python's
    lib.keep(node)
    assert lib.given().value() == 8
    del node
    gc.collect()
    assert lib.value_of_kept() == 8
    lib.keep(lib.made(6))  # C++'s
    seen = lib.given()
    lib.keep(None)
    assert (lib.value_of_kept(), seen.value()) == (-1, 6)
    seen.next = lib.Node(7)  # a member
    assert seen.next.value() == 7
    del seen
    gc.collect()
    assert lib.Node.alive == before


def test_python_s_classes_in_it(lib: Any) -> None:
    class Own(lib.Node):  # type: ignore[misc]
        def value(self) -> int:
            return 40 + self.x

    lib.keep(Own(2))
    gc.collect()
    assert lib.value_of_kept() == 42
    assert isinstance(lib.given(), Own)
    lib.keep(None)


def test_without_its_name_it_is_an_object_of_its_class() -> None:
    lib = sb.compile(SOURCE)
    assert lib.made(3).get().value() == 3
