"""Objects that end early, that functions hand over, that failed calls lose: nothing of them is left."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from measure import in_use, repeat

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <functional>
#include <memory>
#include <samebytes/array.hpp>
#include <stdexcept>
#include <string>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct P { double x; };
struct T { std::string text = "a text that lies on the heap, not in the object"; P p{1}; std::function<int()> asked;
  T() { ++alive(); } virtual ~T() { --alive(); } virtual int get() const { return 3; } };
struct D : T { int get() const override { return 4; } };
struct S : std::enable_shared_from_this<S> { S() { ++alive(); } ~S() { --alive(); }
  std::shared_ptr<S> me() { return shared_from_this(); } };
inline std::shared_ptr<S>& place() { static std::shared_ptr<S> s; return s; }
inline void hold(std::shared_ptr<S> s) { place() = s; }
inline std::unique_ptr<T> make() { return std::make_unique<D>(); }
inline T* give() { return new D; }
inline T* lend() { return new T; }
inline void end(T* t) { delete t; }
inline int open(T** out, bool works) { *out = works ? new D : nullptr; return works; }
inline int boom(std::unique_ptr<T> t) { throw std::runtime_error("no luck"); }
inline double sum(samebytes::array<const double, 1> a) { return a.size(); }
"""
INTENTS = {"give": {"return": "owned"}, "lend": {"return": sb.owned("end")}, "open": {"out": "owned"}}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, arg_intent=INTENTS)


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def _with(lib: Any) -> None:
    with lib.T() as obj:
        obj.get()


def _refused(lib: Any) -> None:
    obj = lib.T()
    inside = obj.p
    with pytest.raises(sb.IntentError):
        sb.delete(obj)
    del inside
    sb.delete(obj)
    with pytest.raises(sb.IntentError):
        obj.get()


def _cycle(lib: Any) -> None:
    obj = lib.T()
    obj.asked = lambda: obj.get()
    sb.delete(obj)


def _lost(lib: Any) -> None:
    obj = lib.T()
    with pytest.raises(RuntimeError):
        lib.boom(obj)
    with pytest.raises(sb.IntentError):
        obj.get()


def _shared(lib: Any) -> None:
    obj = lib.S()
    lib.hold(obj)
    same = obj.me()
    lib.hold(None)
    sb.delete(same)


def _class(lib: Any) -> None:
    array = type("Once", (), {"__array_interface__": np.zeros(3).__array_interface__})
    assert lib.sum(array()) == 3


CYCLES: dict[str, Callable[[Any], object]] = {
    "delete": lambda lib: sb.delete(lib.T()),
    "with": _with,
    "a unique pointer": lambda lib: sb.delete(lib.make()),
    "an owned result": lambda lib: lib.give().get(),
    "an owned result that is deleted": lambda lib: sb.delete(lib.give()),
    "a deleter": lambda lib: lib.lend().get(),
    "an owned output": lambda lib: (lib.open(True)[1].get(), lib.open(False)),
    "refused, then deleted": _refused,
    "a cycle": _cycle,
    "a lost object": _lost,
    "a shared object": _shared,
    "a class that passes": _class,
}


@pytest.mark.parametrize("name", CYCLES)
def test_nothing_is_left(lib: Any, name: str) -> None:
    cycle = CYCLES[name]
    repeat(lambda: cycle(lib), 200, 2)
    for _ in range(4):
        before = in_use()
        done = repeat(lambda: cycle(lib), 1000, 2)
        blocks, size = (now - then for now, then in zip(in_use(), before, strict=True))
        assert lib.count() == 0
        if blocks < 10 + done // 4 and size < 10_000 + 4 * done:
            return
    raise AssertionError(f"{blocks} blocks and {size} bytes are left of {done} times")
