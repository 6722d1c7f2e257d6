"""``gsl::owner<T*>``: a result that Python ends, a parameter of which C++ ends the object; ``_Nonnull`` of members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
namespace gsl { template <class T> using owner = T; }
using gsl::owner;
struct Cart {
  int n;
  static inline int alive = 0;
  Cart(int k) : n(k) { ++alive; }
  Cart(const Cart& o) : n(o.n) { ++alive; }
  ~Cart() { --alive; }
};
class Hidden {
  ~Hidden() {}
 public:
  static gsl::owner<Hidden*> make() { return new Hidden; }
  int get() const { return 3; }
};
class Shop {
  Cart* cart;
 public:
  explicit Shop(owner<Cart*> c) : cart(c) {}
  Shop(const Shop&) = delete;
  ~Shop() { delete cart; }
  int n() const { return cart ? cart->n : 0; }
  int change(int by, gsl::owner<Cart*> c) { delete cart; cart = c; return n() + by; }
  static int take(gsl::owner<Cart*> c) { int n = c->n; delete c; return n; }
  owner<Cart*> give() { Cart* c = cart; cart = nullptr; return c; }
  int nonnull(const Cart* _Nonnull c, const Cart* d) const { return c->n + (d ? d->n : 0); }
  int second(const Cart* c, const Cart* d) const __attribute__((nonnull(3)));
};
struct Base {
  virtual ~Base() {}
  virtual int put(gsl::owner<Cart*> c) { int n = c->n; delete c; return n; }
  virtual int other() { return 1; }
};
inline int put(Base& b) { return b.put(new Cart(4)) + b.other(); }
inline int Shop::second(const Cart* c, const Cart* d) const { return (c ? c->n : 0) + d->n; }
inline gsl::owner<Cart*> make(int n) { return n ? new Cart(n) : nullptr; }
inline const gsl::owner<const Cart*> look(int n) { return new Cart(n); }
inline int take(gsl::owner<Cart*> c, int by = 1) { int n = c ? c->n : 0; delete c; return n + by; }
inline gsl::owner<int*> number() { static int n = 5; return &n; }
inline Cart* view() { static Cart cart(9); return &cart; }
inline int peek(Cart* c) { return c->n; }
inline int hand(int by, Cart* c) { int n = c ? c->n : 0; delete c; return n + by; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    nullable = "#ifndef __clang__\n#define _Nonnull\n#endif\n"
    made = sb.compile(nullable + SOURCE, name="owners", std="c++17", arg_intent={"hand": {"c": "owned"}})
    made.view()
    return made


GIVEN: dict[str, Callable[[Any], Any]] = {
    "function": lambda lib: lib.make(7),
    "of const": lambda lib: lib.look(7),
    "method": lambda lib: lib.Shop(lib.Cart(7)).give(),
}
TAKEN: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "function": (lambda lib, cart: lib.take(cart), 8),
    "function of more": (lambda lib, cart: lib.take(cart, 3), 10),
    "static": (lambda lib, cart: lib.Shop.take(cart), 7),
    "method": (lambda lib, cart: lib.Shop(lib.Cart(1)).change(5, cart), 12),
    "constructor": (lambda lib, cart: lib.Shop(cart).n(), 7),
    "by an intent": (lambda lib, cart: lib.hand(1, cart), 8),
}


@pytest.mark.parametrize("row", GIVEN)
def test_what_is_given_ends_with_python(lib: Any, row: str) -> None:
    alive = lib.Cart.alive
    made = GIVEN[row](lib)
    assert (made.n, lib.Cart.alive) == (7, alive + 1)
    del made
    assert lib.Cart.alive == alive


@pytest.mark.parametrize("row", TAKEN)
def test_what_is_taken_ends_in_cxx_once(lib: Any, row: str) -> None:
    act, answer = TAKEN[row]
    alive = lib.Cart.alive
    for cart in (lib.Cart(7), lib.make(7)):
        assert act(lib, cart) == answer
        with pytest.raises(sb.IntentError, match=r"gone|taken|took"):
            lib.peek(cart)
        del cart
    assert lib.Cart.alive == alive


def test_what_cxx_owns_is_not_taken(lib: Any) -> None:
    with pytest.raises(sb.IntentError):
        lib.take(lib.view())
    assert lib.view().n == 9


def test_what_delete_does_not_end_stays_as_it_was(lib: Any) -> None:
    assert lib.Hidden.make().get() == 3
    assert isinstance(lib.number(), sb.Pointer)
    assert lib.make(0) is None
    assert lib.take(None) == 1


def test_explain_says_it(lib: Any) -> None:
    assert "owned; Python ends it by delete it" in str(sb.explain(lib.make))


@pytest.mark.full
def test_a_function_that_takes_an_owner_is_not_overridden(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def other(self) -> int:
            return 10

    alive = lib.Cart.alive
    assert (lib.put(Mine()), Mine().put(lib.Cart(5)), lib.Base.put(Mine(), lib.Cart(6))) == (14, 5, 6)
    assert lib.Cart.alive == alive
    with pytest.raises(TypeError, match="gsl::owner says that it takes or gives"):

        class Other(lib.Base):  # type: ignore[misc,name-defined]
            def put(self, c: Any) -> int:
                return 0


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda shop, cart: shop.nonnull(None, cart), "c"),
        (lambda shop, cart: shop.second(cart, None), "d"),
    ],
)
def test_members_that_take_no_null(lib: Any, ask: Any, name: str) -> None:
    shop, cart = lib.Shop(lib.Cart(1)), lib.Cart(2)
    assert (shop.nonnull(cart, None), shop.second(None, cart)) == (2, 2)
    with pytest.raises(sb.ArgumentError, match=rf"'{name}'"):
        ask(shop, cart)
