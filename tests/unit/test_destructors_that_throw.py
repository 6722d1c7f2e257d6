"""An argument whose destructor throws when the result is made already: the call fails, and nothing is left of it."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
inline long& balance() { static long n = 0; return n; }
inline long alive() { return balance(); }
struct Loud {
  int n;
  explicit Loud(int i) : n(i) {}
  Loud(const Loud&) = default;
  Loud(Loud&& o) : n(std::exchange(o.n, 0)) {}
  ~Loud() noexcept(false) { if (std::exchange(n, 0)) throw std::runtime_error("loud"); }
};
class Item { std::string s = "an item whose name is long"; public:
  Item() { ++balance(); } Item(const Item& o) : s(o.s) { ++balance(); } ~Item() { --balance(); } };
struct Built { Item item; explicit Built(Loud, int = 3) {} };
using pair = std::pair<Loud, int>;
inline Item item(Loud, int = 1, int = 2) { return Item(); }
inline Item by_reference(const pair&) { return Item(); }
inline Item by_pointer(const pair*) { return Item(); }
inline std::unique_ptr<Item> unique(Loud) { return std::unique_ptr<Item>(new Item()); }
inline std::shared_ptr<Item> shared(Loud) { return std::make_shared<Item>(); }
inline std::vector<Item> items(Loud, int = 1) { return std::vector<Item>(3); }
inline std::vector<Item> of_pair(pair) { return std::vector<Item>(3); }
inline std::optional<Item> maybe(Loud) { return Item(); }
inline std::map<std::string, Item> table(const pair&) { return {{"one", Item()}, {"two", Item()}}; }
inline int outputs(const pair&, std::vector<Item>& v, std::vector<Item>* w) { v.resize(2); w->resize(3); return 1; }
inline int number(Loud) { return 1; }
"""
OUTPUTS = {"outputs": {"v": "out_return", "w": "out_return"}}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", arg_intent=OUTPUTS, name="loud")


ROWS: dict[str, tuple[Any, ...]] = {
    "item": (),
    "item, one more": (1,),
    "item, all": (1, 2),
    "Built": (),
    "Built, all": (1,),
    "unique": (),
    "shared": (),
    "items": (),
    "items, all": (1,),
    "maybe": (),
    "number": (),
    "of_pair": (),
    "by_reference": (),
    "by_pointer": (),
    "table": (),
    "outputs": (),
}
OF_PAIRS = ("of_pair", "by_reference", "by_pointer", "table", "outputs")


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nothing_is_left(lib: Any, row: str) -> None:
    name = row.partition(",")[0]
    loud = lib.Loud(3)
    with pytest.raises(RuntimeError, match="loud"):
        getattr(lib, name)((loud, 3) if name in OF_PAIRS else loud, *ROWS[row])
    del loud
    gc.collect()
    assert lib.alive() == 0


@pytest.mark.parametrize("row", ROWS)
def test_without_it_results_come(lib: Any, row: str) -> None:
    name, still = row.partition(",")[0], lib.Loud(0)
    made = getattr(lib, name)((still, 3) if name in OF_PAIRS else still, *ROWS[row])
    assert made is not None
    assert name == "number" or lib.alive() > 0
    del made
    gc.collect()
    assert lib.alive() == 0
