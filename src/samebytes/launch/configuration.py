"""How a kernel is launched: grid, block, stream and shared memory, from what users write, each checked."""

from __future__ import annotations

import operator
from typing import Any

from ..errors import ArgumentError, LaunchError, plain_error
from ..frozen import frozen
from .cuda import Limits

_MOST_SHARED = 0xFFFFFFFF  # bytes; an unsigned int of cuLaunchKernel


@frozen
class Configuration:
    """One launch.

    Attributes
    ----------
    grid, block : tuple of int
        Blocks, and threads of each, in x, y and z.
    stream : int
        The driver's handle.
    shared : int
        Bytes of dynamic shared memory.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    stream: int = 0
    shared: int = 0


def subscript(kernel: str, key: Any) -> dict[str, Any]:
    """The options that ``k[grid, block, stream, shared]`` means."""
    items = key if isinstance(key, tuple) else (key,)
    if not 2 <= len(items) <= len(_NAMES):
        raise plain_error(
            ArgumentError, kernel, f"is launched by {kernel}[grid, block](...), got {_shown(key)}"
        )
    return dict(zip(_NAMES, items, strict=False))


_NAMES = ("grid", "block", "stream", "shared")


def configuration(
    kernel: str, limits: Limits, grid: Any, block: Any, stream: Any = None, shared: Any = 0
) -> Configuration:
    """A launch of what users write.

    Raises
    ------
    ArgumentError
        If something is not of its kind.
    LaunchError
        If the device cannot launch so much.
    """
    made = Configuration(
        _extents(kernel, "grid", grid), _extents(kernel, "block", block), _stream(kernel, stream),
        _number(kernel, "shared", shared, _MOST_SHARED),
    )  # fmt: skip
    for name, given, most in (("grid", made.grid, limits.grid), ("block", made.block, limits.block)):
        for axis, extent, limit in zip("xyz", given, most, strict=True):
            if extent > limit:
                raise plain_error(
                    LaunchError, kernel, f"{name}.{axis} is {extent}, and the device takes {limit} at most"
                )
    threads = made.block[0] * made.block[1] * made.block[2]
    if threads > limits.threads:
        raise plain_error(
            LaunchError,
            kernel,
            f"a block has {threads} threads, and the device takes {limits.threads} at most",
        )
    return made


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, tuple | int) else type(value).__qualname__


def _extents(kernel: str, name: str, given: Any) -> tuple[int, int, int]:
    items = given if isinstance(given, tuple | list) else (given,)
    try:
        extents = tuple(operator.index(i) for i in items if not isinstance(i, bool))
    except TypeError:
        extents = ()
    if len(extents) != len(items) or not 1 <= len(extents) <= 3 or min(extents) < 1:
        sentence = f"{name} is a positive int, or a tuple of up to three, got {_shown(given)}"
        raise plain_error(ArgumentError, kernel, sentence)
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


def _number(kernel: str, name: str, given: Any, most: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= most:
        raise plain_error(ArgumentError, kernel, f"{name} is an int from 0 to {most}, got {_shown(given)}")
    return given


def _stream(kernel: str, given: Any) -> int:
    """The handle of a stream: None is the default one; torch's and CuPy's objects say theirs."""
    if given is None:
        return 0
    for name in ("cuda_stream", "ptr", "handle"):  # torch, CuPy, cuda.core
        found = getattr(given, name, None)
        if found is not None:
            return _number(kernel, "stream", int(found), 2**64 - 1)
    return _number(kernel, "stream", given, 2**64 - 1)
