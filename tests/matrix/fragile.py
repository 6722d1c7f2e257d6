"""The cells that end the process, each tried in a process of its own; prints whatever comes out as JSON.

``python tests/matrix/fragile.py``
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
import numpy as np

from matrix import cells
from matrix.arrays import DTYPES
from matrix.consumers import CONSUMERS
from matrix.limits import TRAP


def attempt(try_it: Callable[[], Any]) -> str:
    """What a child says; TRAP where a signal ends it."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            found = str(try_it())
        except BaseException as error:
            found = f"{type(error).__name__}: {error}"
        os.write(writer, found.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return TRAP if os.WIFSIGNALED(status) else said


class Alone:
    """NumPy's own DLPack of a negative stride: samebytes has no part in it."""

    array = np.arange(6.0)[::-1]

    def __dlpack__(self, **how: Any) -> Any:
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def main() -> None:
    import_module("torch")
    found = {c: attempt(partial(CONSUMERS[c].take, Alone())) for c, _ in cells.FRAGILE}
    # JAX last: a process with its threads is not one to fork; and it makes no such array.
    for producer in sorted(cells.PRODUCERS, key=lambda p: p == "jax"):
        for consumer, shape in sorted(cells.FRAGILE):
            for name in DTYPES:
                _, view = cells.made(producer, shape, name)
                key = (producer, consumer, shape, name)
                tried = partial(cells.outcome, *key, child=True)
                found["\t".join(key)] = view if isinstance(view, str) else attempt(tried)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
