"""Operations on atomics of C++ in Python: the place changes at once, as C++ sees it, and what was there comes back."""

from __future__ import annotations

import copy
import json
import math
import pickle
import threading
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

SOURCE = r"""
#include <atomic>
#include <cstdint>
struct Counters {
  std::atomic<int> whole{1};
  std::atomic<std::uint8_t> small{250};
  std::atomic<std::int16_t> least{-32768};
  std::atomic<std::uint64_t> wide{1};
  std::atomic<char> letter{'a'};
  std::atomic<double> real{0.5};
  std::atomic<float> narrow{1};
  std::atomic<bool> flag{true};
  const std::atomic<int> fixed{3};
};
inline Counters* several() { static Counters c[2]; return c; }
inline const Counters& constant() { static Counters c; return c; }
inline int whole_of(const Counters& c) { return c.whole; }
inline std::atomic<int> total{5};
inline int totalled() { return total; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@each(
    "member, start, act, before, after",
    [
        ("whole", 1, lambda n: n.add(2), 1, 3),
        ("whole", 1, lambda n: n.sub(3), 1, -2),
        ("whole", 2**31 - 1, lambda n: n.add(1), 2**31 - 1, -(2**31)),
        ("whole", 1, lambda n: n.exch(7), 1, 7),
        ("whole", 7, lambda n: n.cas(7, 9), 7, 9),
        ("whole", 8, lambda n: n.cas(7, 9), 8, 8),
        ("whole", 12, lambda n: n.and_(6), 12, 4),
        ("whole", 12, lambda n: n.or_(3), 12, 15),
        ("whole", 12, lambda n: n.xor(5), 12, 9),
        ("whole", 12, lambda n: n.max(50), 12, 50),
        ("whole", 12, lambda n: n.min(50), 12, 12),
        ("whole", 12, lambda n: n.load(order="acquire"), 12, 12),
        ("whole", 12, lambda n: n.store(4, order="release", scope="device"), None, 4),
        ("small", 250, lambda n: n.add(10), 250, 4),
        ("least", -32768, lambda n: n.sub(1), -32768, 32767),
        ("wide", 2**64 - 1, lambda n: n.min(2**63), 2**64 - 1, 2**63),
        ("letter", 97, lambda n: n.add(1), 97, 98),
        ("real", 0.5, lambda n: n.add(0.25), 0.5, 0.75),
        ("real", 0.5, lambda n: n.max(math.inf), 0.5, math.inf),
        ("real", 0.5, lambda n: n.nanmax(math.nan), 0.5, 0.5),
        ("real", math.nan, lambda n: n.nanmin(2.0) * 0, math.nan, 2.0),
        ("real", 0.5, lambda n: n.min(math.nan), 0.5, math.nan),
        ("narrow", 1.5, lambda n: n.sub(0.25), 1.5, 1.25),
    ],
)
def test_an_operation_changes_the_place(
    lib: Any, member: str, start: Any, act: Any, before: Any, after: Any
) -> None:
    counters = lib.Counters()
    setattr(counters, member, start)
    found = act(getattr(counters, member)), getattr(counters, member)
    assert [str(x) for x in found] == [str(x) for x in (before, after)]  # NaN is itself


def test_cxx_sees_it(lib: Any) -> None:
    counters = lib.Counters()
    assert counters.whole.add(4) == 1
    assert lib.whole_of(counters) == 5
    assert lib.several().whole.add(1) == 1
    assert lib.several().whole == 2


def test_a_variable_counts_threads(lib: Any) -> None:
    start = lib.total

    def count() -> None:
        for _ in range(1000):
            lib.total.add(1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lib.total == lib.totalled() == start + 4000


def test_what_was_read_is_a_number(lib: Any) -> None:
    whole, real = lib.Counters().whole, lib.Counters().real
    assert (whole, real, hash(whole), json.dumps(whole)) == (1, 0.5, hash(1), "1")
    assert type(pickle.loads(pickle.dumps(whole))) is type(copy.copy(whole)) is int
    assert sb.pack(whole) == sb.pack(1)
    assert type(lib.Counters().flag) is bool


@sb.struct
class TicketMutex:  # the specification's example
    line: sb.Atomic(int, align=16)  # type: ignore[valid-type]
    current: sb.Atomic(int, align=16)  # type: ignore[valid-type]

    @sb.func
    def lock(self) -> None:
        my = self.line.add(1)  # type: ignore[attr-defined]
        while True:
            now = self.current.load(order="acquire")  # type: ignore[attr-defined]
            if now == my:
                break
            self.current.wait(now)  # type: ignore[attr-defined]

    @sb.func
    def unlock(self) -> None:
        self.current.add(1)  # type: ignore[attr-defined]
        self.current.notify_all()  # type: ignore[attr-defined]


def test_methods_of_atomics_run_in_python_as_when_compiled() -> None:
    mutex, seen = TicketMutex(0, 0), []

    def enter() -> None:
        for _ in range(20):
            mutex.lock()
            seen.append(len(seen))  # no two threads have the same
            mutex.unlock()

    threads = [threading.Thread(target=enter) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [*range(60)]
    assert (mutex.line, mutex.current) == (60, 60)


@each(
    "act, error, words",
    [
        (lambda lib, c: c.real.and_(1), sb.ArgumentError, r"Counters\.real\.and_\(\) is no operation of float64"),
        (lambda lib, c: c.small.add(300), sb.RangeError, r"small\.add\(\) argument 1 'value': expected uint8"),
        (lambda lib, c: c.whole.add(1.5), sb.ArgumentError, r"int\(x\) converts it"),
        (lambda lib, c: c.whole.add(), sb.ArgumentError, "takes value, and got 0"),
        (lambda lib, c: c.whole.add(1, order="weak"), sb.ArgumentError, "takes as order 'relaxed', 'acquire'"),
        (lambda lib, c: c.whole.load(order="release"), sb.ArgumentError, "takes as order"),
        (lambda lib, c: lib.constant().whole.add(1), sb.ArgumentError, "C.. gave the object as const"),
        (lambda lib, c: c.fixed.add(1), AttributeError, "add"),
        (lambda lib, c: c.flag.add(1), AttributeError, "add"),
    ],
)  # fmt: skip
def test_what_an_atomic_does_not_do_is_refused(lib: Any, act: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        act(lib, lib.Counters())
