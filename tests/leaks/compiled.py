"""Run by test_compiled_hostile.py: @njit without the GIL in eight threads, where everything fails now and then."""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from pathlib import Path
from time import perf_counter

SECONDS, FLAGS = float(sys.argv[1]), sys.argv[2:]
sys.path.insert(0, str(Path(__file__).parents[1] / "targets"))
warnings.simplefilter("ignore")


from njit_programs import SOURCE, Program  # noqa: E402
from numba import njit  # noqa: E402

import samebytes as sb  # noqa: E402

lib = sb.compile(SOURCE, target="numba", flags=FLAGS, libraries=["asan", "ubsan"] if FLAGS else [])
seeds = [seed for seed in range(200, 300) if len(Program(seed).text) < 700][:4]
programs = [Program(seed).function(lib, njit(nogil=True)) for seed in seeds]
ran = [0] * len(programs)


def work(first: int) -> None:
    """All programs in turn, with all numbers: each once, however slow the machine is, and on until the time is over."""
    n = first
    while n < first + len(programs) or perf_counter() < end:
        which = n % len(programs)
        with contextlib.suppress(ValueError, RuntimeError, IndexError, OverflowError, AssertionError):
            programs[which](n // len(programs) % 6)
        ran[which] += 1
        n += 1


for program in programs:
    try:
        program(0)
    except Exception as error:
        print("compiled:", type(error).__name__)
end = perf_counter() + SECONDS
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("ran:", *ran)
print("alive:", lib.count(), "wrong:", lib.errors())
