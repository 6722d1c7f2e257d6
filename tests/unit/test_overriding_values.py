"""What crosses where Python overrides a virtual function: each result beside what C++ makes of it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
struct Node {
  static inline int living = 0;
  int v; explicit Node(int x) : v(x) { ++living; }
  virtual ~Node() { --living; }
};
struct Only {
  int v; Only(int x) : v(x) {} Only(Only&& o) : v(o.v) { o.v = -1; } Only(const Only&) = delete; ~Only() {}
};
struct Base {
  virtual ~Base() {}
  virtual int take(std::unique_ptr<Node> n) { return n ? n->v : -1; }
  virtual std::unique_ptr<Node> give(int x) { return std::unique_ptr<Node>(new Node(x)); }
  virtual Only make(int x) { return Only(x); }
  virtual int eat(Only o) { return o.v; }
  virtual int sum(int a, int b = 7, int c = 100) { return a + b + c; }
  virtual int sum(int a, int b) const { return a - b; }
  virtual const std::string& name() const { static const std::string s = "base"; return s; }
  virtual const std::vector<int>& list() const { static const std::vector<int> v{1, 2}; return v; }
  virtual const std::map<std::string, double>& table() const { static const std::map<std::string, double> m; return m; }
  virtual const unsigned int& count() const { static const unsigned int n = 3; return n; }
  virtual std::string_view view(std::string_view s) const { return s; }
  virtual const char* text() const { return "text"; }
  int run_take(int x) { return take(x < 0 ? nullptr : std::unique_ptr<Node>(new Node(x))); }
  int run_give(int x) { auto p = give(x); return p ? p->v : -1; }
  int run_make(int x) { return make(x).v; }
  int run_eat(int x) { return eat(Only(x)); }
  int run_sum(int x) { return sum(x); }
  int run_list(int) { int s = 0; for (int x : list()) s += x; return s; }
  int run_table(int) { return int(table().at("a")); }
  int run_count(int) { return int(count()); }
};
inline std::string names(const Base& a, const Base& b) { auto& x = a.name(); auto& y = b.name(); return x + y; }
inline std::string views(const Base& a, const Base& b) {
  auto x = a.view("v"), y = b.view("w"); return std::string(x) + std::string(y);
}
inline std::string texts(const Base& a, const Base& b) {
  const char *x = a.text(), *y = b.text(); return std::string(x ? x : "null") + (y ? y : "null");
}
inline int taken(std::unique_ptr<Node> n) { return n->v; }
struct Heard { std::function<int(std::string_view)> f; int say() { return f ? f("abc") : -1; } };
"""

# The method of Python's, the arguments, what C++'s `run_` gives.
ROWS: list[tuple[str, Callable[..., Any], int, int]] = [
    ("take", lambda lib, self, n: n.v + 100, 1, 101),
    ("take", lambda lib, self, n: lib.Base.take(self, n) + 100, 1, 101),
    ("take", lambda lib, self, n: lib.taken(n) + 100, 1, 101),
    ("take", lambda lib, self, n: 5 if n is None else 6, -1, 5),
    ("give", lambda lib, self, x: lib.Node(x + 100), 1, 101),
    ("give", lambda lib, self, x: lib.Base.give(self, x + 1), 1, 2),
    ("give", lambda lib, self, x: None, 1, -1),
    ("make", lambda lib, self, x: lib.Only(x + 100), 1, 101),
    ("make", lambda lib, self, x: lib.Base.make(self, x + 1), 1, 2),
    ("eat", lambda lib, self, o: o.v + 100, 1, 101),
    ("sum", lambda lib, self, a, b, c=0: a + b + c, 1, 108),
    ("sum", lambda lib, self, a, b, c=0: lib.Base.sum(self, a), 1, 108),
    ("sum", lambda lib, self, a, b, c=0: lib.Base.sum(self, a, b, 1), 1, 9),
    ("list", lambda lib, self: [3, 4], 0, 7),
    ("list", lambda lib, self: lib.Base.list(self).tolist() * 2, 0, 6),
    ("table", lambda lib, self: {"a": 5.0}, 0, 5),
    ("count", lambda lib, self: 2**31, 0, -(2**31)),
    ("count", lambda lib, self: lib.Base.count(self) + 1, 0, 4),
]


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning, match="are not bound"):
        return sb.compile(SOURCE, name="overriding_values")


@pytest.mark.parametrize(("name", "method", "given", "answer"), ROWS)
def test_what_cpp_makes_of_it(lib: Any, name: str, method: Any, given: int, answer: int) -> None:
    mine = type("Mine", (lib.Base,), {name: lambda self, *args: method(lib, self, *args)})
    assert getattr(mine(), f"run_{name}")(given) == answer
    gc.collect()
    assert lib.Node.living == 0


def test_what_a_method_is_given_is_its_own(lib: Any) -> None:
    kept: list[Any] = []
    mine = type("Mine", (lib.Base,), {"take": lambda self, n: kept.append(n) or 1})
    assert (mine().run_take(4), kept[0].v, lib.Node.living) == (1, 4, 1)
    assert lib.taken(kept.pop()) == 4
    assert lib.Node.living == 0


def test_what_can_only_be_moved_is_left_empty(lib: Any) -> None:
    only = lib.Only(5)
    assert type("Mine", (lib.Base,), {"make": lambda self, x: only})().run_make(1) == 5
    assert only.v == -1


@pytest.mark.parametrize(
    ("name", "ask", "own"), [("name", "names", "base"), ("view", "views", ""), ("text", "texts", "text")]
)
def test_a_reference_is_to_what_the_object_keeps(lib: Any, name: str, ask: str, own: str) -> None:
    class Mine(lib.Base):
        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    mine = type("Mine", (Mine,), {name: lambda self, *args: self.word + "".join(args)})
    one, two = mine("a" * 40), mine("b" * 40)
    said = ("v", "w") if name == "view" else ("", "")
    wrong: list[object] = []

    def often() -> None:
        for _ in range(200):
            if getattr(lib, ask)(one, two) != "a" * 40 + said[0] + "b" * 40 + said[1]:
                wrong.append(1)

    threads = [threading.Thread(target=often) for _ in range(4)]
    [thread.start() for thread in threads]  # type: ignore[func-returns-value]
    [thread.join() for thread in threads]  # type: ignore[func-returns-value]
    assert not wrong
    assert getattr(lib, ask)(lib.Base(), one).startswith(own)


def test_a_text_that_is_null(lib: Any) -> None:
    mine = type("Mine", (lib.Base,), {"text": lambda self: None})
    assert lib.texts(mine(), mine()) == "nullnull"


def test_a_member_that_is_called_with_text(lib: Any) -> None:
    heard = lib.Heard()
    heard.f = lambda text: len(text) + (text == "abc")
    assert heard.say() == 4
