"""Weak references to objects of bound classes, and of classes that Python derives from them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

SOURCE = r"""
#include <functional>
#include <memory>
struct Point { int x = 0, y = 0; };
struct Button { std::function<void()> clicked; Point at; virtual ~Button() {}
  void press() { if (clicked) clicked(); } };
inline std::unique_ptr<Button> make() { return std::make_unique<Button>(); }
inline std::shared_ptr<Button> common() { return std::make_shared<Button>(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="weak", std="c++17")


MADE = {
    "a record": lambda lib: lib.Point(),
    "a handle": lambda lib: lib.Button(),
    "a std::unique_ptr's": lambda lib: lib.make(),
    "a std::shared_ptr's": lambda lib: lib.common(),
    "of a derived class": lambda lib: type("Mine", (lib.Button,), {})(),
    "with slots": lambda lib: type("Mine", (lib.Button,), {"__slots__": ("n", "__weakref__")})(),
    "of a derived record": lambda lib: type("Mine", (lib.Point,), {})(),
    "a view": lambda lib: lib.Button().at,
}  # fmt: skip


@each("what", MADE)
def test_a_reference_ends_with_its_object(lib: Any, what: str) -> None:
    made, ended = MADE[what](lib), []
    reference = weakref.ref(made, ended.append)
    assert reference() is made
    del made
    gc.collect()
    assert (reference(), ended) == (None, [reference])


@each("what", MADE)
def test_the_memory_of_dead_objects_is_used_again(lib: Any, what: str) -> None:
    references = [weakref.ref(MADE[what](lib)) for _ in range(100)]
    gc.collect()
    assert not any(reference() for reference in references)


def test_a_weak_method_opens_a_circle(lib: Any) -> None:
    pressed = []

    class Mine(lib.Button):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            method = weakref.WeakMethod(self.press_me)
            self.clicked = lambda: method()()

        def press_me(self) -> None:
            pressed.append(1)

    button = Mine()
    button.press()
    reference = weakref.ref(button)
    del button
    assert (pressed, reference()) == ([1], None)


def test_a_weak_dictionary_and_a_finalizer(lib: Any) -> None:
    known, ended, button = weakref.WeakValueDictionary[int, Any](), [], lib.Button()
    known[1] = button
    weakref.finalize(button, ended.append, 1)
    del button
    gc.collect()
    assert (dict(known), ended) == ({}, [1])
