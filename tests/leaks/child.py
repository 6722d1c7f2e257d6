"""Run by test_sanitized.py with a core of its own: each cycle n and 2n times, then all in threads."""

from __future__ import annotations

import gc
import sys
import threading
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

CORE, FOLDER, TIMES, SECONDS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
LIBRARY: dict[str, Any] = {}
if sys.argv[5:]:  # instrumented, too
    THREAD = "-fsanitize=thread" in sys.argv
    LIBRARY = {"flags": sys.argv[5:], "libraries": ["tsan"] if THREAD else ["asan", "ubsan"]}
sys.path.insert(0, str(Path(__file__).parent))
import own_core  # noqa: E402

own_core.load(CORE)
warnings.simplefilter("ignore")

import further  # noqa: E402
import rest as others  # noqa: E402
from cycles import everything  # noqa: E402
from measure import in_use  # noqa: E402
from sources import bound, compiled  # noqa: E402

lib, api = compiled(**LIBRARY), bound(FOLDER)
rest, pool = further.compiled(**LIBRARY), further.bound(FOLDER)
texts = others.bound(FOLDER)
cycles = everything(lib, api) | further.further(rest, pool) | others.rest(lib, texts)
gc.collect()
gc.freeze()  # what is there already, torch say, is no garbage: collections are quick
for name, cycle in cycles.items():
    if name in others.ENDING:
        cycle()
        continue
    for _ in range(20):
        cycle()
    rows = []
    for times in (TIMES, TIMES, 2 * TIMES):
        before = in_use()[1]
        for _ in range(times):
            cycle()
        rows.append(in_use()[1] - before)
    print(f"{min(rows[1], rows[2]):8d} bytes: {name}")

sys.setswitchinterval(1e-6)
end = perf_counter() + SECONDS
failures: list[str] = []


def work(number: int) -> None:
    """Every cycle, each thread from another one on."""
    rows = [
        row for row in cycles.items() if row[0] not in ("a callback that is kept", "destructors that throw")
    ]
    done = number * len(rows) // 8
    while perf_counter() < end:
        name, cycle = rows[done % len(rows)]
        try:
            cycle()
        except Exception as error:
            failures.append(f"{name}: {error!r}")
        done += 1


threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("failures:", failures)
print(
    "alive:",
    lib.alive() - 2,
    api.open_devices(),
    api.allocated(),
    rest.alive() - 1,
    pool.out(),
    texts.held(),
)
