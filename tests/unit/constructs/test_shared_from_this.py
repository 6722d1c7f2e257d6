"""Objects that Python made and a std::shared_ptr shares: they end with the last of the two, whatever watches them."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <map>
#include <memory>
#include <string>
#include <vector>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct ST : std::enable_shared_from_this<ST> {
  int v;
  std::shared_ptr<ST> next;
  std::weak_ptr<ST> back;
  explicit ST(int v = 3) : v(v) { ++alive(); }
  ST(const ST& o) : std::enable_shared_from_this<ST>(o), v(o.v) { ++alive(); }
  virtual ~ST() { --alive(); }
  std::shared_ptr<ST> me() { return shared_from_this(); }
  void watch(std::shared_ptr<ST> other);
  void link(std::shared_ptr<ST> other);
};
inline void ST::watch(std::shared_ptr<ST> other) { back = other; }
inline void ST::link(std::shared_ptr<ST> other) { next = other; }
inline void link(ST& s, std::shared_ptr<ST> other) { s.link(other); }
inline void watch_from(ST& s, std::shared_ptr<ST> other) { s.watch(other); }
inline int after(const ST& s) { return s.next ? s.next->v : -1; }
struct Derived : ST { int d = 7; Derived() : ST(8) {} };
struct Virtual : virtual ST { int w = 9; Virtual() {} };
struct Plain { int v; explicit Plain(int v = 1) : v(v) { ++alive(); } Plain(const Plain& o) : v(o.v) { ++alive(); }
  ~Plain() { --alive(); } };
inline std::shared_ptr<ST>& place() { static std::shared_ptr<ST> s; return s; }
inline void hold(std::shared_ptr<ST> s) { place() = s; }
inline int ask() { return place() ? place()->v : -1; }
inline std::shared_ptr<ST> again() { return place() ? place()->me() : nullptr; }
inline std::vector<std::shared_ptr<ST>>& row() { static std::vector<std::shared_ptr<ST>> r; return r; }
inline void hold_row(std::vector<std::shared_ptr<ST>> r) { row() = r; }
using Names = std::map<std::string, std::shared_ptr<ST>>;
inline Names& names() { static Names m; return m; }
inline void hold_names(Names m) { names() = m; }
static std::weak_ptr<ST> seen;
static std::weak_ptr<Plain> seen_plain;
inline void watch(std::shared_ptr<ST> s) { seen = s; }
inline void watch_plain(std::shared_ptr<Plain> s) { seen_plain = s; }
inline bool is_gone() { return seen.expired() && seen_plain.expired(); }
"""


@pytest.fixture(scope="module", params=["c++14", "c++17"])
def lib(request: Any) -> Any:
    return sb.compile(SOURCE + "inline std::weak_ptr<ST> weak() { return seen; }", std=request.param)


def _python_first(lib: Any, made: Any) -> None:
    lib.hold(made)
    value = made.v
    del made
    assert lib.ask() == value
    lib.hold(None)


def _cpp_first(lib: Any, made: Any) -> None:
    lib.hold(made)
    lib.hold(None)
    assert made.v


def _twice(lib: Any, made: Any) -> None:
    for _ in range(2):  # the second time its std::weak_ptr has expired
        lib.hold(made)
        assert made.me() == made == lib.again()
        lib.hold(None)


def _in_containers(lib: Any, made: Any) -> None:
    lib.hold_row([made, made, None])
    lib.hold_names({"a": made})
    lib.hold_row([])
    lib.hold_names({})


def _chained(lib: Any, made: Any) -> None:
    other = lib.ST(5)
    lib.link(made, other)
    lib.watch_from(other, made)  # the way back does not own
    assert lib.after(made) == 5


def _watched(lib: Any, made: Any) -> None:
    lib.watch(made)
    lib.watch(made)


def _in_another_thread(lib: Any, made: Any) -> None:
    lib.hold(made)
    del made
    thread = threading.Thread(target=lib.hold, args=(None,))
    thread.start()
    thread.join()


USES = [_python_first, _cpp_first, _twice, _in_containers, _chained, _watched, _in_another_thread]


@pytest.mark.parametrize("name", ["ST", "Derived", "Virtual"])
@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__.strip("_"))
def test_it_ends(lib: Any, use: Callable[[Any, Any], None], name: str) -> None:
    use(lib, getattr(lib, name)())
    gc.collect()
    assert lib.count() == 0
    assert lib.is_gone()


def test_a_weak_pointer_of_cpps_keeps_no_object(lib: Any) -> None:
    lib.watch_plain(lib.Plain())
    gc.collect()
    assert lib.count() == 0
    assert lib.is_gone()


def test_nobody_shares_it(lib: Any) -> None:
    alone = lib.ST()
    with pytest.raises(RuntimeError, match="bad_weak_ptr"):
        alone.me()
    lib.hold(alone)
    same = alone.me()
    lib.hold(None)
    assert same.me() == alone
    del alone
    assert same.v == 3  # what C++ shared keeps it
    del same
    gc.collect()
    assert lib.count() == 0
