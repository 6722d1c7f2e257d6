"""C++ objects live exactly as long as Python needs them: each is destroyed once, and what it refers to is kept."""

from __future__ import annotations

import gc
import os
import tracemalloc
import weakref
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <memory>
#include <stdexcept>
#include <string>
inline int& balance() { static int n = 0; return n; }
inline int alive() { return balance(); }
class Item {
  std::string text;
public:
  int* guard;
  explicit Item(std::string t) : text(t), guard(new int(7)) {
    if (t.empty()) { delete guard; throw std::invalid_argument("empty"); }
    ++balance();
  }
  Item(const Item& other) : text(other.text), guard(new int(*other.guard)) { ++balance(); }
  virtual ~Item() { --balance(); delete guard; }
  Item& itself() { return *this; }
  Item copy() const { return *this; }
  int size() const { return static_cast<int>(text.size()) + *guard - 7; }
  Item& fail() { throw std::runtime_error("no"); }
};
class Derived : public Item { public: Derived() : Item("derived") {} };
class Box { Item item; public: Box() : item("in a box") {} Item& get() { return item; } };
class View { const Item* item; public: explicit View(const Item& i) : item(&i) {}
  int size() const { return item->size(); }
  View again() const { return *this; } ~View() {} };
class Buffer { double* data; int n; public: Buffer(double* d, int count) : data(d), n(count) {}
  double sum() const { double s = 0; for (int i = 0; i < n; ++i) s += data[i]; return s; } ~Buffer() {} };
inline Item make(const std::string& t) { return Item(t); }
inline int by_value(Item i) { return i.size(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def test_each_object_is_destroyed_once(lib: Any) -> None:
    def use() -> None:
        item = lib.Item("abc")
        assert (item.copy().size(), lib.by_value(item), lib.make("ab").size(), lib.Derived().size()) == (
            3,
            3,
            2,
            7,
        )
        assert lib.alive() == 1

    use()
    gc.collect()
    assert lib.alive() == 0


def test_a_constructor_that_throws_leaves_nothing(lib: Any) -> None:
    with pytest.raises(ValueError, match="empty"):
        lib.Item("")
    with pytest.raises(RuntimeError, match="no"):
        lib.Item("x").fail()
    gc.collect()
    assert lib.alive() == 0


def test_a_view_keeps_the_object(lib: Any) -> None:
    item = lib.Box().get()
    gc.collect()
    assert (lib.alive(), item.size()) == (1, 8)
    again = item.itself()
    assert again is item
    del item, again
    gc.collect()
    assert lib.alive() == 0


def test_an_object_keeps_what_its_constructor_saw(lib: Any) -> None:
    view = lib.View(lib.Item("kept"))
    gc.collect()
    assert (lib.alive(), view.size(), view.again().size()) == (1, 4, 4)
    for _ in range(100):
        view = view.again()
    assert view.size() == 4
    assert len(gc.get_referents(view)) < 6, "passing objects on makes no chain"
    del view
    gc.collect()
    assert lib.alive() == 0


def test_an_object_keeps_an_array(lib: Any) -> None:
    import numpy as np

    numbers = np.arange(4.0)
    buffer, seen = lib.Buffer(numbers, 4), weakref.ref(numbers)
    del numbers
    gc.collect()
    assert seen() is not None
    assert buffer.sum() == 6.0
    del buffer
    gc.collect()
    assert seen() is None


def test_many_objects_leak_nothing(lib: Any) -> None:
    count = int(os.environ.get("SAMEBYTES_OBJECTS", "20000"))

    def churn(times: int) -> None:
        box = lib.Box()
        for _ in range(times):
            lib.Item("x").copy().itself()
            box.get()

    churn(100)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    churn(count)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert lib.alive() == 0
    assert grown < 20_000
