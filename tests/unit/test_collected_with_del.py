"""Objects of classes with ``__del__`` in cycles of references: they are collected, and C++'s object ends after it."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

SOURCE = r"""
#include <functional>
#include <vector>
struct Widget {
  static inline int alive = 0; int n = 7; std::function<void()> f; Widget* other = nullptr;
  Widget() { ++alive; } Widget(const Widget&) { ++alive; } virtual ~Widget() { --alive; } int get() { return n; }
};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="with_del", std="c++17")


CYCLES = {
    "an attribute": lambda one, two: setattr(one, "me", one),
    "a list": lambda one, two: setattr(one, "all", [one]),
    "a bound method": lambda one, two: setattr(one, "call", one.method),
    "a pair": lambda one, two: (setattr(one, "other_one", two), setattr(two, "other_one", one)),
    "a closure": lambda one, two: setattr(one, "call", lambda: one),
    "a pointer of C++'s": lambda one, two: (setattr(one, "other", two), setattr(two, "other", one)),
    "a dictionary of its own": lambda one, two: setattr(one, "__dict__", {"me": one}),
}  # fmt: skip


@each("way", CYCLES)
def test_cycles_are_collected(lib: Any, way: str) -> None:
    seen: list[int] = []

    class Mine(lib.Widget):  # type: ignore[misc]
        def method(self) -> None: ...

        def __del__(self) -> None:
            seen.append(self.get())  # the object is there

    before = lib.Widget.alive
    for _ in range(20):
        CYCLES[way](Mine(), Mine())
    gc.collect()
    gc.collect()
    assert (seen, lib.Widget.alive) == ([7] * 40, before)


def test_others_use_the_object_in_their_del(lib: Any) -> None:
    seen: list[int] = []

    class Mine(lib.Widget):  # type: ignore[misc]
        def __del__(self) -> None:
            seen.append(self.mate.get())

    before = lib.Widget.alive
    one, two = Mine(), Mine()
    one.mate, two.mate = two, one
    del one, two
    gc.collect()
    gc.collect()
    assert (seen, lib.Widget.alive) == ([7, 7], before)


def test_an_object_that_its_del_saves_lives_on(lib: Any) -> None:
    saved: list[Any] = []

    class Mine(lib.Widget):  # type: ignore[misc]
        def __del__(self) -> None:
            saved.append(self)

    one = Mine()
    one.me = one
    del one
    gc.collect()
    gc.collect()
    assert saved[0].me.get() == 7
    before = lib.Widget.alive
    saved.clear()
    gc.collect()
    gc.collect()
    assert lib.Widget.alive == before - 1


def test_a_del_that_comes_later(lib: Any) -> None:
    ended: list[int] = []

    class Mine(lib.Widget):  # type: ignore[misc]
        pass

    class More(Mine):
        pass

    before = lib.Widget.alive
    made = [Mine(), More()]
    Mine.__del__ = lambda self: ended.append(self.get())
    for one in made:
        one.me = one
    made.clear()
    del one
    gc.collect()
    gc.collect()
    assert (ended, lib.Widget.alive) == ([7, 7], before)
