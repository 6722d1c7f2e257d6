"""Forks beside threads that build and load: in the child every lock is free, and no import is half done.

It is there from the start: whatever is imported later is so with :data:`importing`, for which a fork waits. What says
by itself what is to be done before forks (``logging``, ``concurrent.futures``) is not imported where it can be avoided:
a fork that waits for its import does what comes after, and not what comes before.
"""

from __future__ import annotations

import os
from threading import RLock
from types import TracebackType
from weakref import WeakSet

_PATIENCE = 10.0  # seconds that a fork waits for an import, which could wait for the thread that forks


class Lock:
    """A lock that its thread may take again; free in the child of a fork, unless the thread that forks has it."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = RLock()
        _all.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._lock.release()

    def _renew(self) -> None:
        # What the forking thread has it goes on to use, and releases; threads that had others are not in the child.
        if not self._lock._is_owned():  # type: ignore[attr-defined]
            self._lock = RLock()


_all: WeakSet[Lock] = WeakSet()
importing = Lock()
_held: list[bool] = []  # for each fork on its way, whether it has `importing`


def _before() -> None:
    _held.append(importing._lock.acquire(timeout=_PATIENCE))


def _after() -> None:
    if _held.pop():
        importing._lock.release()


def _in_child() -> None:
    _after()
    for lock in list(_all):
        lock._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_in_child)
