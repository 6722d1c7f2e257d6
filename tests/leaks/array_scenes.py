"""Rows of ``SCENES``: arrays are resized, freed and grown while calls read their arguments.

Each array that is resized by force belongs to one thread, since C++ runs without the GIL; buffers that threads share
are locked by the calls that use them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
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
struct Part { In x; };
using Out = samebytes::array<double, 1>;
inline double total(In x) { double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s; }
inline double array(In x, In later) { return total(x); }
inline double pointer(const double* x, In later) { return x[0] + x[1] + x[2] + x[3]; }
inline double vector(std::vector<double> x, In later) { double s = 0; for (double v : x) s += v; return s; }
inline double place(Place x, In later) { return x.p[0] + x.p[1] + x.p[2] + x.p[3]; }
inline double filled(Out x, In later) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = 1; return 4; }
inline double part(Part x, In later) { return total(x.x); }
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


def _changed(
    name: str, of: Callable[[Any, Any], Any], kind: type[Asks], change: Callable[[Any], object]
) -> Any:
    """A call whose later argument changes an earlier one; whatever is read is a one, or it is refused."""

    def act(lib: Any, shared: SimpleNamespace) -> None:
        x = shared.make(1000)
        later = kind(lambda: change(x))
        found = getattr(lib, name)(of(lib, x), later)
        assert found in (4.0, 998.0, 999.0, 1000.0), found

    return act


_SHOWN: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "array": ("array", lambda lib, x: x),
    "pointer": ("pointer", lambda lib, x: x),
    "vector": ("vector", lambda lib, x: x),
    "written": ("filled", lambda lib, x: x),
    "view": ("array", lambda lib, x: sb.view(x)),
    "Pointer": ("pointer", lambda lib, x: sb.Pointer(x, readonly=True)),
    "tuple": ("place", lambda lib, x: (x, 4)),
    "record": ("place", lambda lib, x: lib.Place(x, 4)),
    "part": ("array", lambda lib, x: x[1:]),
    "array of a struct": ("part", lambda lib, x: (x,)),
}
_OF_NUMPY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "subclass": ("array", lambda lib, x: x.view(Subclass)),
    "memoryview": ("array", lambda lib, x: memoryview(x)),
}
_OF_TORCH: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "numpy": ("array", lambda lib, x: x.numpy()),
    "alias": ("array", lambda lib, x: x.detach()),
    "parameter": ("array", lambda lib, x: _torch().nn.Parameter(x, requires_grad=False)),
}


def _torch() -> Any:
    import torch

    return torch


def _grow(lib: Any, shared: SimpleNamespace) -> None:
    """Refused by the buffer itself while any call has it."""
    with suppress(BufferError):
        shared.bytes.extend(bytes(800))
    if len(shared.bytes) > 100_000:
        shared.bytes = bytearray(8000)


def _read_shared(name: str) -> Any:
    return lambda lib, shared: getattr(lib, name)(memoryview(shared.bytes)[:80].cast("d"), Asks(lambda: None))


def start(lib: Any) -> SimpleNamespace:
    return SimpleNamespace(make=np.ones, bytes=bytearray(8000))


ACTS: tuple[Any, ...] = (
    *(
        _changed(name, of, kind, change)
        for name, of in (_SHOWN | _OF_NUMPY).values()
        for kind in (Asks, Gives)
        for change in (lambda x: x.resize(4, refcheck=False), lambda x: x.resize(90_000, refcheck=False))
    ),
    _grow,
    _read_shared("array"),
    _read_shared("pointer"),
    lambda lib, s: lib.filled(as_strided(np.zeros(1), (4,), (0,)), np.ones(1)),
    lambda lib, s: lib.list(np.ones(4), [1, 2, 3]),
)


# --- tensors: some threads call with theirs while others make, resize and drop theirs ---


def start_tensors(lib: Any) -> SimpleNamespace:
    torch = _torch()
    torch.set_num_threads(1)
    return SimpleNamespace(make=lambda n: torch.ones(n, dtype=torch.float64), bytes=bytearray(8000))


def _churn(lib: Any, shared: SimpleNamespace) -> None:
    """Memory that other threads' tensors had before, and will have again."""
    for size in (4, 1000, 90_000):
        shared.make(1000).resize_(size).fill_(float("nan"))


def _called(name: str, of: Callable[[Any, Any], Any]) -> Any:
    """Nothing happens to this tensor: it is read, and never refused."""

    def act(lib: Any, shared: SimpleNamespace) -> None:
        try:
            found = getattr(lib, name)(of(lib, shared.make(1000)), shared.make(1))
        except sb.Error as error:
            raise AssertionError(name) from error
        assert found in (4.0, 999.0, 1000.0), found

    return act


def _versions(lib: Any, shared: SimpleNamespace) -> None:
    x = shared.make(1000)
    for version in range(1, 4):
        lib.filled(x, x.new_ones(1))
        assert x._version == version


def _grown(x: Any) -> None:
    x.resize_(90_000)[1000:] = 0


def _replaced(x: Any) -> None:
    x.set_(x.new_ones(1000))


TENSOR_ACTS: tuple[Any, ...] = (
    *(
        _changed(name, of, kind, change)
        for name, of in (_SHOWN | _OF_TORCH).values()
        for kind in (Asks, Gives)
        for change in (
            lambda x: x.resize_(4),
            _grown,
            _replaced,
            lambda x: x.untyped_storage().resize_(8),
        )
    ),
    *(_called(name, of) for name, of in (_SHOWN | _OF_TORCH).values()),
    _churn,
    _versions,
    lambda lib, s: lib.filled(s.make(1).expand(4), s.make(1)),
    lambda lib, s: lib.list(s.make(4), [1, 2, 3]),
)
