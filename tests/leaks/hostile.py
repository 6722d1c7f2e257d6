"""Run by test_hostilities.py: one scene in eight threads, with the usual core or one of its own."""

from __future__ import annotations

import gc
import random
import sys
import threading
import warnings
from pathlib import Path
from time import perf_counter

SCENE, SECONDS, CORE, *FLAGS = sys.argv[1], float(sys.argv[2]), *sys.argv[3:]
sys.path.insert(0, str(Path(__file__).parent))
if CORE != "-":
    import own_core

    own_core.load(CORE)
warnings.simplefilter("ignore")

from hostilities import SCENES  # noqa: E402

import samebytes as sb  # noqa: E402

scene = SCENES[SCENE]
lib = sb.compile(
    scene.source, arg_intent=scene.intents, flags=FLAGS, libraries=["asan", "ubsan"] if FLAGS else []
)
gc.collect()
gc.freeze()  # what is there already is no garbage: collections are quick
shared = scene.start(
    lib
)  # not before: who ends an object looks among the frozen, too, if objects are hidden there
sys.setswitchinterval(1e-6)
answered = [0] * len(scene.acts)
refused = [0] * len(scene.acts)
failures: set[str] = set()
end = perf_counter() + SECONDS


def work(number: int) -> None:
    """Acts in an order of this thread's own."""
    order = random.Random(number)
    while first or perf_counter() < end:
        try:
            which = first.pop()
        except IndexError:
            which = order.randrange(len(scene.acts))
        try:
            scene.acts[which](lib, shared)
            answered[which] += 1
        except (sb.Error, ValueError):  # a field of an object that is gone: ValueError
            refused[which] += 1
        except Exception as error:
            failures.add(f"act {which}: {error!r}"[:500])


# Each act once, however slow the machine is; then whichever, until the time is over.
first = random.Random(SCENE).sample(range(len(scene.acts)), len(scene.acts))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("answered:", *answered)
print("refused:", *refused)
print("failures:", sorted(failures))
