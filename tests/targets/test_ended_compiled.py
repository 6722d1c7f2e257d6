"""Objects that ended, or that C++ took over, are refused by compiled code in words."""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Any

import pytest

import samebytes as sb

numba = pytest.importorskip("numba")

pytestmark = pytest.mark.full

SOURCE = r"""
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
inline std::atomic<int>& stage() { static std::atomic<int> n(0); return n; }
inline int at() { return stage(); }
inline void go(int n) { stage() = n; }
struct T { int v = 3; T() {} virtual ~T() { v = -1; } int get() const { return v; } T& self() { return *this; }
  int wait() const { stage() = 1; while (stage() != 2) std::this_thread::yield(); return v; }
  int fail() const { throw std::runtime_error("no luck"); } };
inline int take(std::unique_ptr<T> t) { return t->get(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba")


def test_an_object_that_is_gone_is_refused(lib: Any) -> None:
    @numba.njit
    def get(t: Any) -> Any:
        return t.get()

    one, other = lib.T(), lib.T()
    assert get(one) == get(other) == 3
    sb.delete(one)
    lib.take(other)
    for _ in range(3):
        with pytest.raises(sb.IntentError, match=r"It is gone: sb\.delete\(\)"):
            get(one)
        with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over"):
            get(other)
    gc.collect()
    before = sys.getrefcount(one)
    with pytest.raises(sb.IntentError):
        get(one)
    gc.collect()
    assert sys.getrefcount(one) == before
    with lib.T() as third:
        assert get(third) == 3


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("end", ["delete", "take"])
def test_an_object_in_use_without_the_gil_is_not_ended(lib: Any, end: str, nested: bool) -> None:
    @numba.njit(nogil=True)
    def wait(t: Any) -> Any:
        return t.wait()

    @numba.njit(nogil=True)
    def wait_inside(pair: Any) -> Any:
        return pair[0].wait() + pair[1].get()

    ends = sb.delete if end == "delete" else lib.take
    obj, got = lib.T(), []
    lib.go(2)
    call = (lambda: wait_inside((obj, obj))) if nested else lambda: wait(obj)
    wait.compile((numba.typeof(obj),))
    wait_inside.compile((numba.typeof((obj, obj)),))
    lib.go(0)
    thread = threading.Thread(target=lambda: got.append(call()))
    thread.start()
    try:
        while lib.at() != 1:
            time.sleep(0.001)
        with pytest.raises(sb.IntentError, match="running uses it"):
            ends(obj)
    finally:
        lib.go(2)
        thread.join()
    assert got == [6 if nested else 3]
    ends(obj)


def test_a_call_that_fails_is_over(lib: Any) -> None:
    @numba.njit(nogil=True)
    def fail(t: Any, other: Any) -> Any:
        return t.fail() + other.get()

    one, other = lib.T(), lib.T()
    with pytest.raises(RuntimeError, match="no luck"):
        fail(one, other)
    sb.delete(other)
    with pytest.raises(sb.IntentError, match="It is gone"):
        fail(one, other)
    gc.collect()
    sb.delete(one)


def test_what_compiled_code_returns_lies_inside_of_its_object(lib: Any) -> None:
    @numba.njit
    def inside(t: Any) -> Any:
        return t.self()

    obj = lib.T()
    seen = inside(obj)
    with pytest.raises(sb.IntentError, match="lie inside of it"):
        sb.delete(obj)
    assert seen.get() == 3
    before = sys.getrefcount(obj)
    del seen
    assert sys.getrefcount(obj) == before - 1
    sb.delete(obj)
