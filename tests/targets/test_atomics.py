"""Atomics in @njit: the specification's ticket_mutex, every operation beside C++'s, and waiting with C++ crosswise."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as device

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full
THREADS, TIMES = 4, 100_000


@device.struct
class ticket_mutex:  # noqa: N801
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)

    @device.func
    def lock(self):
        my = self.line.add(1)
        while True:
            now = self.current.load()
            if now == my:
                break
            self.current.wait(now)

    @device.func
    def unlock(self):
        self.current.add(1)
        self.current.notify_all()


@njit(nogil=True)
def count(mutex, counter, times):
    for _ in range(times):
        mutex.lock()
        counter[0] += 1
        mutex.unlock()


@njit(nogil=True)
def count_in_array(mutexes, counter, times):
    for _ in range(times):
        ticket_mutex.lock(mutexes[1])
        counter[0] += 1
        ticket_mutex.unlock(mutexes[1])


def in_threads(work: Callable[..., Any], *arguments: Any) -> None:
    """At once: each waits for the others before it begins."""
    ready = threading.Barrier(THREADS)

    def run() -> None:
        ready.wait()
        work(*arguments)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.requirement("S.14")
def test_ticket_mutex_guards_a_counter() -> None:
    mutex, counter = ticket_mutex(0, 0), np.zeros(1, np.int64)
    count(mutex, counter, 0)  # compiled
    in_threads(count, mutex, counter, TIMES)
    assert counter[0] == THREADS * TIMES
    assert (mutex.line, mutex.current) == (THREADS * TIMES, THREADS * TIMES)


@pytest.mark.requirement("S.14")
def test_ticket_mutex_in_an_array() -> None:
    mutexes, counter = np.zeros(3, ticket_mutex.dtype), np.zeros(1, np.int64)
    count_in_array(mutexes, counter, 0)
    in_threads(count_in_array, mutexes, counter, TIMES // 10)
    assert counter[0] == THREADS * TIMES // 10
    assert mutexes["line"].tolist() == [0, THREADS * TIMES // 10, 0]


@device.struct
class Numbers:
    i4: device.Atomic(device.int32)
    u4: device.Atomic(device.uint32)
    i8: device.Atomic(device.int64)
    u8: device.Atomic(device.uint64)
    f4: device.Atomic(device.float32)
    f8: device.Atomic(device.float64)
    p: device.Atomic(device.pointer[device.float64])


MEMBERS = ("i4", "u4", "i8", "u8", "f4", "f8")
# What the operation makes of what was there and what is given; as one instruction would.
EXPECTED: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "max": max, "min": min, "exch": lambda a, b: b,
    "and_": lambda a, b: a & b, "or_": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip


def operation(member: str, text: str) -> Any:
    scope: dict[str, Any] = {"np": np}
    exec(f"def f(a, v):\n    return a.{member}.{text}\n", scope)
    return njit(scope["f"])


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("member", MEMBERS)
def test_operation(member: str, name: str) -> None:
    real = member.startswith("f")
    if real and name in ("and_", "or_", "xor"):
        with pytest.raises(numba.core.errors.TypingError, match=f"has no {name}: that is for integers"):
            operation(member, f"{name}(v)")(Numbers(0, 0, 0, 0, 0, 0, None), 1.0)
        return
    kind = np.dtype(member).type
    compiled = operation(member, f"{name}(v)")
    for before, given in ((12, 10), (10, 12), (5, 5)):
        held = Numbers(**dict.fromkeys(MEMBERS, 0), p=None).replace(**{member: before})
        assert compiled(held, kind(given)) == before
        with np.errstate(over="ignore"):
            assert getattr(held, member) == EXPECTED[name](kind(before), kind(given))


@pytest.mark.parametrize("member", ["f4", "f8"])
@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin"])
def test_nan(member: str, name: str) -> None:
    kind, compiled = np.dtype(member).type, operation(member, f"{name}(v)")
    for before, given in ((1.5, math.nan), (math.nan, 1.5), (math.nan, math.nan)):
        held = Numbers(**dict.fromkeys(MEMBERS, 0), p=None).replace(**{member: before})
        compiled(held, kind(given))
        both = math.isnan(before) and math.isnan(given)
        assert math.isnan(getattr(held, member)) == (both or not name.startswith("nan"))


def test_the_rest() -> None:
    data, held = np.arange(3.0), Numbers(3, 0, 0, 0, 0, 2.5, None)
    assert operation("i4", "cas(7, 9)")(held, 0) == 3
    assert held.i4 == 3
    assert operation("i4", "cas(3, v)")(held, np.int32(9)) == 3
    assert held.i4 == 9
    assert operation("u8", 'store(v, order="release", scope="device")')(held, np.uint64(2**63 + 1)) is None
    assert held.u8 == 2**63 + 1
    assert operation("f8", 'exch(v, "relaxed")')(held, 1.5) == 2.5
    held = Numbers(0, 0, 0, 0, 0, 0, data)
    assert operation("p", "load()[2]")(held, 0) == 2
    assert operation("p", "exch(None)[1]")(held, 0) == 1
    assert not held.p


@pytest.mark.parametrize(
    ("member", "text", "words"),
    [
        ("i4", "add(1, order='sloppy')", "takes as order 'relaxed', .* known when compiling, and got 'sloppy'"),
        ("i4", "add(1, scope='here')", "takes as scope 'thread', 'block', 'device', 'system'"),
        ("i4", "load(order='release')", "takes as order 'relaxed', 'acquire', 'seq_cst'"),
        ("i4", "store(1, order='acquire')", "takes as order 'relaxed', 'release', 'seq_cst'"),
        ("i4", "add(1, order=v)", "known when compiling, and got unicode_type"),
        ("i4", "add()", "lacks value"),
        ("i4", "add(1, 'relaxed', 'device', 2)", "takes value, order, scope"),
        ("i4", "add(1, more=2)", "and not 'more'"),
        ("i4", "add(1.5)", "expected int32, got float64"),
        ("i4", "nanmax(1)", "that is for floating-point numbers"),
        ("p", "add(1)", "that is for numbers"),
        ("i4", "swap(1)", "has no 'swap': it has load, store, exch"),
    ],
)  # fmt: skip
def test_refused_when_compiling(member: str, text: str, words: str) -> None:
    with pytest.raises(numba.core.errors.TypingError, match=words):
        operation(member, text)(Numbers(0, 0, 0, 0, 0, 0, None), "text")


@device.struct
class Flags:
    flag: device.Atomic(bool)


def test_bools_are_no_numbers() -> None:
    """As in C++: True and True was a byte of 2, which is no bool."""
    flags = Flags(False)
    assert njit(lambda f: (f.flag.exch(True), f.flag.cas(True, False), f.flag.load()))(flags) == (
        False,
        True,
        False,
    )
    for name in ("add", "max", "and_"):
        with pytest.raises(numba.core.errors.TypingError, match=f"has no {name}: that is for"):
            operation("flag", f"{name}(v)")(flags, True)


def test_in_a_loop_over_threads() -> None:
    """Numba's own: each thread has the struct, and not a copy."""

    @njit(parallel=True)
    def count(held, times):
        for _ in numba.prange(times):
            held.i4.add(1)

    held = Numbers(0, 0, 0, 0, 0, 0, None)
    count(held, 1000)
    assert held.i4 == 1000


