"""Random programs of keeping: objects, ways to assign and to move them, and what C++ does later. ``keeping.py SEED N``.

A model of Python's says what each place refers to; C++ then reads the places. Python keeps nothing itself, so what the
library does not keep is freed, and spoiled (``MALLOC_PERTURB_``). Prints ``wrong: []`` at the end.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import samebytes as sb

SOURCE = r"""
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct Item { std::string name; explicit Item(std::string n) : name(std::move(n)) {} ~Item() { name = "(ended)"; } };
struct Slot { Item* item = nullptr; Item* pair[2] = {}; };
struct Box {
  Item* one = nullptr; Item* two[2] = {}; Slot slot; Slot slots[2];
  std::vector<Item*> list; std::map<std::string, Item*> map; std::optional<Item*> maybe;
  std::pair<int, Item*> both{0, nullptr}; std::tuple<int, Item*> three{0, nullptr};
  std::vector<std::vector<Item*>> deep;
  std::variant<int, Item*> either{0};
  virtual ~Box() {}
  Slot& at() { return slot; }
  std::vector<Slot*> all() { return {&slots[0], &slots[1]}; }
  Item* first() { return one; } Item* front() { return list.empty() ? nullptr : list[0]; }
  Box& self() { return *this; }
};
struct Ref { const Item& item; explicit Ref(const Item& x) : item(x) {} virtual ~Ref() {} };
inline Slot shared;
struct Home { static inline Slot slot; };
struct Pool {
  std::vector<std::unique_ptr<Box>> boxes; std::vector<std::shared_ptr<Box>> shares;
  std::vector<std::unique_ptr<Ref>> refs;
  void add(std::unique_ptr<Box> b) { boxes.push_back(std::move(b)); }
  void share(std::shared_ptr<Box> b) { shares.push_back(std::move(b)); }
  void look(std::unique_ptr<Ref> r) { refs.push_back(std::move(r)); }
  std::unique_ptr<Box> last() { auto b = std::move(boxes.back()); boxes.pop_back(); return b; }
  Box& box() { return *boxes.back(); } std::shared_ptr<Box> common() { return shares.back(); }
  Box& box_at(int i) { return *boxes.at(i); } std::shared_ptr<Box> share_at(int i) { return shares.at(i); }
  std::string seen(int i) { return refs.at(i)->item.name; }
};
inline std::unique_ptr<Box> make_unique_box() { return std::make_unique<Box>(); }
inline std::shared_ptr<Box> make_shared_box() { return std::make_shared<Box>(); }
inline std::string text(const Item* item) { return item ? item->name : "(null)"; }
inline std::string of(const Slot& s) { return text(s.item); }
"""
LONG = "an item that Python made, and whose text lies elsewhere, number "


# How a place of a box is set to an item (or emptied, by None), and how it is read.
PLACES: dict[str, tuple[Callable[[Any, Any], None], Callable[[Any], Any]]] = {
    "one": (lambda b, x: setattr(b, "one", x), lambda b: b.one),
    "self().one": (lambda b, x: setattr(b.self(), "one", x), lambda b: b.self().one),
    "two": (lambda b, x: setattr(b, "two", (x, None)), lambda b: b.two[0]),
    "slot.item": (lambda b, x: setattr(b.slot, "item", x), lambda b: b.slot.item),
    "at().pair": (lambda b, x: setattr(b.at(), "pair", (x, None)), lambda b: b.slot.pair[0]),
    "all()": (lambda b, x: setattr(b.all()[1], "item", x), lambda b: b.slots[1].item),
    "list": (lambda b, x: setattr(b, "list", [] if x is None else [x]), lambda b: b.list[0] if b.list else None),
    "map": (lambda b, x: setattr(b, "map", {} if x is None else {"a": x}), lambda b: b.map.get("a")),
    "maybe": (lambda b, x: setattr(b, "maybe", x), lambda b: b.maybe),
    "both": (lambda b, x: setattr(b, "both", (1, x)), lambda b: b.both[1]),
    "three": (lambda b, x: setattr(b, "three", (1, x)), lambda b: b.three[1]),
    "deep": (lambda b, x: setattr(b, "deep", [] if x is None else [[x]]), lambda b: b.deep[0][0] if b.deep else None),
}  # fmt: skip
# Where two ways lead to one place.
SAME = {"self().one": "one"}


class Program:
    """One random program: boxes by their numbers, what each place refers to, and views that Python has."""

    def __init__(self, lib: Any, seed: int) -> None:
        self.lib, self.random = lib, random.Random(seed)
        self.made = 0
        self.boxes: dict[int, Any] = {}
        self.pool: list[int] = []
        self.shares: list[int] = []
        self.places: dict[tuple[int, str], str] = {}
        self.views: list[tuple[Any, str]] = []
        self.refs: list[str] = []
        self.owner = lib.Pool()
        self.globals: dict[str, str] = {}
        self.wrong: list[str] = []
        self.steps: list[str] = []

    def name(self) -> str:
        self.made += 1
        return f"{LONG}{self.made}"

    def check(self, what: str, read: Callable[[], Any], expected: str) -> None:
        try:
            got = read()
        except Exception as error:  # of freed memory, anything
            got = error
        if got != expected:
            self.wrong.append(f"{what}: {got!r}, not {expected!r}; after {self.steps}")

    def get(self) -> tuple[int, Any] | None:
        """Some box, wherever it is."""
        ways = [*self.boxes]
        if self.pool and self.random.random() < 0.3:
            return self.pool[-1], self.owner.box()
        if self.shares and self.random.random() < 0.3:
            return self.shares[-1], self.owner.common()
        if not ways:
            return None
        number = self.random.choice(ways)
        return number, self.boxes[number]

    def text(self, read: Callable[[Any], Any], box: Any) -> Any:
        return self.lib.text(read(box))

    # --- steps ---

    def make(self) -> None:
        how = self.random.choice([self.lib.Box, self.lib.make_unique_box, self.lib.make_shared_box])
        self.made += 1
        self.boxes[self.made] = how()
        self.steps.append(f"{how.__name__} {self.made}")

    def assign(self) -> None:
        if (found := self.get()) is None:
            return
        number, box = found
        place = self.random.choice([*PLACES])
        empty = self.random.random() < 0.25
        name = "(null)" if empty else self.name()
        PLACES[place][0](box, None if empty else self.lib.Item(name))
        self.places[number, SAME.get(place, place)] = name
        self.steps.append(f"{number}.{place} = {name[-6:]}")

    def move(self) -> None:
        """What one place refers to is assigned to another one, and emptied where it was."""
        one, other = self.get(), self.get()
        if one is None or other is None:
            return
        (source, from_box), (target, to_box) = one, other
        place, to = self.random.choice([*PLACES]), self.random.choice([*PLACES])
        key, to_key = (source, SAME.get(place, place)), (target, SAME.get(to, to))
        if key == to_key or key not in self.places:
            return
        PLACES[to][0](to_box, PLACES[place][1](from_box))
        PLACES[place][0](from_box, None)
        self.places[to_key], self.places[key] = self.places[key], "(null)"
        self.steps.append(f"{target}.{to} = {source}.{place}; empty")

    def view(self) -> None:
        if (found := self.get()) is None:
            return
        number, box = found
        place = self.random.choice([*PLACES])
        name = self.places.get((number, SAME.get(place, place)), "(null)")
        item = PLACES[place][1](box)
        if name != "(null)":
            self.views.append((item, name))
            self.steps.append(f"view of {number}.{place}")
        else:
            self.check(f"{number}.{place}", lambda: self.lib.text(item), name)

    def drop_view(self) -> None:
        if self.views:
            self.views.pop(self.random.randrange(len(self.views)))

    def give(self) -> None:
        if not self.boxes:
            return
        number = self.random.choice([*self.boxes])
        way = self.random.choice([self.owner.add, self.owner.share])
        try:
            way(self.boxes[number])
        except sb.Error:
            return  # refused in words: somebody uses it, or the smart pointer is of the other kind
        del self.boxes[number]
        (self.pool if way.__name__ == "add" else self.shares).append(number)
        self.steps.append(f"{way.__name__} {number}")

    def take(self) -> None:
        if self.pool:
            number = self.pool.pop()
            self.boxes[number] = self.owner.last()
            self.steps.append(f"back {number}")

    def refer(self) -> None:
        name = self.name()
        self.owner.look(self.lib.Ref(self.lib.Item(name)))
        self.refs.append(name)

    def set_global(self) -> None:
        name = self.name()
        where, key = self.random.choice([(self.lib.shared, "shared"), (self.lib.Home.slot, "Home.slot")])
        where.item = self.lib.Item(name)
        self.globals[key] = name

    def drop_box(self) -> None:
        if len(self.boxes) > 3:
            number = self.random.choice([*self.boxes])
            del self.boxes[number]
            self.steps.append(f"drop {number}")

    def look(self) -> None:
        """C++ reads all that it may refer to."""
        gc.collect()
        junk = [self.lib.Item(f"junk {'j' * 60}{n}") for n in range(30)]
        for item, name in self.views:
            self.check("a view", partial(self.lib.text, item), name)
        for key, variable in (("shared", self.lib.shared), ("Home.slot", self.lib.Home.slot)):
            if key in self.globals:
                self.check(key, partial(self.lib.of, variable), self.globals[key])
        for number, name in enumerate(self.refs):
            self.check("a reference", partial(self.owner.seen, number), name)
        there = [*self.boxes.items()]
        there += [(n, self.owner.box_at(i)) for i, n in enumerate(self.pool)]
        there += [(n, self.owner.share_at(i)) for i, n in enumerate(self.shares)]
        for number, box in there:
            for place, (_, read) in PLACES.items():
                if (name := self.places.get((number, SAME.get(place, place)))) is not None:
                    self.check(f"{number}.{place}", partial(self.text, read, box), name)
        del junk

    def run(self, count: int) -> list[str]:
        acts = [self.assign] * 8 + [self.view] * 3 + [self.drop_view] * 2 + [self.move] * 3 + [self.make] * 2
        acts += [self.give] * 2 + [self.take, self.refer, self.set_global, self.drop_box]
        for _ in range(count):
            self.random.choice(acts)()
            if self.random.random() < 0.05:
                self.look()
        self.look()
        return self.wrong


def main(seed: int, count: int) -> None:
    """Run programs of 100 steps each."""
    lib = sb.compile(SOURCE, name="keeping", std="c++17")
    wrong: list[str] = []
    for number in range(max(count // 100, 1)):
        wrong += Program(lib, seed + number).run(100)
    print("wrong:", wrong[:5])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
