"""Hostile scenes: what threads do to objects at once. What is wrong is refused; nothing is read after it ended.

A scene is one row of ``SCENES``. Its acts run in eight threads, in any order, for as long as ``hostile.py`` is told; an
act that is refused (``sb.Error``) was answered rightly. Methods of one object that race in C++ itself are no act.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import array_scenes as arrays
import callback_scenes as callbacks
import ending_scenes as ending
from disturbing import Asks, words

import samebytes as sb

Act = Callable[[Any, SimpleNamespace], object]


@dataclass(frozen=True)
class Scene:
    """One table row.

    Attributes
    ----------
    source : str
        C++.
    start : callable
        Given the library: what the threads share. Acts may exchange what is in it.
    acts : tuple of callable
        Each is given the library and what is shared.
    intents : mapping
        By function, as ``compile`` takes them.
    needs : str
        A module without which the scene is skipped.
    """

    source: str
    start: Callable[[Any], SimpleNamespace]
    acts: tuple[Act, ...]
    intents: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    needs: str = ""


def quietly(act: Callable[[], object]) -> Callable[[], None]:
    """An act that others run in the middle of theirs: it is refused for itself."""

    def run() -> None:
        with contextlib.suppress(sb.Error):
            act()

    return run


# --- members: each access excludes the others ---

MEMBERS = """
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
struct Item { std::string text = "a text of an item that lies on the heap"; ~Item() {} };
struct O {
  std::string name; std::vector<std::string> list; std::map<std::string, std::string> map;
  std::optional<std::string> maybe; std::shared_ptr<Item> shared; std::pair<std::string, int> pair;
  static inline std::string common;
  ~O() {}
};
inline std::string everywhere;
"""


def _sets(name: str, *values: Any) -> Act:
    def act(lib: Any, shared: SimpleNamespace) -> None:
        for value in values:
            setattr(shared.one, name, value)

    return act


def _reads(name: str) -> Act:
    return lambda lib, shared: getattr(shared.one, name)


LONG = "a" * 50, "b" * 5000, ""
_MEMBERS = {
    "name": LONG,
    "list": (list(LONG), []),
    "map": ({"x": LONG[0], LONG[0]: "y"}, {}),
    "maybe": (LONG[1], None),
    "pair": ((LONG[0], 1), ("", 2)),
    "common": LONG,
}


def _set_everywhere(lib: Any, shared: SimpleNamespace) -> None:
    lib.everywhere = LONG[0]
    lib.everywhere = lib.everywhere + "x"


def _set_shared(lib: Any, shared: SimpleNamespace) -> None:
    shared.one.shared = lib.Item()
    seen = shared.one.shared
    shared.one.shared = None
    assert seen is None or len(seen.text) > 10


# --- objects that calls use, and that others take over or move from ---

OWNED = """
#include <functional>
#include <memory>
#include <string>
#include <vector>
struct T {
  std::string text = "a text that lies on the heap, not in the object"; std::unique_ptr<int> k; std::string name;
  int numbers[3] = {1, 2, 3};
  T() : k(new int(7)) {}
  T(T&& o) : text(o.text), k(new int(*o.k)), name(o.name) {}
  virtual ~T() { text = "gone"; }
  int get() const { return *k + static_cast<int>(text.size()); }
  int cb(std::function<void()> f) const { f(); return get(); }
};
struct W { int k; W(std::unique_ptr<T> t) : k(t->get()) {} ~W() {} };
inline int both(const T& r, std::unique_ptr<T> b) { b.reset(); return r.get(); }
inline int two(std::unique_ptr<T> b, std::unique_ptr<T> c) { return b->get() + c->get(); }
inline int take(std::unique_ptr<T> b, std::shared_ptr<T> a) { b.reset(); return a->get(); }
inline int eat(std::unique_ptr<T> b) { return b->get(); }
inline int list(std::vector<std::unique_ptr<T>> v) { int n = 0; for (auto& t : v) n += t->get(); return n; }
inline int shares(std::vector<std::shared_ptr<T>> v, std::function<void()> f) { f(); return v.back()->get(); }
inline int refers(std::vector<std::reference_wrapper<T>> v, const double* x) { return v.back().get().get(); }
inline int texts(std::vector<std::pair<std::reference_wrapper<T>, std::string>> v) {
  return v.back().first.get().get(); }
inline int later(const T& r, const double* x) { return r.get(); }
inline int number(const int* p, std::function<void()> f) { f(); return p[2]; }
inline int moved(T&& t) { T mine(std::move(t)); return mine.get(); }
inline int wrapped(const W& w, const T& t) { return w.k + t.get(); }
inline int given(std::function<std::unique_ptr<T>()> f) { return f()->get(); }
"""


def _anew(lib: Any, shared: SimpleNamespace) -> None:
    shared.one = lib.T()


def _eat(lib: Any, shared: SimpleNamespace) -> None:
    one, shared.one = shared.one, lib.T()
    lib.eat(one)


def _eats(lib: Any, shared: SimpleNamespace) -> Callable[[], None]:
    return quietly(lambda: lib.eat(shared.one))


_OWNED: tuple[Act, ...] = (
    _anew,
    _eat,
    lambda lib, s: s.one.get(),
    lambda lib, s: s.one.cb(_eats(lib, s)),
    lambda lib, s: s.one.cb(lambda: None),
    lambda lib, s: lib.both(s.one, s.one),
    lambda lib, s: lib.both(s.one, s.other),
    lambda lib, s: lib.two(s.one, s.one),
    lambda lib, s: lib.take(s.one, s.one),
    lambda lib, s: lib.list([s.one, lib.T(), s.one]),
    lambda lib, s: lib.list([lib.T(), s.one]),
    lambda lib, s: lib.shares([s.one], _eats(lib, s)),
    lambda lib, s: lib.refers([s.one], Asks(_eats(lib, s))),
    lambda lib, s: lib.texts([(s.one, "x"), (s.other, words(_eats(lib, s)))]),
    lambda lib, s: lib.later(s.one, Asks(_eats(lib, s))),
    lambda lib, s: lib.number(s.one.numbers, _eats(lib, s)),
    lambda lib, s: lib.moved(s.one),
    lambda lib, s: lib.wrapped(s.one, s.other),
    lambda lib, s: lib.wrapped(s.one, s.one),
    lambda lib, s: lib.given(lambda: s.one),
    lambda lib, s: setattr(s.one, "name", words(_eats(lib, s))),
    lambda lib, s: s.one.name,
    lambda lib, s: setattr(s, "other", lib.T()),
)


SCENES: dict[str, Scene] = {
    "members": Scene(
        MEMBERS,
        lambda lib: SimpleNamespace(one=lib.O()),
        (
            *(_sets(name, *values) for name, values in _MEMBERS.items()),
            *(_reads(name) for name in _MEMBERS),
            _set_everywhere,
            _set_shared,
        ),
    ),
    "objects that end": Scene(ending.ENDED, ending.start, ending.ACTS, ending.INTENTS),
    "what callbacks get": Scene(callbacks.GIVEN, callbacks.start, callbacks.ACTS),
    "classes that end": Scene(ending.CLASSES, ending.start_classes, ending.CLASS_ACTS),
    "objects in use": Scene(OWNED, lambda lib: SimpleNamespace(one=lib.T(), other=lib.T()), _OWNED),
    "arrays that move": Scene(arrays.SOURCE, arrays.start, arrays.ACTS),
    "tensors that move": Scene(arrays.SOURCE, arrays.start_tensors, arrays.TENSOR_ACTS, needs="torch"),
}
