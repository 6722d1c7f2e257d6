"""Arrays are resized, freed and grown in eight threads while calls read their arguments; run by test_hostile_arrays.py.

Each array that is resized by force belongs to one thread, since C++ runs without the GIL; buffers that threads share
are locked by the calls that use them.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

import samebytes as sb

SOURCE = """
#include <cstddef>
#include <vector>
#include <samebytes/array.hpp>
struct Place { double* p; long n; };
using In = samebytes::array<const double, 1>;
using Out = samebytes::array<double, 1>;
inline double total(In x) { double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s; }
inline double array(In x, In later) { return total(x); }
inline double pointer(const double* x, In later) { return x[0] + x[1] + x[2] + x[3]; }
inline double vector(std::vector<double> x, In later) { double s = 0; for (double v : x) s += v; return s; }
inline double place(Place x, In later) { return x.p[0] + x.p[1] + x.p[2] + x.p[3]; }
inline double filled(Out x, In later) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = 1; return 4; }
inline double list(In x, std::vector<long> later) { return total(x); }
"""


class Asks:
    """An array whose conversion runs Python code, in one of two ways."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act, self._own = act, np.ones(1)

    @property
    def __array_interface__(self) -> Any:
        self._act()
        return self._own.__array_interface__


class Gives(Asks):
    __array_interface__ = None  # type: ignore[assignment]

    def __dlpack__(self, **how: Any) -> Any:
        self._act()
        return self._own.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self._own.__dlpack_device__()


class Subclass(np.ndarray):  # type: ignore[type-arg]
    pass


def _resized(name: str, of: Callable[[Any, Any], Any], kind: type[Asks], size: int) -> Any:
    """A call whose later argument resizes an earlier one; whatever is read is a one, or it is refused."""

    def act(lib: Any, shared: SimpleNamespace) -> None:
        x = np.ones(1000)
        later = kind(lambda: x.resize(size, refcheck=False))
        found = getattr(lib, name)(of(lib, x), later)
        assert found in (4.0, 998.0, 999.0, 1000.0), found

    return act


_SHOWN: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "array": ("array", lambda lib, x: x),
    "pointer": ("pointer", lambda lib, x: x),
    "vector": ("vector", lambda lib, x: x),
    "written": ("filled", lambda lib, x: x),
    "subclass": ("array", lambda lib, x: x.view(Subclass)),
    "view": ("array", lambda lib, x: sb.view(x)),
    "memoryview": ("array", lambda lib, x: memoryview(x)),
    "Pointer": ("pointer", lambda lib, x: sb.Pointer(x, readonly=True)),
    "tuple": ("place", lambda lib, x: (x, 4)),
    "record": ("place", lambda lib, x: lib.Place(x, 4)),
}


def _grow(lib: Any, shared: SimpleNamespace) -> None:
    """Refused by the buffer itself while any call has it."""
    with suppress(BufferError):
        shared.bytes.extend(bytes(800))
    if len(shared.bytes) > 100_000:
        shared.bytes = bytearray(8000)


def _read_shared(name: str) -> Any:
    return lambda lib, shared: getattr(lib, name)(memoryview(shared.bytes)[:80].cast("d"), Asks(lambda: None))


def start(lib: Any) -> SimpleNamespace:
    return SimpleNamespace(bytes=bytearray(8000))


ACTS: tuple[Any, ...] = (
    *(
        _resized(name, of, kind, size)
        for name, of in _SHOWN.values()
        for kind in (Asks, Gives)
        for size in (4, 90_000)
    ),
    _grow,
    _read_shared("array"),
    _read_shared("pointer"),
    lambda lib, s: lib.filled(as_strided(np.zeros(1), (4,), (0,)), np.ones(1)),
    lambda lib, s: lib.list(np.ones(4), [1, 2, 3]),
)


def work(lib: Any, shared: SimpleNamespace, number: int, end: float, done: list[int]) -> None:
    """Acts in an order of this thread's own; what is refused in words is right."""
    order = random.Random(number)
    while perf_counter() < end:
        which = order.randrange(len(ACTS))
        with suppress(sb.Error):
            ACTS[which](lib, shared)
        done[which] += 1


def main() -> None:
    lib, failed = sb.compile(SOURCE), []
    threading.excepthook = failed.append
    sys.setswitchinterval(1e-6)
    shared, done, end = start(lib), [0] * len(ACTS), perf_counter() + float(sys.argv[1])
    threads = [threading.Thread(target=work, args=(lib, shared, n, end, done)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    assert all(done), done


if __name__ == "__main__":
    main()
