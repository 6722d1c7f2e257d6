"""Run by test_forks.py: a thread is stopped in the middle of some work, the process forks, and the child does the same.

Each fork begins in a process of its own, in which nothing was done yet.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
warnings.simplefilter("ignore")

from sources import bound  # noqa: E402

import samebytes as sb  # noqa: E402

NAME, FOLDER, START, STEP = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
SOURCE = """
#include <vector>
inline double first(std::vector<double> v) { return v[0]; }
template <class T> T twice(T x) { return x + x; }
"""
WATCHED = ("samebytes", "importlib")
NEVER = 3  # the work ended before it came so far
given: list[Any] = []
if NAME != "imported":
    sb.compile, sb.vector  # noqa: B018  # what is named first imports what it needs


def loaded() -> None:
    assert sb.compile(SOURCE, name="forked").first([1.5]) == 1.5


def instance() -> None:
    assert given[0].twice[float](1.5) == 3.0


def symbol() -> None:
    assert given[0].get_first() == (given[0].OK, 1)


def vector() -> None:
    assert sb.vector("f4", 3)(1, 2, 3).x == 1


# What is there before, and the work.
WORK: dict[str, tuple[Callable[[], Any], Callable[[], None]]] = {
    "loaded": (loaded, loaded),
    "instance": (lambda: given.append(sb.compile(SOURCE, name="forked")), instance),
    "symbol": (lambda: given.append(bound(FOLDER)), symbol),
    "vector": (lambda: None, vector),
    "imported": (lambda: None, vector),
}


def apart(work: Callable[[], None]) -> int:
    """Do it in a child; how that ends."""
    pid = os.fork()
    if not pid:
        signal.alarm(60)
        try:
            work()
        except BaseException as error:
            print("the child:", repr(error)[:300], flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def stopped(work: Callable[[], None], at: int) -> int:
    """Fork while a thread rests for a moment at the call of that number; how the child ends."""
    reached, calls, place = threading.Event(), 0, ""

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls, place
        file = frame.f_code.co_filename
        if event != "call" or not any(name in file for name in WATCHED):
            return
        calls += 1
        if calls == at:
            place = f"{os.path.basename(file)}:{frame.f_lineno}"
            reached.set()
            time.sleep(0.3)

    def run() -> None:
        sys.setprofile(watch)
        work()
        sys.setprofile(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while not reached.wait(0.01):
        if not thread.is_alive():
            return NEVER
    code = apart(work)
    thread.join()
    if code:
        print(f"stopped at call {at}, {place}: {code}", flush=True)
    return code


before, work = WORK[NAME]
if NAME == "loaded":
    apart(before)  # builds it
else:
    before()
points, bad, at = 0, 0, START
while (code := apart(lambda: os._exit(stopped(work, at)))) != NEVER:  # noqa: B023
    points, bad, at = points + 1, bad + bool(code), at + STEP
print(f"{points} points, {bad} bad")
