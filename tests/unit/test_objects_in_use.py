"""An object that a running call uses is not taken over, ended or moved from, and a refused call changes no argument."""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from typing import Any

import numpy as np
import pytest
from disturbing import TEXT, Asks, words
from remaining import remaining

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
inline std::atomic<bool> waits{false};
inline bool is_told() { return waits.exchange(false); }
struct Part { int p = 5; ~Part() { p = -5; } };
struct Bytes { int a = 1; double d = 2; };
struct Base { std::string text; virtual ~Base() {} int call(std::function<void()> f) { f(); return 1; } };
struct T : Base {
  int k = 7; Part part; Bytes bytes; int numbers[3] = {1, 2, 3};
  std::string name; std::function<void()> hook;
  T() { ++alive(); }
  T(const T& o) : Base(o), k(o.k) { ++alive(); }
  T(T&& o) : k(o.k), name(std::move(o.name)) { ++alive(); o.k = -1; }
  T& operator=(const T&) = default;
  ~T() { k = -99; --alive(); }
  int get() const { return k; }
  int m(std::unique_ptr<T> b) { b.reset(); return k; }
  static int s(const T& t, std::unique_ptr<T> b) { b.reset(); return t.k; }
  int cb(std::function<void()> f) { f(); return k; }
  int until_told() {
    for (waits = true; waits;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return k;
  }
  int consume() && { T mine(std::move(*this)); return mine.k; }
  int absorb(T&& o) { T mine(std::move(o)); return mine.k; }
  int operator+(std::unique_ptr<T> o) const { o.reset(); return k; }
  T& operator+=(std::unique_ptr<T> o) { o.reset(); return *this; }
  int operator()(std::unique_ptr<T> o) const { o.reset(); return k; }
  int operator[](std::unique_ptr<T> o) const { o.reset(); return k; }
};
struct D : T { int d = 3; };
struct Made { int k; Made(const T& r, std::unique_ptr<T> b) { b.reset(); k = r.k; } ~Made() {} };
struct W { int k; W(std::unique_ptr<T> t) : k(t->k) {} W(const W& o) : k(o.k) {} ~W() {} };
struct Box {
  std::unique_ptr<T> child; std::shared_ptr<T> shared; std::string name; double number = 0; int numbers[3] = {1, 2, 3};
  Box() : child(new T) { ++alive(); }
  ~Box() { --alive(); }
  int cb(std::function<void()> f) { f(); return 1; }
  void put(std::unique_ptr<T> t) { child = std::move(t); }
};
inline int both(const T& r, std::unique_ptr<T> b) { b.reset(); return r.get(); }
inline int both_back(std::unique_ptr<T> b, const T& r) { b.reset(); return r.get(); }
inline int pointed(T* r, std::unique_ptr<T> b) { b.reset(); return r->get(); }
inline int two(std::unique_ptr<T> b, std::unique_ptr<T> c) { return b->k + c->k; }
inline int take(std::unique_ptr<T> b, std::shared_ptr<T> a) { b.reset(); return a->k; }
inline int take_back(std::shared_ptr<T> a, std::unique_ptr<T> b) { b.reset(); return a->k; }
inline int eat(std::unique_ptr<T> b) { return b ? b->k : 0; }
inline int eat_box(std::unique_ptr<Box> b) { return 1; }
inline int by_reference(std::unique_ptr<T>& b, const T& r) { b.reset(); return r.k; }
inline int by_move(std::unique_ptr<T>&& b, const T& r) { b.reset(); return r.k; }
inline int look(const std::unique_ptr<T>& b, const T& r) { return b->k + r.k; }
inline int list(std::vector<std::unique_ptr<T>> v) { return static_cast<int>(v.size()); }
inline int map(std::map<int, std::unique_ptr<T>> v) { return static_cast<int>(v.size()); }
inline int pair(std::pair<std::unique_ptr<T>, std::shared_ptr<T>> p) { p.first.reset(); return p.second->k; }
inline int maybe(std::optional<std::unique_ptr<T>> o, const T& r) { o->reset(); return r.k; }
inline int shares(std::vector<std::shared_ptr<T>> v, std::unique_ptr<T> b) { b.reset(); return v[0]->k; }
inline int refers(std::vector<std::reference_wrapper<T>> v, std::unique_ptr<T> b) { b.reset(); return v[0].get().k; }
inline int copies(std::vector<T> v, std::unique_ptr<T> b) { b.reset(); return v[0].k; }
inline int part(const Part& p, std::unique_ptr<T> b) { b.reset(); return p.p; }
inline double bytes(const Bytes& p, std::unique_ptr<T> b) { b.reset(); return p.d; }
inline int number(const int* p, std::unique_ptr<T> b) { b.reset(); return p[0]; }
inline int base(const Base& p, std::unique_ptr<T> b) { b.reset(); return 1; }
inline int defaulted(const T& r, std::unique_ptr<T> b, int k = 3) { b.reset(); return r.k + k; }
inline int moved(T&& t) { T mine(std::move(t)); return mine.k; }
inline int moved_two(T&& t, T&& u) { T mine(std::move(t)), other(std::move(u)); return mine.k + other.k; }
inline int moved_and(T&& t, const T& r) { T mine(std::move(t)); return r.k; }
inline int moved_call(T&& t, std::function<void()> f) { f(); T mine(std::move(t)); return mine.k; }
template <class A> int generic(const A& r, std::unique_ptr<T> b) { b.reset(); return r.get(); }
inline int ov(std::unique_ptr<T> a, int b) { return 1; }
inline int ov(std::unique_ptr<T> a, const std::string& b) { return 2; }
inline int ov(std::unique_ptr<T> a, std::unique_ptr<T> b) { return 3; }
inline int wrapped(const W& w, int k) { return w.k + k; }
inline int wrapped_two(const W& w, const W& v) { return w.k + v.k; }
inline int wrapped_and(const W& w, const T& t) { return w.k + t.k; }
inline int given(std::function<std::unique_ptr<T>()> f) { auto p = f(); return p ? p->k : 0; }
inline int given_list(std::function<std::vector<std::unique_ptr<T>>()> f) { return static_cast<int>(f().size()); }
inline int given_for(const T& r, std::function<std::unique_ptr<T>()> f) { f().reset(); return r.k; }
inline int later(const T& r, const double* x) { return r.k; }
inline int later_list(std::vector<std::reference_wrapper<T>> v, const double* x) {
  return v.empty() ? 0 : v[0].get().k; }
inline int sooner(const double* x, const T& r) { return r.k; }
inline int mixed(std::unique_ptr<T> b, const double* x) { return b->k; }
inline int texts(std::vector<std::pair<std::reference_wrapper<T>, std::string>> v) {
  return v.empty() ? 0 : v[0].first.get().k; }
inline std::unique_ptr<T> make() { return std::make_unique<T>(); }
struct Two { int n = 0; ~Two() {}
  Two& both(std::unique_ptr<T> b, const T& r, int k) { b.reset(); n = r.k + k; return *this; } };
inline const double* sums(std::unique_ptr<T> b, const double* x, int n) { return x; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.fixture(autouse=True)
def _nothing_is_left(lib: Any) -> Any:
    before = remaining(lib.count, 0)
    yield
    assert remaining(lib.count, before) == before


# One object by two ways in one call; what is refused leaves it whole.
TWICE = [
    "lib.both(u, u)",
    "lib.both_back(u, u)",
    "lib.pointed(u, u)",
    "lib.two(u, u)",
    "lib.take(u, u)",
    "lib.take_back(u, u)",
    "lib.by_reference(u, u)",
    "lib.by_move(u, u)",
    "lib.list([u, u])",
    "lib.list([u, None, u])",
    "lib.map({1: u, 2: u})",
    "lib.pair((u, u))",
    "lib.maybe(u, u)",
    "lib.shares([u], u)",
    "lib.shares([None, u], u)",
    "lib.refers([u], u)",
    "lib.copies([u], u)",
    "lib.part(u.part, u)",
    "lib.bytes(u.bytes, u)",
    "lib.number(u.numbers, u)",
    "lib.number(np.asarray(u.numbers)[1:], u)",
    "lib.base(u, u)",
    "lib.defaulted(u, u)",
    "lib.defaulted(u, u, 4)",
    "lib.defaulted(r=u, b=u)",
    "lib.defaulted(b=u, k=4, r=u)",
    "lib.defaulted(u, k=4, b=u)",
    "lib.generic[lib.T](u, u)",
    "lib.ov(u, u)",
    "lib.wrapped_two(u, u)",
    "lib.wrapped_and(u, u)",
    "lib.Made(u, u)",
    "lib.T.s(u, u)",
    "u.m(u)",
    "u + u",
    "u(u)",
    "u[u]",
    "exec('u += u', {'u': u})",
    "lib.moved_two(u, u)",
    "lib.moved_and(u, u)",
    "u.absorb(u)",
    "lib.given_for(u, lambda: u)",
]


@pytest.mark.parametrize("made", ["lib.T()", "lib.D()", "lib.make()"])
@pytest.mark.parametrize("call", TWICE)
def test_no_call_has_an_object_twice_and_owns_it(lib: Any, call: str, made: str) -> None:
    u = eval(made, {"lib": lib})
    with pytest.raises(sb.IntentError, match=r"argument \d|returned"):
        eval(call, {"lib": lib, "u": u, "np": np})
    assert (u.k, u.get(), u.name) == (7, 7, "")
    u.name = "usable"
    gc.collect()
    assert lib.eat(u) == 7


# What may be said of one object twice all the same.
HARMLESS = [
    ("lib.look(u, u)", 14),
    ("lib.eat(u)", 7),
    ("lib.moved(u)", 7),
    ("lib.moved_and(u, v)", 7),
    ("lib.two(u, v)", 14),
    ("lib.take(u, v)", 7),
    ("lib.list([u, v])", 2),
    ("lib.pair((u, v))", 7),
    ("lib.ov(u, v)", 3),
    ("lib.wrapped(u, 1)", 8),
    ("lib.wrapped_two(u, v)", 14),
    ("lib.wrapped_and(u, v)", 14),
    ("lib.given(lambda: u)", 7),
    ("lib.given(lambda: None)", 0),
    ("lib.given_list(lambda: [u, v])", 2),
    ("lib.given_for(u, lambda: v)", 7),
    ("u.m(v)", 7),
    ("u + v", 7),
    ("u.absorb(v)", 7),
    ("u.consume()", 7),
    ("lib.Made(u, v).k", 7),
]


@pytest.mark.parametrize(("call", "result"), HARMLESS)
def test_what_nobody_else_uses_is_taken(lib: Any, call: str, result: int) -> None:
    names = {"lib": lib, "u": lib.T(), "v": lib.D()}
    assert eval(call, names) == result


# Calls that end, take over or move from `u`.
ENDS = [
    "lib.eat(u)",
    "lib.two(u, v)",
    "lib.take(u, v)",
    "lib.list([v, u])",
    "lib.ov(u, 1)",
    "lib.wrapped(u, 1)",
    "lib.given(lambda: u)",
    "lib.given_list(lambda: [v, u])",
    "lib.moved(u)",
    "lib.moved_and(u, v)",
    "v.absorb(u)",
    "u.consume()",
    "v.m(u)",
    "lib.Box().put(u)",
    "setattr(lib.Box(), 'child', u)",
]
# Calls that use `u` while `f` runs.
USES = [
    "u.cb(f)",
    "u.call(f)",
    "lib.moved_call(u, f)",
    "lib.later(u, asks)",
    "lib.sooner(asks, u)",
    "lib.later_list([u], asks)",
    "setattr(u, 'name', text)",
    "lib.texts([(u, text)])",
    "lib.mixed(u, asks)",
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("end", ENDS)
def test_what_a_call_uses_is_not_ended_inside_of_it(lib: Any, use: str, end: str) -> None:
    u, v, errors = lib.T(), lib.D(), list[str]()
    given = {"lib": lib, "u": u, "v": v}

    def act() -> None:
        try:
            eval(end, given)
        except sb.Error as error:
            errors.append(str(error))

    names = {**given, "f": act, "asks": Asks(act), "text": words(act)}
    with contextlib.suppress(sb.Error, TypeError):  # the argument itself may be nothing for the call
        eval(use, names)
    assert errors
    assert [e for e in errors if "uses it" in e] == errors
    assert v.k == 7 == v.get()
    if "mixed" not in use:  # which takes it over then
        assert u.k == (-1 if "moved" in use else 7)


@pytest.mark.parametrize("end", ENDS)
def test_nor_by_another_thread(lib: Any, end: str) -> None:
    u, v = lib.T(), lib.D()
    thread = threading.Thread(target=u.until_told)
    thread.start()
    try:
        while not sb._native.in_use(u):
            time.sleep(0.001)
        with pytest.raises(sb.IntentError, match="uses it"):
            eval(end, {"lib": lib, "u": u, "v": v})
        assert u.get() == v.get() == 7
    finally:
        while not lib.is_told():
            time.sleep(0.001)
        thread.join()
    eval(end, {"lib": lib, "u": u, "v": v})


def test_a_list_that_changes_while_it_is_read_keeps_nothing_dead(lib: Any) -> None:
    u, eaten = lib.T(), list[int]()
    objects: list[Any] = []

    def act() -> None:
        objects.clear()
        eaten.append(lib.eat(u))

    objects += [(u, "x"), (lib.T(), words(act))]
    with pytest.raises(sb.IntentError, match="gone"):
        lib.texts(objects)
    assert eaten == [7]


def test_an_owned_member_in_use_is_not_replaced(lib: Any) -> None:
    box = lib.Box()
    for value in (None, lib.T()):
        errors = []
        child = box.child

        def replace(value: Any = value, errors: list[str] = errors) -> None:
            try:
                box.child = value
            except sb.IntentError as error:
                errors.append(str(error))

        assert child.cb(replace) == 7
        assert "would replace" in errors[0]
        assert child.get() == 7
    del child
    box.child = value
    assert box.child.get() == 7
    box.child = None
    assert box.child is None


def test_a_value_that_ends_the_object_of_its_member(lib: Any) -> None:
    box, errors = lib.Box(), list[str]()

    def act() -> None:
        try:
            lib.eat_box(box)
        except sb.IntentError as error:
            errors.append(str(error))

    box.name = words(act)
    assert "uses it" in errors[0]
    assert box.name == TEXT


REFUSED = [
    "lib.ov(u, [])",
    "lib.ov(u, v=3)",
    "lib.two(u, 3)",
    "lib.two(u)",
    "lib.two(3, u)",
    "lib.list([u, 3])",
    "lib.list([u, v, 'x'])",
    "lib.map({1: u, 'x': v})",
    "lib.pair((u, 3))",
    "lib.both_back(u, None)",
    "lib.mixed(u, 'text')",
    "lib.mixed(u, np.zeros((2, 2))[:, 0])",
    "lib.mixed(u, np.zeros(3, 'f4'))",
    "lib.wrapped(u, 'x')",
    "lib.wrapped(u, 2**40)",
    "lib.wrapped_two(u, 'x')",
    "lib.wrapped_two('x', u)",
    "lib.wrapped_and(u, 3)",
    "lib.Made(3, u)",
    "lib.Two().both(u, v, 'x')",
    "lib.Two().both(u, v, k=1.5)",
    "lib.take(u, 3)",
    "lib.moved_two(u, 3)",
    "lib.given_list(lambda: [u, 3])",
    "lib.given_list(lambda: [u, u])",
    "u + 3",
    "lib.sums(u, np.zeros(3), 2**40)",
]


@pytest.mark.parametrize("call", REFUSED)
def test_a_refused_call_leaves_its_arguments_as_they_were(lib: Any, call: str) -> None:
    u, v = lib.T(), lib.D()
    u.name = "mine"
    with pytest.raises((sb.Error, TypeError)):
        eval(call, {"lib": lib, "u": u, "v": v, "np": np})
    assert (u.k, u.name, v.k) == (7, "mine", 7)
    assert lib.two(u, v) == 14


@pytest.mark.parametrize("name", ["k", "part", "bytes", "numbers", "name", "text"])
def test_nothing_is_seen_inside_of_what_is_gone(lib: Any, name: str) -> None:
    u = lib.T()
    lib.eat(u)
    with pytest.raises((ValueError, sb.IntentError), match="gone"):
        getattr(u, name)


def test_threads_that_take_one_object_over_at_once(lib: Any) -> None:
    for _ in range(50):
        u, got, refused = lib.T(), list[int](), list[Exception]()
        start = threading.Barrier(4)

        def go(
            u: Any = u, got: list[int] = got, refused: list[Exception] = refused, start: Any = start
        ) -> None:
            start.wait()
            try:
                got.append(lib.eat(u))
            except sb.IntentError as error:
                refused.append(error)

        threads = [threading.Thread(target=go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == [7]
        assert len(refused) == 3
