"""Run by test_out_of_memory.py with a core each of whose calls that may want memory can be made to fail, one at a time.

Only the core's own calls fail: what NumPy or ctypes do without memory is theirs.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
CORE, FOLDER = sys.argv[1], Path(sys.argv[2])
import own_core  # noqa: E402

own_core.load(CORE)
warnings.simplefilter("ignore")

import further  # noqa: E402
from cycles import everything  # noqa: E402
from measure import in_use  # noqa: E402
from sources import bound, compiled  # noqa: E402

core = ctypes.CDLL(CORE)
fail_at, calls = (ctypes.c_long.in_dll(core, name) for name in ("samebytes_fail_at", "samebytes_calls"))
MOST = 400  # calls of a cycle that are made to fail

sys.unraisablehook = lambda told: None  # what has nobody to raise to is told, as it should be


def run(cycle: Callable[[], Any], at: int) -> BaseException | None:
    """Run a cycle whose call number ``at`` fails; what it raises, if that is not MemoryError."""
    fail_at.value, calls.value = at, 0
    try:
        cycle()
    except BaseException as error:
        fail_at.value = -1
        return error.with_traceback(None)
    finally:
        fail_at.value = -1
    return None


def sweep(cycle: Callable[[], Any], count: int, seen: Counter[str]) -> str:
    """Let each call fail once; after each the cycle must work again. What is wrong, or nothing."""
    for at in range(count):
        error = run(cycle, at)
        if error is not None:
            seen["MemoryError" if isinstance(error, MemoryError) else type(error).__name__] += 1
        if isinstance(error, SystemError):
            return f"call {at}: {error!r}"
        if (error := run(cycle, -1)) is not None:
            return f"after call {at}: {error!r}"
    return ""


def lost(allocate: Callable[[], Any], out: Callable[[], int]) -> int:
    """Of the blocks that C allocates while each call fails once, those that nobody gives back."""
    before = out()
    for at in range(MOST):
        fail_at.value, calls.value = at, 0
        try:
            array = allocate()
        except MemoryError:
            array = None
        finally:
            reached, fail_at.value = calls.value > at, -1
        del array
        if not reached:
            break
    gc.collect()
    return out() - before


lib, api = compiled(), bound(FOLDER)
rest, pool = further.compiled(), further.bound(FOLDER)
rows = everything(lib, api) | further.further(rest, pool)
del rows["destructors that throw"]
for name in sys.argv[3:] or rows:
    cycle, seen = rows[name], Counter[str]()
    for _ in range(3):
        cycle()
    run(cycle, -1)
    count = min(calls.value, MOST)
    wrong = sweep(cycle, count, seen)
    left = []
    for _ in range(2 if not wrong else 0):
        gc.collect()
        before = in_use()
        wrong = wrong or sweep(cycle, count, Counter())
        left.append(in_use()[0] - before[0])
    print(f"{name}: {count} calls, {dict(seen)}, {min(left, default=0)} blocks left; {wrong}", flush=True)
print("alive:", lib.alive() - 2, api.open_devices(), api.allocated(), rest.alive() - 1, pool.out())
print("blocks lost:", lost(lambda: pool.take(32), pool.out))
