"""How many objects C++ still has once garbage is gone."""

from __future__ import annotations

import gc
from collections.abc import Callable


def remaining(count: Callable[[], int], expected: int) -> int:
    """What ``count()`` says. Garbage is collected where that is not what is expected, young garbage first.

    Each full collection walks through all that pytest holds: where nothing is left, there is no need for any.
    """
    for generation in (0, 1, 2):
        if count() == expected:
            break
        gc.collect(generation)
    return count()
