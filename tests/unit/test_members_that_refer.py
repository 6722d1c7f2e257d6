"""Members that have addresses in containers: the object keeps what its member was given."""

from __future__ import annotations

import copy
import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct K { int n; K(int n) : n(n) {} ~K() { n = -7; } };
struct P { int n; };
struct R { const char* name; double* p; };
struct V {
  V(std::string_view s) : v(s) {}
  std::string text() const { return std::string(v); }
 private:
  std::string_view v;
};
struct Bag {
  std::string name;
  std::vector<K*> ks; std::vector<const K*> constants; std::map<std::string, K*> by_name; std::map<K*, int> keys;
  std::optional<K*> maybe; std::pair<int, K*> pair; std::tuple<K*, K*> tuple; std::vector<P*> ps;
  std::vector<double*> doubles; std::vector<std::span<const double>> spans; std::span<double> span;
  std::vector<std::reference_wrapper<K>> references; std::vector<std::vector<K*>> deep; std::variant<int, K*> either;
  std::vector<const char*> words; std::vector<int (*)(int)> functions; std::vector<std::function<int(int)>> calls;
  std::vector<R> records; std::vector<V> views; std::array<K*, 2> fixed{}; K* raw[2] = {}; K* one = nullptr;
  int sum() const { int s = 0; for (const K* k : ks) s += k->n; return s; }
  int first_key() const { return keys.begin()->first->n; }
  double first_double() const { return doubles[0][9]; }
  std::string word() const { return words[0]; }
  int function(int x) const { return functions[0](x); }
  int call(int x) const { return calls[0](x); }
  double record() const { return records[0].p[9]; }
  std::string record_name() const { return records[0].name; }
  std::string view() const { return views[0].text(); }
};
struct Sub : Bag { int z = 0; };
struct Around { int before = 0; Bag bag; Bag& get() { return bag; } };
std::vector<K*> pointers; std::map<int, P*> mapped; std::span<double> span; std::vector<std::string> texts;
struct Places { std::vector<K*> v{nullptr}; K*& operator[](int i) { return v[i]; } };
inline int nested(const std::function<int(const std::function<int(int)>&)>& g) { return g([](int x) { return x; }); }
struct Holder { static inline std::vector<K*> shared; };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="refer", std="c++20")


def text() -> str:
    return "".join(["a text "] * 40)


def settle(lib: Any) -> list[Any]:
    """Use the memory again that nobody keeps."""
    gc.collect()
    return [
        [lib.K(50) for _ in range(40)],
        [lib.P(50) for _ in range(40)],
        [np.full(100, 50.0) for _ in range(40)],
        ["".join(["another"] * 40) + str(n) for n in range(40)],
    ]


def numbers(count: int = 100) -> Any:
    return np.full(count, 3.0)


# member, what it is set to, what is asked then, the answer
ROWS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], Any]] = {
    "ks": (lambda lib: [lib.K(1), lib.K(2)], lambda bag: (bag.sum(), [k.n for k in bag.ks]), (3, [1, 2])),
    "constants": (lambda lib: (lib.K(1),), lambda bag: bag.constants[0].n, 1),
    "by_name": (lambda lib: {"a": lib.K(1)}, lambda bag: bag.by_name["a"].n, 1),
    "keys": (lambda lib: {lib.K(4): 1}, lambda bag: bag.first_key(), 4),
    "maybe": (lambda lib: lib.K(1), lambda bag: bag.maybe.n, 1),
    "pair": (lambda lib: (5, lib.K(1)), lambda bag: bag.pair[1].n, 1),
    "tuple": (lambda lib: (lib.K(1), lib.K(2)), lambda bag: [k.n for k in bag.tuple], [1, 2]),
    "ps": (lambda lib: [lib.P(1)], lambda bag: bag.ps[0].n, 1),
    "doubles": (lambda lib: [numbers()], lambda bag: bag.first_double(), 3.0),
    "references": (lambda lib: [lib.K(1)], lambda bag: bag.references[0].n, 1),
    "deep": (lambda lib: [[lib.K(1)], [lib.K(2)]], lambda bag: [k.n for ks in bag.deep for k in ks], [1, 2]),
    "either": (lambda lib: lib.K(1), lambda bag: bag.either.n, 1),
    "words": (lambda lib: [text()], lambda bag: bag.word(), text()),
    "functions": (lambda lib: [lambda x: x + 1], lambda bag: bag.function(3), 4),
    "calls": (lambda lib: [lambda x: x + 1], lambda bag: bag.call(3), 4),
    "records": (
        lambda lib: [lib.R(name=text(), p=numbers())],
        lambda bag: (bag.record(), bag.record_name()),
        (3.0, text()),
    ),
    "views": (lambda lib: [lib.V(text())], lambda bag: bag.view(), text()),
    "fixed": (lambda lib: (lib.K(1), lib.K(2)), lambda bag: [k.n for k in bag.fixed], [1, 2]),
    "raw": (lambda lib: (lib.K(1), lib.K(2)), lambda bag: [k.n for k in bag.raw], [1, 2]),
    "one": (lambda lib: lib.K(1), lambda bag: bag.one.n, 1),
}

