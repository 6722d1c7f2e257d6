"""What running calls use, in all threads: the question that whoever takes over or ends an object asks first."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes import _native

SOURCE = """
#include <samebytes/array.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Part { int k = 3; std::string s; int get() const { return k; } ~Part() {} };
struct Flat { int a = 1, b = 2; };
struct Base { std::string name; virtual ~Base() {} int call(std::function<void()> f) { f(); return 1; } };
class Whole : public Base { std::vector<double> data; public:
  Part part; Flat flat; std::unique_ptr<Part> child; Whole() : data(4, 1.0), child(new Part) {}
  double fixed[4] = {1, 2, 3, 4}; double* first() { return data.data(); }
  Part& inner() { return part; }
  int use(int k, std::function<void()> f) { f(); return k; }
  int operator()(std::function<void()> f) { f(); return 2; }
  int wait(double s) const { std::this_thread::sleep_for(std::chrono::duration<double>(s)); return 4; } };
class Holder { const Part& part; public:
  Holder(const Part& p) : part(p) {} int get() const { return part.get(); } ~Holder() {} };
inline int one(const Whole& w, std::function<void()> f) { f(); return 1; }
inline int part(const Part& p, std::function<void()> f) { f(); return p.k; }
inline int flat(const Flat& p, std::function<void()> f) { f(); return p.a; }
inline int base(const Base& b, std::function<void()> f) { f(); return 1; }
inline int holder(const Holder& h, std::function<void()> f) { f(); return h.get(); }
inline int shared(std::shared_ptr<Whole> w, std::function<void()> f) { f(); return 1; }
inline int many(const std::vector<std::shared_ptr<Whole>>& w, std::function<void()> f) { f(); return 1; }
inline int refs(std::vector<std::reference_wrapper<Whole>> w, std::function<void()> f) { f(); return 1; }
inline int array(samebytes::array<double, 1> a, std::function<void()> f) { f(); return 1; }
inline int pointer(const double* p, std::function<void()> f) { f(); return 1; }
inline int address(void* p, std::function<void()> f) { f(); return 1; }
inline int fails(const Whole& w, std::function<void()> f) { f(); throw std::runtime_error("no"); }
inline int converted(const Whole& w, double x) { return 1; }
inline int later(const Whole& w, const double* x) { return 1; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.fixture(params=[True, False], ids=["nogil", "gil"], scope="module")
def either(request: Any) -> Any:
    return sb.compile(SOURCE, nogil=request.param)


# What a call is given of an object `w`, and a callback `f`.
USES: list[str] = [
    "lib.one(w, f)",
    "lib.one(w=w, f=f)",
    "lib.base(w, f)",
    "w.call(f)",
    "w.use(1, f)",
    "w(f)",
    "lib.part(w.part, f)",
    "lib.part(w.inner(), f)",
    "lib.part(w.child, f)",
    "lib.flat(w.flat, f)",
    "lib.holder(lib.Holder(w.part), f)",
    "lib.shared(w, f)",
    "lib.many([None, w], f)",
    "lib.refs([w], f)",
    "lib.array(w.fixed, f)",
    "lib.array(np.asarray(w.fixed)[1:], f)",
    "lib.array(sb.view(w.fixed), f)",
    "lib.pointer(w.fixed, f)",
    "lib.pointer(memoryview(w.fixed)[1:], f)",
    "lib.pointer(w.first(), f)",
    "lib.address(w.first(), f)",
    "lib.address(sb.Pointer(w.first()), f)",
]


@pytest.mark.parametrize("call", USES)
def test_an_object_is_in_use_while_a_call_has_it(either: Any, call: str) -> None:
    w, other, seen = either.Whole(), either.Whole(), []
    names = {"lib": either, "w": w, "f": lambda: seen.append((_native.in_use(w), _native.in_use(other)))}
    assert not _native.in_use(w)
    eval(call, {"np": np, "sb": sb}, names)
    assert seen == [(True, False)]
    assert not _native.in_use(w)


def test_what_is_inside_of_an_object_is_in_use_with_it(lib: Any) -> None:
    w, seen = lib.Whole(), []
    lib.one(w, lambda: seen.append([_native.in_use(x) for x in (w.part, w.flat, lib.Part())]))
    assert seen == [[True, True, False]]


def test_a_list_may_change_while_the_call_uses_what_was_in_it(lib: Any) -> None:
    w, seen = lib.Whole(), []
    given = [w]
    lib.many(given, lambda: (given.clear(), seen.append(_native.in_use(w))))
    assert seen == [True]


@pytest.mark.parametrize("error", [RuntimeError, ValueError, KeyboardInterrupt])
def test_the_use_ends_with_the_call_however_that_ends(lib: Any, error: type[BaseException]) -> None:
    w = lib.Whole()

    def callback() -> None:
        if error is not RuntimeError:
            raise error

    with pytest.raises(error):
        lib.fails(w, callback)
    with pytest.raises(TypeError):
        lib.one(w, 3)
    with pytest.raises(TypeError):
        lib.converted(w, "x")
    assert not _native.in_use(w)


class _Asks:
    """A number, and an array, whose conversion runs Python code."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self._ask = ask

    @property
    def __array_interface__(self) -> Any:
        self._ask()
        return np.zeros(3).__array_interface__


def test_it_is_in_use_while_later_arguments_are_read(lib: Any) -> None:
    w, seen = lib.Whole(), []
    lib.later(w, _Asks(lambda: seen.append(_native.in_use(w))))
    assert seen == [True] * len(seen) != []
    assert not _native.in_use(w)


def test_other_threads_see_it(either: Any) -> None:
    w, entered, go = either.Whole(), threading.Event(), threading.Event()
    thread = threading.Thread(target=either.one, args=(w, lambda: (entered.set(), go.wait(30))))
    thread.start()
    assert entered.wait(30)
    assert _native.in_use(w)
    go.set()
    thread.join()
    assert not _native.in_use(w)


def test_threads_that_end_are_forgotten(lib: Any) -> None:
    w = lib.Whole()
    for _ in range(50):
        thread = threading.Thread(target=lambda: lib.one(w, lambda: None))
        thread.start()
        thread.join()
    assert not _native.in_use(w)


def test_calls_nest_and_end_one_by_one(lib: Any) -> None:
    a, b, seen = lib.Whole(), lib.Whole(), []

    def note() -> None:
        seen.append((_native.in_use(a), _native.in_use(b)))

    lib.one(a, lambda: (lib.one(b, note), note()))
    assert seen == [(True, True), (True, False)]


def test_a_forked_child_has_only_its_own_calls(lib: Any) -> None:
    w, mine, seen = lib.Whole(), lib.Whole(), []
    thread = threading.Thread(target=w.wait, args=(1.0,))
    thread.start()
    while not _native.in_use(w):
        pass

    def fork() -> None:
        if not (child := os.fork()):
            os._exit(_native.in_use(w) * 2 + (not _native.in_use(mine)))
        seen.append(os.waitpid(child, 0)[1])

    lib.one(mine, fork)
    thread.join()
    assert seen == [0]