def test_copies_are_refused() -> None:
    with pytest.raises(
        numba.core.errors.TypingError, match=r"would copy atomics.*ticket_mutex.method\(a\[i\]\)"
    ):
        njit(lambda a: ticket_mutex(a[0]).line.add(1))(np.zeros(1, ticket_mutex.dtype))
    with pytest.raises(numba.core.errors.TypingError, match="would copy atomics"):
        njit(lambda a: a.replace(i4=1))(Numbers(0, 0, 0, 0, 0, 0, None))


def test_it_is_the_very_struct() -> None:
    mutex = ticket_mutex(0, 0)
    assert njit(lambda m: m)(mutex) is mutex
    made = njit(lambda: ticket_mutex(3, 4))()
    assert (made.line, made.current) == (3, 4)
    assert njit(lambda: ticket_mutex(3, 4).line.load())() == 3


NAMED = ticket_mutex(0, 0)


def test_one_that_a_function_names() -> None:
    @njit
    def more():
        return NAMED.line.add(2)

    assert (more(), more(), NAMED.line) == (0, 2, 4)


SOURCE = """
#include <atomic>
#include <cstdint>
struct Gate {
  std::atomic<int> open{0};
  std::atomic<std::int64_t> large{0};
  void wait() { open.wait(0); large.wait(0); }
  void unlock() { open = 1; open.notify_all(); large = 1; large.notify_one(); }
  int get() const { return open; }
};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return device.compile(SOURCE, target="numba", name="gates", flags="-std=c++20")


@njit(nogil=True)
def wait(gate):
    gate.open.wait(0)
    gate.large.wait(0)


@njit(nogil=True)
def unlock(gate):
    gate.open.store(1)
    gate.open.notify_all()
    gate.large.store(1)
    gate.large.notify_one()


def test_members_of_cxx_are_the_same_atomics(lib: Any) -> None:
    gate = lib.Gate()
    assert njit(lambda g: g.open.add(5))(gate) == 0
    assert gate.get() == 5


@pytest.mark.parametrize("python_waits", [True, False])
@pytest.mark.parametrize("python_wakes", [True, False])
def test_waits_crosswise(lib: Any, python_waits: bool, python_wakes: bool) -> None:
    gate, other = lib.Gate(), lib.Gate()
    unlock(other), wait(other)  # compiled
    waiter = threading.Thread(target=wait if python_waits else lib.Gate.wait, args=(gate,), daemon=True)
    waiter.start()
    waiter.join(0.1)
    assert waiter.is_alive()
    (unlock if python_wakes else lib.Gate.unlock)(gate)
    waiter.join(10)
    assert not waiter.is_alive()
