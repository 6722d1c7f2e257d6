"""Classes of Python's whose ``__init__`` has C++'s constructor make the object: ``super().__init__(...)``."""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
struct Node {
  static inline int living = 0;
  int v; std::string s;
  explicit Node(int x) : v(x) { ++living; }
  Node(int x, std::string t) : v(x), s(t) { if (x < 0) throw std::invalid_argument("negative"); ++living; }
  Node(std::function<void()> f) : v(0) { f(); ++living; }
  Node(const Node& o) : v(o.v), s(o.s) { ++living; }
  virtual ~Node() { --living; }
  virtual int f() const { return v; }
};
struct Plain { std::string s; int v; explicit Plain(int x) : v(x) {} int g() const { return v; } };
inline int ask(const Node& n) { return n.f(); }
inline std::shared_ptr<Node> held(std::shared_ptr<Node> n) { return n; }
inline int taken(std::unique_ptr<Node> n) { return n->f(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="constructing")


def test_arguments_of_its_own(lib: Any) -> None:
    class First(lib.Node):
        def __init__(self, x: int, *, plus: int = 2) -> None:
            self.plus = plus  # attributes of Python's may come before
            super().__init__(x * 10, f"s{x}")
            assert self.v == x * 10

        def f(self) -> int:
            return int(super().f()) + self.plus

    class Second(First):
        def __init__(self) -> None:
            First.__init__(self, 7)

    class Third(Second):
        pass

    class Flat(lib.Plain):
        def __init__(self, a: int, b: int) -> None:
            super().__init__(x=a + b)

    assert (lib.ask(First(3, plus=5)), First(3).s) == (35, "s3")
    assert (lib.ask(Third()), lib.ask(copy.copy(Third())), copy.deepcopy(Third()).plus) == (72, 72, 2)
    assert (Flat(1, 2).g(), copy.copy(Flat(3, 4)).g()) == (3, 7)
    assert type(lib.held(Third())) is Third
    assert lib.taken(Third()) == 72
    gc.collect()
    assert lib.Node.living == 0


def test_an_init_that_is_given_later(lib: Any) -> None:
    class Late(lib.Node):
        pass

    assert Late(3).v == 3
    Late.__init__ = lambda self, a: lib.Node.__init__(self, a + 1)  # type: ignore[method-assign,misc]
    assert Late(3).v == 4
    Late.__init__ = lambda self, a: setattr(self, "own", a)  # type: ignore[method-assign,misc]
    assert (Late(5).v, Late(5).own) == (5, 5)


# What an __init__ does before the object is there, or in its stead, and what is said.
REFUSED: list[tuple[Callable[[Any, Any, Any], Any], type[Exception], str]] = [
    (lambda lib, init, self: None, TypeError, r"Mine\.__init__\(\) has not called super\(\)\.__init__\(\)"),
    (lambda lib, init, self: self.v, sb.IntentError, "field 'v' is not there yet: super"),
    (lambda lib, init, self: self.f(), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: lib.ask(self), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: lib.held(self), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: lib.taken(self), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: copy.copy(self), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: sb.delete(self), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: init(lambda: self.f()), sb.IntentError, "It is not there yet: super"),
    (lambda lib, init, self: init(lambda: self.v), sb.IntentError, "is not there yet: super"),
    (lambda lib, init, self: init(lambda: init(3)), TypeError, "runs already for this object"),
    (lambda lib, init, self: [init(1), init(2)], TypeError, "makes no object anew"),
    (lambda lib, init, self: init(-1, "x"), ValueError, "negative"),
    (lambda lib, init, self: init("x", "y"), sb.ArgumentError, "argument 1 'x': expected int32"),
]


@pytest.mark.parametrize(("does", "error", "words"), REFUSED)
def test_what_is_not_there_yet(lib: Any, does: Any, error: type[Exception], words: str) -> None:
    class Mine(lib.Node):
        def __init__(self) -> None:
            does(lib, super().__init__, self)

    with pytest.raises(error, match=words):
        Mine()
    gc.collect()
    assert lib.Node.living == 0


def test_a_constructor_that_raised_may_be_called_again(lib: Any) -> None:
    class Again(lib.Node):
        def __init__(self) -> None:
            try:
                super().__init__(-1, "x")
            except ValueError:
                super().__init__(4)

    assert Again().f() == 4
    gc.collect()
    assert lib.Node.living == 0