OBJECTS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda lib: lib.Bag(),
    "derived": lambda lib: lib.Sub(),
    "inside": lambda lib: lib.Around().get(),
}


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("member", ROWS)
def test_the_object_keeps_what_its_member_has(lib: Any, member: str, kind: str) -> None:
    make, ask, answer = ROWS[member]
    bag = OBJECTS[kind](lib)
    setattr(bag, member, make(lib))
    others = settle(lib)
    assert ask(bag) == answer
    del others


@pytest.mark.parametrize("member", ROWS)
@pytest.mark.parametrize("duplicate", [copy.copy, lambda bag: type(bag)(bag)], ids=["copy", "constructor"])
def test_a_copy_keeps_it_too(lib: Any, member: str, duplicate: Callable[[Any], Any]) -> None:
    make, ask, answer = ROWS[member]
    bag = lib.Bag()
    setattr(bag, member, make(lib))
    bag = duplicate(bag)
    others = settle(lib)
    assert ask(bag) == answer
    del others


def test_a_list_that_changes_later_changes_nothing(lib: Any) -> None:
    bag, ks = lib.Bag(), [lib.K(1), lib.K(2)]
    bag.ks = ks
    ks.clear()
    others = settle(lib)
    assert bag.sum() == 3
    del others


def test_what_a_member_had_before_is_let_go(lib: Any) -> None:
    bag, one, two = lib.Bag(), lib.K(1), lib.K(2)
    before = sys.getrefcount(one)
    bag.ks, bag.deep = [one], [[two]]
    assert sys.getrefcount(one) > before
    for _ in range(3):
        bag.ks = [one, two]
    bag.ks = []
    assert sys.getrefcount(one) == before
    with pytest.raises(sb.IntentError, match=r"refer to it \(Bag\)"):
        sb.delete(two)
    bag.deep = []
    sb.delete(two)


def test_objects_without_addresses_are_not_kept(lib: Any) -> None:
    assert not lib.Bag().__samebytes_kept__
    bag = lib.Bag()
    bag.name = text()
    assert not bag.__samebytes_kept__


@pytest.mark.parametrize(
    ("place", "name", "make"),
    [
        (lambda lib: lib, "pointers", lambda lib: [lib.K(1)]),
        (lambda lib: lib, "mapped", lambda lib: {1: lib.P(1)}),
        (lambda lib: lib.Holder, "shared", lambda lib: [lib.K(1)]),
    ],
)
def test_a_variable_keeps_nothing_and_says_so(lib: Any, place: Any, name: str, make: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"Nothing would keep it alive: keep it yourself, and give sb\.Pointer"
    ):
        setattr(place(lib), name, make(lib))
    kept = lib.K(1) if name != "mapped" else lib.P(1)
    pointer = sb.Pointer(kept.__samebytes_address__)
    setattr(place(lib), name, {1: pointer} if name == "mapped" else [pointer, None])
    found = getattr(place(lib), name)
    assert (found[1] if name == "mapped" else found[0]).n == 1


def test_what_only_shows_elements_is_set_by_cxx_alone(lib: Any) -> None:
    with pytest.raises(AttributeError, match=r"Bag\.spans only shows elements: nothing would keep"):
        lib.Bag().spans = [numbers()]
    with pytest.raises(AttributeError, match="'span' only shows elements"):
        lib.span = numbers()
    lib.texts = ["a", "b"]
    assert lib.texts == ["a", "b"]
    assert [s.name.partition("(")[0] for s in lib.__skipped__] == []


def test_an_element_that_is_an_address_is_not_assigned(lib: Any) -> None:
    with pytest.raises(TypeError, match="does not support item assignment"):
        lib.Places()[0] = lib.K(1)  # nothing would keep it


def test_what_only_cxx_calls_is_set_and_says_so(lib: Any) -> None:
    bag = lib.Bag()
    bag.calls = [lambda x: x + 1]
    with pytest.raises(
        AttributeError, match=r"this member of Bag is a std::function: it is set, and only C\+\+ calls it"
    ):
        bag.calls  # noqa: B018


def test_a_function_of_functions_gives_a_function(lib: Any) -> None:
    assert lib.nested(lambda f: f(20) + 1) == 21
