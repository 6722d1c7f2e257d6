"""Times calls: one code object per call site, all peers interleaved, nothing subtracted."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from itertools import repeat
from statistics import median
from time import perf_counter_ns

from cases import Call

SLICE_NS = 3_000_000

# Every call site gets code of its own: CPython specialises a call instruction for the callable it meets.
_LOOP = """
def loop(count, function{parameters}):
    start = clock()
    for _ in repeat(None, count):
        function({arguments})
    return clock() - start
"""


def call_site(call: Call) -> Callable[[int], int]:
    """A function that performs `count` calls and returns the nanoseconds they took."""
    function, args = call
    names = [f"a{i}" for i in range(len(args))]
    scope = {"clock": perf_counter_ns, "repeat": repeat}
    exec(_LOOP.format(parameters="".join(f", {name}" for name in names), arguments=", ".join(names)), scope)
    loop = scope["loop"]
    return lambda count: loop(count, function, *args)


def time_together(
    calls: Mapping[str, Call], repeats: int, first: int, pick: Callable[[list[float]], float] = median
) -> dict[str, float]:
    """Nanoseconds per call of every peer: what `pick` makes of `repeats` slices taken in turn, `first` begins."""
    sites = {name: call_site(call) for name, call in calls.items()}
    counts = {name: _count(site) for name, site in sites.items()}
    order = list(sites)
    samples: dict[str, list[float]] = {name: [] for name in order}
    gc.collect()
    gc.disable()
    try:
        for turn in range(repeats):
            start = (first + turn) % len(order)
            for name in order[start:] + order[:start]:
                samples[name].append(sites[name](counts[name]) / counts[name])
    finally:
        gc.enable()
    return {name: pick(values) for name, values in samples.items()}


def _count(site: Callable[[int], int]) -> int:
    count = 100
    while (elapsed := site(count)) < SLICE_NS // 4:
        count *= 2
    return max(1, count * SLICE_NS // elapsed)
