"""Objects of classes that override virtual functions, which a ``std::unique_ptr`` owns: asked as long as it does."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <memory>
#include <string>
#include <thread>
#include <vector>
struct Plugin {
  static inline int alive = 0;
  int n = 2;
  Plugin() { ++alive; }
  explicit Plugin(int k) : n(k) { ++alive; }
  Plugin(const Plugin& o) : n(o.n) { ++alive; }
  virtual ~Plugin() { --alive; }
  virtual double apply(double x) const { return x; }
};
inline int alive() { return Plugin::alive; }
class Host {
  std::vector<std::unique_ptr<Plugin>> all;
 public:
  std::unique_ptr<Plugin> main;
  ~Host() {}
  void add(std::unique_ptr<Plugin> p) { all.push_back(std::move(p)); }
  double offer(std::unique_ptr<Plugin>&& p, bool take) {
    const double x = p->apply(1);
    if (take) all.push_back(std::move(p));
    return x;
  }
  double run(double x) const { for (auto& p : all) x = p->apply(x); return x; }
  double run_elsewhere(double x) const { std::thread([&] { x = run(x); }).join(); return x; }
  Plugin* first() const { return all.empty() ? nullptr : all[0].get(); }
  std::unique_ptr<Plugin> pop() { auto p = std::move(all.back()); all.pop_back(); return p; }
  void clear() { all.clear(); }
  void clear_elsewhere() { std::thread([this] { all.clear(); }).join(); }
};
inline double look(const std::unique_ptr<Plugin>& p) { return p->apply(3); }
inline void swallow(std::unique_ptr<Plugin>&& p) { p.reset(); }
inline void fail(std::unique_ptr<Plugin> p) { throw 3; }
inline int other(std::unique_ptr<Plugin> p, int n) { return n; }
struct Plain { virtual int f() { return 1; } int n = 1; std::vector<int> more; };
inline int take_plain(std::unique_ptr<Plain> p) { return p->f(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="overriding_owned")


@pytest.fixture(scope="module")
def mine(lib: Any) -> Any:
    class Mine(lib.Plugin):  # type: ignore[misc,name-defined]
        calls = 0

        def apply(self, x: float) -> float:
            self.calls += 1
            return x * self.n + float(super().apply(x))

    return Mine


@pytest.fixture(autouse=True)
def _nothing_stays(lib: Any) -> Any:
    gc.collect()
    before = lib.alive()
    yield
    gc.collect()
    assert lib.alive() == before


def test_cxx_asks_python_as_long_as_it_has_the_object(lib: Any, mine: Any) -> None:
    host, one = lib.Host(), mine(5)
    one.word = "kept"
    host.add(one)
    assert (host.run(1), host.run_elsewhere(1), one.calls, one.n) == (6, 6, 2, 5)
    assert host.first() is one
    del one
    gc.collect()
    assert (host.run(2), host.first().word, type(host.first())) == (12, "kept", mine)


ENDS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("clear", lambda lib, host: host.clear()),
    ("in another thread", lambda lib, host: host.clear_elsewhere()),
    ("the owner ends", lambda lib, host: sb.delete(host)),
]


@pytest.mark.parametrize("end", [e for _, e in ENDS], ids=[n for n, _ in ENDS])
def test_what_cxx_destroyed_is_gone(lib: Any, mine: Any, end: Callable[[Any, Any], Any]) -> None:
    host, one = lib.Host(), mine()
    count = sys.getrefcount(one)
    host.add(one)
    assert sys.getrefcount(one) == count + 1
    end(lib, host)
    assert sys.getrefcount(one) == count
    for use in (lambda: one.apply(1), lambda: one.n, lambda: lib.look(one), lambda: lib.Host().add(one)):
        with pytest.raises((sb.IntentError, ValueError), match="gone"):
            use()


def test_its_attributes_and_references_end_with_it(lib: Any, mine: Any) -> None:
    class Thing:
        pass

    host, one, thing = lib.Host(), mine(), Thing()
    one.thing = thing
    seen = weakref.ref(thing)
    host.add(one)
    del one, thing
    gc.collect()
    assert seen() is not None
    host.clear()
    assert seen() is None


def test_what_comes_back_is_python_s_again(lib: Any, mine: Any) -> None:
    host, one = lib.Host(), mine(3)
    host.add(one)
    again = host.pop()
    assert again is one
    assert (again.apply(1), lib.alive()) == (4, 1)
    host.add(again)
    assert host.run(1) == 4
    sb.delete(host.pop())
    assert lib.alive() == 0


@pytest.mark.parametrize("take", [False, True])
def test_what_may_be_taken_is_asked_meanwhile(lib: Any, mine: Any, take: bool) -> None:
    host, one = lib.Host(), mine(4)
    assert host.offer(one, take) == 5
    assert (host.first() is one, one.calls, one.n) == (take, 1, 4)
    if not take:
        sb.delete(one)  # Python's still


def test_members_and_looks(lib: Any, mine: Any) -> None:
    host, one = lib.Host(), mine()
    assert (lib.look(one), lib.alive()) == (9, 1)
    host.main = one
    assert host.main is one
    del one
    host.main = None
    assert lib.alive() == 0


def test_what_ends_in_the_call_is_gone_after_it(lib: Any, mine: Any) -> None:
    one, other = mine(), mine()
    lib.swallow(one)
    with pytest.raises(sb.IntentError, match="gone"):
        one.n  # noqa: B018
    with pytest.raises(RuntimeError) as caught:
        lib.fail(other)
    assert "Mine" in caught.value.__notes__[0]
    with pytest.raises(sb.IntentError, match=r"it was given to fail\(\)"):
        other.n  # noqa: B018


def test_a_call_that_is_refused_takes_nothing(lib: Any, mine: Any) -> None:
    one, host = mine(), lib.Host()
    with pytest.raises(sb.ArgumentError):
        lib.other(one, "x")
    assert one.apply(1) == 3
    host.add(one)
    for again in (host.add, lib.Host().add):
        with pytest.raises(sb.IntentError, match=r"C\+\+ or another object holds it"):
            again(one)
    with pytest.raises(sb.IntentError, match=r"C\+\+ or another object owns it"):
        sb.delete(one)
    assert host.run(1) == 3


def test_copies_are_python_s(lib: Any, mine: Any) -> None:
    import copy

    host, one = lib.Host(), mine(6)
    host.add(one)
    other = copy.copy(one)
    host.clear()
    assert (other.apply(1), lib.alive()) == (7, 1)


def test_without_a_virtual_destructor_cxx_could_not_end_it(lib: Any) -> None:
    one = type("Mine", (lib.Plain,), {"f": lambda self: 5})()
    with pytest.raises(sb.IntentError, match="Plain has no virtual destructor"):
        lib.take_plain(one)


def test_one_of_them_may_outlive_python(lib: Any) -> None:
    import subprocess

    program = SOURCE + "inline Host& host() { static Host all; return all; }"
    code = (
        f"import samebytes as sb\nlib = sb.compile({program!r}, name='outliving')\n"
        "Mine = type('Mine', (lib.Plugin,), {'apply': lambda self, x: x + 1})\n"
        "lib.host().add(Mine()); print(lib.host().run(1))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout.strip()) == (0, "2.0"), done.stderr


def test_an_object_of_an_abstract_class() -> None:
    lib = sb.compile("""
#include <memory>
#include <vector>
struct Command { virtual ~Command() = default; virtual int execute() = 0; };
class History {
  std::vector<std::unique_ptr<Command>> done;
 public:
  int run(std::unique_ptr<Command> c) { done.push_back(std::move(c)); return done.back()->execute(); }
  int again() const { int n = 0; for (auto& c : done) n += c->execute(); return n; }
};
""")

    class Count(lib.Command):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.step, self.n = 1, 0

        def execute(self) -> int:
            self.n += self.step
            return int(self.n)

    history, one, ten = lib.History(), Count(), Count()
    ten.step = 10
    assert history.run(one) == 1
    assert history.run(ten) == 10
    del ten
    assert history.again() == 2 + 20
    assert one.n == 2
