"""Assigning a container that is a member ends what is in it: not while Python has objects that may lie there."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
struct Dot { int x = 1; };
struct Item {
  std::string text;
  Dot dot;
  Item(std::string t = "an item with a text that lies on the heap") : text(t) {}
  Item(const Item&) = default;
  Item& operator=(const Item&) = default;
  ~Item() { text = "gone"; }
};
struct Special : Item { int more = 2; };
struct Other { std::string text = "other"; ~Other() {} };
struct Bag {
  std::vector<Item> items{3};
  std::list<Item> list{2};
  std::deque<Special> deque{2};
  std::map<int, Item> map{{1, Item()}};
  std::vector<std::vector<Item>> rows{std::vector<Item>(2)};
  std::vector<std::pair<int, Item>> pairs{{1, Item()}};
  std::vector<Dot> dots{3};
  std::vector<int> numbers{1, 2};
  std::vector<std::string> texts{"a"};
  std::vector<Item*> pointers;
  Item single;
  Bag() {}
  ~Bag() {}
  Item& item(int i) { return items.at(i); }
  const Item& fixed() const { return items.front(); }
  Item& listed() { return list.front(); }
  Special& queued() { return deque.front(); }
  Item& as_base() { return deque.front(); }
  Item& mapped() { return map.at(1); }
  Item& in_row() { return rows[0][1]; }
  Item& in_pair() { return pairs[0].second; }
  Dot& dot() { return dots[1]; }
  Item copied() const { return items[0]; }
};
inline Item global;
inline Item& unrelated(Bag&) { return global; }
"""

Reach = Callable[[Any], Any]
# An object in a container, the member that has it, and what is assigned.
IN: dict[str, tuple[Reach, str, Any]] = {
    "vector": (lambda b: b.item(1), "items", []),
    "const": (lambda b: b.fixed(), "items", []),
    "part of an element": (lambda b: b.item(1).dot, "items", []),
    "list": (lambda b: b.listed(), "list", []),
    "deque": (lambda b: b.queued(), "deque", []),
    "base": (lambda b: b.as_base(), "deque", []),
    "map": (lambda b: b.mapped(), "map", {}),
    "rows": (lambda b: b.in_row(), "rows", []),
    "pairs": (lambda b: b.in_pair(), "pairs", []),
    "records": (lambda b: b.dot(), "dots", []),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, std="c++17")


@pytest.mark.parametrize("where", IN)
def test_it_is_refused_while_python_has_one(lib: Any, where: str) -> None:
    reach, member, empty = IN[where]
    bag = lib.Bag()
    one = reach(bag)
    before = one.x if isinstance(one, lib.Dot) else one.text
    with pytest.raises(sb.IntentError, match="Python has objects that may lie inside of"):
        setattr(bag, member, empty)
    assert (one.x if isinstance(one, lib.Dot) else one.text) == before
    del one
    setattr(bag, member, empty)
    assert len(getattr(bag, member)) == 0


OUTSIDE: dict[str, Reach] = {
    "nothing": lambda b: None,
    "a member": lambda b: b.single,
    "a copy": lambda b: b.copied(),
    "elements of a copy": lambda b: b.items,
    "an element of a copy": lambda b: b.items[0],
    "another class": lambda b: b.dot(),
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_others_do_not_matter(lib: Any, what: str) -> None:
    bag = lib.Bag()
    one = OUTSIDE[what](bag)
    bag.items = [lib.Item("new")]
    assert [i.text for i in bag.items] == ["new"]
    del one


def test_the_usual_ways_to_assign(lib: Any) -> None:
    bag = lib.Bag()
    bag.items = [*bag.items, lib.Item("more")]
    bag.items += [lib.Item("still more")]
    bag.items = bag.items
    assert [i.text for i in bag.items[3:]] == ["more", "still more"]
    other = lib.Bag()
    first = other.item(0)
    bag.items = other.items
    bag.items = [first, other.item(1)]
    assert len(bag.items) == 2


@pytest.mark.parametrize(("member", "value"), [("numbers", [3]), ("texts", ["b"]), ("pointers", [])])
def test_containers_without_objects_of_classes_are_assigned(lib: Any, member: str, value: Any) -> None:
    bag = lib.Bag()
    one = bag.item(0)
    setattr(bag, member, value)
    assert list(getattr(bag, member)) == value
    assert one.text.startswith("an item")


def test_garbage_does_not_matter(lib: Any) -> None:
    bag = lib.Bag()
    circle: list[Any] = [bag.item(0)]
    circle.append(circle)
    gc.disable()
    try:
        del circle
        bag.items = []
    finally:
        gc.enable()
    assert bag.items == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": 1}, r"Bag\.map key 'a': expected int32"),
        ({1: 2}, r"Bag\.map\[1\]: expected an object of Item, got 2"),
        ([1], r"Bag\.map: expected a dict"),
    ],
)
def test_the_place_in_a_dict_is_named_as_python_writes_it(lib: Any, value: Any, words: str) -> None:
    bag = lib.Bag()
    with pytest.raises(sb.ArgumentError, match=words):
        bag.map = value
    assert list(bag.map) == [1]
