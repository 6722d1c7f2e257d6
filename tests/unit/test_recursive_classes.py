"""Members that hold objects of the class itself: trees of smart pointers, containers of nodes, classes in turn."""

from __future__ import annotations

import gc
from types import ModuleType

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct Shared {
  int v = 1;
  std::shared_ptr<Shared> next;
  std::vector<std::shared_ptr<Shared>> all;
  std::map<std::string, std::shared_ptr<Shared>> named;
  static inline int alive = 0;
  Shared() { ++alive; }
  Shared(const Shared&) = delete;
  ~Shared() { --alive; }
};
struct Tree {
  int v = 0;
  std::vector<Tree> children;
  std::list<Tree> list;
  std::map<std::string, Tree> map;
  std::vector<std::vector<Tree>> nested;
};
struct Unique { int v = 2; std::unique_ptr<Unique> next; };
struct Called { int v = 3; std::function<int(Called&)> f; int call() { return f ? f(*this) : -1; } };
struct Right;
struct Left { int v = 4; std::shared_ptr<Right> right; };
struct Right { int v = 5; std::vector<Left> lefts; };
struct Pointing { int v = 6; Pointing* next = nullptr; std::vector<Pointing*> all; };
template <class T> struct Node { T v; std::shared_ptr<Node<T>> next; std::vector<Node> children; };
using IntNode = Node<int>;

inline int total(const Tree& t) { int n = t.v; for (auto& c : t.children) n += total(c); return n; }
inline int length(const Shared& s) { return 1 + (s.next ? length(*s.next) : 0); }
inline Tree planted() { Tree t; t.v = 1; t.children.resize(2); t.children[1].v = 5; return t; }
"""


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


def test_every_member_is_there(lib: ModuleType) -> None:
    assert [s.name for s in lib.__skipped__] == ["Shared::Shared(const Shared &)"]


def test_shared_pointers(lib: ModuleType) -> None:
    before = lib.Shared.alive
    one, other = lib.Shared(), lib.Shared()
    assert one.next is None
    one.next = other
    one.all = [other, None]
    one.named = {"a": other}
    assert one.next == other
    assert one.next.v == 1
    assert one.all == [other, None]
    assert one.named == {"a": other}
    assert lib.length(one) == 2
    one.next.v = 9
    assert other.v == 9
    del one, other
    gc.collect()
    assert lib.Shared.alive == before


def test_containers_of_objects(lib: ModuleType) -> None:
    tree = lib.planted()
    assert [child.v for child in tree.children] == [0, 5]
    tree.children = [tree, lib.Tree()]
    assert lib.total(tree) == 1 + (1 + 5)
    assert [child.v for child in tree.children[0].children] == [0, 5]
    tree.list, tree.map, tree.nested = [lib.Tree()], {"a": lib.planted()}, [[lib.planted()]]
    assert (len(tree.list), tree.map["a"].v, tree.nested[0][0].v) == (1, 1, 1)
    with pytest.raises(TypeError, match=r"Tree\.children is read as a copy"):
        tree.children.append(lib.Tree())


def test_aggregates_of_their_own_kind(lib: ModuleType) -> None:
    assert lib.total(lib.Tree(1, [lib.Tree(2), lib.Tree(3, [lib.Tree(4)])])) == 10


def test_unique_pointers(lib: ModuleType) -> None:
    one = lib.Unique()
    one.next = lib.Unique()
    assert (one.next.v, one.next.next) == (2, None)


def test_functions(lib: ModuleType) -> None:
    one = lib.Called()
    one.f = lambda called: called.v + 1
    assert one.call() == 4


def test_classes_that_hold_each_other(lib: ModuleType) -> None:
    right = lib.Right()
    right.lefts = [lib.Left(), lib.Left()]
    left = lib.Left()
    left.right = right
    assert left.right.v == 5
    assert [one.v for one in left.right.lefts] == [4, 4]


def test_pointers(lib: ModuleType) -> None:
    one, other = lib.Pointing(), lib.Pointing()
    one.next = other
    one.all = [other, one]
    assert one.next is other
    assert one.all == [other, one]


def test_instances_of_templates(lib: ModuleType) -> None:
    for made in (lib.IntNode(), lib.Node["double"]()):
        assert (made.next, made.children) == (None, [])
        made.children = [made]
        assert [one.v for one in made.children] == [0]
