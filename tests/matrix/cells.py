"""One cell of the matrix: a producer's array goes through ``sb.view`` to a consumer, and both write and read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import samebytes as sb

from .arrays import DTYPES, SHAPES, Memory, memory
from .consumers import CONSUMERS, Seen
from .limits import TRAP, limit_of
from .producers import PRODUCERS

PAIRS = tuple((producer, consumer) for producer in PRODUCERS for consumer in CONSUMERS)
Cell = tuple[str, str, str, str]  # producer, consumer, shape, dtype

# What ends the process: tried in a child.
FRAGILE = {("torch.from_dlpack", "negative"), ("torch.as_tensor", "negative")}


@lru_cache(maxsize=256)
def made(producer: str, shape: str, name: str) -> tuple[Memory, Any]:
    """A producer's array of new memory as a view; or the key of the limit that it meets."""
    shown = memory(name, shape)
    try:
        return shown, sb.view(PRODUCERS[producer](shown))
    except Exception as error:
        return shown, limit_of(producer, error)


def outcome(producer: str, consumer: str, shape: str, name: str, *, child: bool = False) -> str:
    """A word of ``SHARED``, or the key of a limit."""
    shown, view = made(producer, shape, name)
    if isinstance(view, str):
        return view
    if (consumer, shape) in FRAGILE and view.device.type == 1 and not child:
        return TRAP
    how = CONSUMERS[consumer]
    try:
        taken = how.take(view)
    except Exception as error:
        return limit_of(consumer, error)
    found = compared(shown, how.see(taken), readonly=view.readonly)
    assert found != "read-only" or view.readonly or consumer.startswith("jax"), "nobody said read-only"
    return found


def compared(memory: Memory, seen: Seen, *, readonly: bool) -> str:
    """Write on one side, read on the other, both ways."""
    shown = memory.shown
    assert seen.shape in (None, shown.shape)
    assert seen.dtype in (None, memory.dtype, "uint8")
    if not shown.size:
        return "empty"
    assert seen.address == memory.address, "it is a copy"
    assert seen.read() == shown.tobytes(seen.order)
    memory.flip()
    assert seen.read() == shown.tobytes(seen.order), "what the producer's side writes is not seen"
    if readonly:
        return "read-only" if seen.readonly else "flag lost"
    if seen.readonly:
        return "read-only"
    if seen.write:
        value = memory.other()
        seen.write(value)
        assert memory.all[memory.index] == value, "what the consumer writes does not arrive"
    return "shared" if seen.dtype in (None, memory.dtype) else "as uint8"


def pair(producer: str, consumer: str) -> dict[Cell, str]:
    """All cells of a producer and a consumer."""
    return {
        (producer, consumer, shape, name): outcome(producer, consumer, shape, name)
        for shape in SHAPES
        for name in DTYPES
    }
