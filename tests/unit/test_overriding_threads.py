"""Virtual calls into Python from threads of C++'s: each is answered, keeps its result, and leaves nothing behind."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <atomic>
#include <string>
#include <thread>
#include <vector>
struct Item {
  static inline std::atomic<int> alive{0};
  std::string text;
  explicit Item(std::string t) : text(t) { ++alive; }
  Item(const Item& other) : text(other.text) { ++alive; }
  ~Item() { --alive; }
};
inline int items() { return Item::alive; }
struct Base {
  virtual ~Base() {}
  virtual long ask(long x, const std::string& word, const Item& item) = 0;
  virtual Item* spare() { return nullptr; }
};
inline int alive_while_spared(Base& base) {
  int alive = 0;
  std::thread([&] { if (base.spare()->text.size() == 5) alive = Item::alive; }).join();
  return alive;
}
inline long run(Base& base, int threads, int each) {
  std::atomic<long> sum{0};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      const Item item("an item whose text is allocated");
      for (int i = 0; i < each; ++i) sum += base.ask(i, "a word whose text is allocated", item);
    });
  for (auto& t : all) t.join();
  return sum;
}
"""
THREADS, EACH = 4, 500


def test_calls_of_four_threads_are_answered_and_leak_nothing() -> None:
    lib: Any = sb.compile(SOURCE)

    class Mine(lib.Base):  # type: ignore[misc, name-defined]
        def ask(self, x: int, word: str, item: Any) -> int:
            return x + len(word) + len(item.text)

    mine, texts = Mine(), len("a word whose text is allocated") + len("an item whose text is allocated")
    lib.run(mine, THREADS, 10)
    gc.collect()
    before = sys.getallocatedblocks()
    assert lib.run(mine, THREADS, EACH) == THREADS * (EACH * (EACH - 1) // 2 + EACH * texts)
    gc.collect()
    assert lib.items() == 0
    assert (
        sys.getallocatedblocks() - before < EACH
    )  # a call that leaked an object would leave four times as many


def test_what_a_thread_got_by_address_lives_until_its_next_call() -> None:
    lib: Any = sb.compile(SOURCE)

    class Mine(lib.Base):  # type: ignore[misc, name-defined]
        def ask(self, x: int, word: str, item: Any) -> int:
            return 0

        def spare(self) -> Any:
            return lib.Item("spare")

    mine = Mine()
    assert lib.alive_while_spared(mine) == 1
    for _ in range(100):
        lib.alive_while_spared(mine)
    assert lib.items() < 40  # what threads kept that have ended is dropped
