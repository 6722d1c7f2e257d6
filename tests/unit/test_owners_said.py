"""Factories and what ends their objects, paired by ``owns``: by name and by pattern, also in configurations."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb
from samebytes.make.config import load
from samebytes.make.options import OPTIONS
from samebytes.make.request import normal_request

SOURCE = r"""
namespace shop {
struct Cart { int n = 1; static inline int alive = 0, freed = 0;
  Cart() { ++alive; } Cart(const Cart&) { ++alive; } ~Cart() { --alive; } };
struct Till { int n = 2; static inline int alive = 0; Till() { ++alive; } ~Till() { --alive; }
  void close() { delete this; } };
inline Cart* cart_new() { return new Cart; }
inline Cart* cart_copy(const Cart& c) { return new Cart(c); }
inline void cart_free(Cart* c) { ++Cart::freed; delete c; }
inline Till* till_new() { return new Till; }
inline void till_free(Till* t) { delete t; }
inline Till* open() { return new Till; }
inline Till* look() { static Till* t = new Till; return t; }
inline int number_new() { return 3; }
inline int count() { return Cart::alive + Till::alive; }
inline int freed() { return Cart::freed; }
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    paired = {"shop::*_new": "shop::*_free", "shop::cart_copy": None}
    return sb.compile(
        SOURCE, owns=paired, config={"Owns": {"shop::open": "close", "shop::cart_copy": "none"}}
    ).shop


@pytest.mark.parametrize(
    ("make", "freed"),
    [("cart_new", 1), ("till_new", 0), ("cart_copy", 0), ("open", 0)],
)
def test_what_a_factory_gives_ends_with_python(lib: Any, make: str, freed: int) -> None:
    given = (lib.Cart(),) if make == "cart_copy" else ()
    alive, before = lib.count(), lib.freed()
    made = getattr(lib, make)(*given)
    assert lib.count() == alive + 1
    del made
    assert (lib.count(), lib.freed()) == (alive, before + freed)


def test_what_no_pair_names_stays_as_it_was(lib: Any) -> None:
    assert lib.number_new() == 3
    view, alive = lib.look(), lib.count()
    assert view.n == 2
    del view
    assert lib.count() == alive


def test_a_deleter_by_hand_ends_the_object(lib: Any) -> None:
    cart = lib.cart_new()
    lib.cart_free(cart)
    with pytest.raises(sb.IntentError, match=r"given to (shop\.)?cart_free\(\)"):
        lib.cart_free(cart)


def test_explain_says_what_ends_it(lib: Any) -> None:
    assert "owned; Python ends it by shop::cart_free(it)" in str(sb.explain(lib.cart_new))


REFUSED = {
    "an unknown function": (
        {"shop::carts": None},
        sb.BindError,
        r"owns names an unknown function, 'shop::carts'",
    ),
    "a pattern of nothing": (
        {"*_made": "*_free"},
        sb.BindError,
        r"a pattern that fits no function, '\*_made'",
    ),
    "an unknown deleter": ({"shop::open": "shut"}, sb.IntentError, r"owns, 'shop::open': .*deleter 'shut'"),
    "no object": ({"shop::number_new": None}, sb.IntentError, r"owns, 'shop::number_new': .*needs a pointer"),
}


@pytest.mark.parametrize("owns", [row[0] for row in REFUSED.values()], ids=REFUSED)
def test_what_cannot_be_meant_is_refused(owns: dict[str, Any]) -> None:
    kind, words = next(row[1:] for row in REFUSED.values() if row[0] is owns)
    with pytest.raises(kind, match=words):
        sb.compile(SOURCE, owns=owns)


MISWRITTEN = {
    "a name that is none": ({1: None}, "owns maps functions' names"),
    "a deleter that is none": ({"f": 1}, "owns maps functions' names"),
    "two stars": ({"*a*": None}, "has several"),
    "a star of the deleter alone": ({"f": "*_free"}, "has no"),
}


@pytest.mark.parametrize("owns", [row[0] for row in MISWRITTEN.values()], ids=MISWRITTEN)
def test_what_is_no_pair_is_refused(owns: Any) -> None:
    words = next(row[1] for row in MISWRITTEN.values() if row[0] is owns)
    given = {name: option.default for name, option in OPTIONS.items()} | {"owns": owns}
    with pytest.raises(sb.BindError, match=words):
        normal_request("x", given)


def test_python_counts_more_than_a_configuration() -> None:
    config = load({"Owns": {"f": "g", "h": None}})
    assert config.added_to({"owns": {"f": "k"}, "arg_intent": None})["owns"] == {"f": "k", "h": None}
