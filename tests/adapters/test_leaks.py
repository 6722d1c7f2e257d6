"""Adapters made and dropped many times, also by several threads at once: nothing is left, nothing is released twice."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading

import numpy as np
import pytest

import samebytes as sb

X = np.arange(8, dtype="i4")
BUFFER = bytearray(64)

CYCLES = {
    "buffer": lambda: sb.Pointer(BUFFER),
    "array": lambda: sb.Pointer(X),
    "offset": lambda: sb.Pointer(X)[4],
    "copy": lambda: sb.Pointer(sb.Pointer(BUFFER)),
    "new init": lambda: sb.Pointer(BUFFER).__init__(X),
    "refused": lambda: _refused(sb.Pointer, "text"),
    "part": lambda: sb.DeviceArray(X)[1:3].reshape(2, 1),
    "memory": lambda: sb.DeviceArray.empty(4, "f4"),
    "configure": lambda: sb.DeviceArray(X).configure(shape=(2, 4)),
    "integers": lambda: sb.ListOfInt([1, 2, 3]),
    "pointers": lambda: sb.ListOfPointer([X, BUFFER, 5]),
    "bytes": lambda: sb.ListOfBytes([b"a", b"b"]),
    "out of range": lambda: _refused(sb.ListOfInt, [2**31]),
    "extra": lambda: sb.LaunchExtra([ctypes.c_int(1), X]),
}


def _refused(cls, obj):
    with pytest.raises(sb.Error):
        cls(obj)


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.parametrize("name", CYCLES)
def test_cycles_leave_nothing(name):
    cycle = CYCLES[name]
    for _ in range(200):
        cycle()
    before, counts = blocks(), [sys.getrefcount(x) for x in (X, BUFFER)]
    for _ in range(2000):
        cycle()
    assert blocks() - before < 1000  # caches of others grow a little; a leak is a block for each cycle
    assert [sys.getrefcount(x) for x in (X, BUFFER)] == counts
    BUFFER.append(0)
    BUFFER.pop()


@pytest.mark.full
def test_a_million_pointers():
    pointer = sb.Pointer()
    before = blocks()
    for _ in range(500_000):
        pointer.__init__(BUFFER)
        sb.Pointer(pointer)
    pointer.__init__(None)
    assert blocks() - before < 1000  # caches of others grow a little; a leak is a block for each cycle
    BUFFER.append(0)
    BUFFER.pop()


def test_threads_exchange_a_pointer_while_others_use_it(library):
    """A pointer is made to point elsewhere while C reads through it: what C reads stays."""
    pointer, stop, wrong = sb.Pointer(np.full(1000, 1, "i4")), threading.Event(), []

    def exchange():
        while not stop.is_set():
            pointer.__init__(np.full(1000, 1, "i4"))

    def use():
        for _ in range(3000):
            if library.total(pointer, 1000) != 1000:
                wrong.append(1)

    threads = [threading.Thread(target=exchange)]
    users = [threading.Thread(target=use) for _ in range(2)]
    for thread in (*threads, *users):
        thread.start()
    for thread in users:
        thread.join()
    stop.set()
    threads[0].join()
    assert not wrong
