"""An object of a class that Python derives is that object whenever C++ hands it back, whether or not it overrides."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # it builds a library for each class of C++'s from which Python derives

SOURCE = r"""
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
struct Root { int r = 1; virtual ~Root() {} };
struct Item : Root { static inline int alive = 0; int n = 0; Item() { ++alive; }
  Item(const Item& o) : Root(o) { ++alive; }
  ~Item() override { --alive; } virtual int v() { return n; } };
struct Plain { int n = 0; ~Plain() {} };
struct Other { int before = 1; virtual ~Other() {} };
struct Both : Other, Item {};
template <class T> struct Bag {
  std::vector<std::shared_ptr<T>> shared; std::vector<T*> raw; std::map<int, std::shared_ptr<T>> named;
  std::optional<std::shared_ptr<T>> maybe; std::shared_ptr<T> member; T* field = nullptr;
  void share(std::shared_ptr<T> i) { shared.push_back(std::move(i)); }
  void share_all(std::vector<std::shared_ptr<T>> all) { shared = std::move(all); }
  std::shared_ptr<T> at(int i) { return shared.at(i); } std::vector<std::shared_ptr<T>> all() { return shared; }
  std::pair<int, std::shared_ptr<T>> pair() { return {1, shared.at(0)}; }
  T& ref() { return *shared.at(0); }
  void put(T* i) { raw.push_back(i); } T* get() { return raw.at(0); } std::vector<T*> pointers() { return raw; }
};
using Items = Bag<Item>;
using Plains = Bag<Plain>;
using Boths = Bag<Both>;
template struct Bag<Item>;
template struct Bag<Plain>;
template struct Bag<Both>;
inline Root& root(Items& items) { return *items.shared.at(0); }
inline Item* item(Boths& boths) { return boths.shared.at(0).get(); }
"""
OWNED = r"""
#include <memory>
#include <utility>
#include <vector>
struct Unit { static inline int alive = 0; int n = 0; Unit() { ++alive; } virtual ~Unit() { --alive; } };
struct Bare { int n = 0; ~Bare() {} };
struct Host {
  std::vector<std::unique_ptr<Unit>> all; std::vector<std::unique_ptr<Bare>> bare;
  void add(std::unique_ptr<Unit> u) { all.push_back(std::move(u)); }
  void add_all(std::vector<std::unique_ptr<Unit>> us) { all = std::move(us); }
  void take(Unit* u) { all.emplace_back(u); }
  void add_bare(std::unique_ptr<Bare> b) { bare.push_back(std::move(b)); }
  Unit& at(int i) { return *all.at(i); } Unit* pointer() { return all.at(0).get(); }
  std::unique_ptr<Unit> last() { auto u = std::move(all.back()); all.pop_back(); return u; }
  void clear() { all.clear(); }
};
"""
# How C++ comes to have an object, and how it hands it back.
WAYS = {
    "an element": (lambda b, x: b.share(x), lambda b: b.at(0)),
    "a list given": (lambda b, x: b.share_all([x]), lambda b: b.at(0)),
    "a list got": (lambda b, x: b.share(x), lambda b: b.all()[0]),
    "a reference": (lambda b, x: b.share(x), lambda b: b.ref()),
    "a pair": (lambda b, x: b.share(x), lambda b: b.pair()[1]),
    "a member": (lambda b, x: setattr(b, "member", x), lambda b: b.member),
    "a container member": (lambda b, x: setattr(b, "shared", [x]), lambda b: b.shared[0]),
    "a map": (lambda b, x: setattr(b, "named", {1: x}), lambda b: b.named[1]),
    "an optional": (lambda b, x: setattr(b, "maybe", x), lambda b: b.maybe),
    "a pointer field": (lambda b, x: setattr(b, "field", x), lambda b: b.field),
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="identity", std="c++17")


@pytest.fixture(scope="module")
def owned() -> Any:
    return sb.compile(OWNED, name="owned_identity", std="c++17", arg_intent={"Host.take": {"u": "owned"}})


def derived(base: Any) -> Any:
    class Tagged(base):  # type: ignore[misc]
        def __init__(self, tag: str) -> None:
            super().__init__()
            self.tag = tag

    return Tagged


@each("cls, way", [(cls, way) for cls in ("Item", "Plain", "Both") for way in WAYS])
def test_cxx_hands_back_the_very_object(lib: Any, cls: str, way: str) -> None:
    bag, (give, take) = getattr(lib, f"{cls}s")(), WAYS[way]
    made = derived(getattr(lib, cls))("a tag")
    reference = weakref.ref(made)
    give(bag, made)
    assert take(bag) is made
    del made
    gc.collect()
    assert (type(take(bag)).__name__, take(bag).tag) == ("Tagged", "a tag")
    del bag
    gc.collect()
    assert reference() is None


def test_by_any_of_its_bases(lib: Any) -> None:
    items, boths = lib.Items(), lib.Boths()
    one, two = derived(lib.Item)("one"), derived(lib.Both)("two")
    items.share(one)
    boths.share(two)
    assert lib.root(items) is one
    assert lib.item(boths) is two


def test_a_raw_pointer_owns_nothing(lib: Any) -> None:
    items, one = lib.Items(), derived(lib.Item)("one")
    items.put(one)
    assert items.get() is one
    assert items.pointers()[0] is one
    reference = weakref.ref(one)
    del one
    gc.collect()
    assert reference() is None


GIVEN = {
    "a std::unique_ptr": lambda h, x: h.add(x),
    "a list of them": lambda h, x: h.add_all([x]),
    "an owned argument": lambda h, x: h.take(x),
}


@each("way", GIVEN)
def test_what_cxx_owns_lives_until_it_ends_it(owned: Any, way: str) -> None:
    host, made = owned.Host(), derived(owned.Unit)("a tag")
    reference = weakref.ref(made)
    GIVEN[way](host, made)
    assert host.at(0) is made
    del made
    gc.collect()
    assert host.pointer().tag == "a tag"
    host.clear()
    gc.collect()
    assert (reference(), owned.Unit.alive) == (None, 0)


def test_what_comes_back_is_python_s_again(owned: Any) -> None:
    host = owned.Host()
    host.add(derived(owned.Unit)("a tag"))
    back = host.last()
    assert back.tag == "a tag"
    del back
    gc.collect()
    assert owned.Unit.alive == 0


def test_what_nobody_would_tell_of_is_refused(owned: Any) -> None:
    host, made = owned.Host(), derived(owned.Bare)("a tag")
    with pytest.raises(sb.IntentError, match="no virtual destructor"):
        host.add_bare(made)
    assert made.tag == "a tag"
    host.add_bare(owned.Bare())
