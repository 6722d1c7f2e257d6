"""How a kernel is launched: grid, block, stream and shared memory, from what users write, each checked."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import ArgumentError, LaunchError, plain_error
from ..frozen import frozen
from .driver import Limits

_MOST_HANDLE = 2**64 - 1
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
    cluster : tuple of int or None
        Blocks that run at once on one part of the device, in x, y and z.
    cooperative : bool
        Whether all blocks run at once, so that they may wait for each other.
    follows : bool
        Whether no stream was named: it is the current one of the arrays' libraries.
    owner : object
        What the stream belongs to and must live as long as it is used; None where only its handle is known.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    stream: int = 0
    shared: int = 0
    cluster: tuple[int, int, int] | None = None
    cooperative: bool = False
    follows: bool = False
    owner: Any = None


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
    kernel: str,
    limits: Limits,
    best: Callable[[int], int],
    grid: Any,
    block: Any,
    stream: Any = None,
    shared: Any = 0,
    cluster: Any = None,
    cooperative: Any = False,
) -> Configuration:
    """A launch of what users write; ``best(shared)`` are the threads of a block where none says them.

    Raises
    ------
    ArgumentError
        If something is not of its kind.
    LaunchError
        If the device cannot launch so much.
    """
    room = _number(kernel, "shared", shared, _MOST_SHARED)
    blocks, handle = _extents(kernel, "grid", grid), _stream(kernel, stream)
    threads = (best(room), 1, 1) if block is None else _extents(kernel, "block", block)
    together = None if cluster is None else _extents(kernel, "cluster", cluster)
    if not isinstance(cooperative, bool):
        raise plain_error(ArgumentError, kernel, f"cooperative is True or False, got {_shown(cooperative)}")
    owner = None if stream is None or isinstance(stream, int) else stream
    made = Configuration(blocks, threads, handle, room, together, cooperative, stream is None, owner)
    _check_together(kernel, limits, made)
    if made.shared > limits.shared:
        sentence = f"shared is {made.shared} bytes, and the device takes {limits.shared} at most"
        raise plain_error(LaunchError, kernel, sentence)
    for name, given, most in (("grid", made.grid, limits.grid), ("block", made.block, limits.block)):
        for axis, extent, limit in zip("xyz", given, most, strict=True):
            if extent > limit:
                raise plain_error(
                    LaunchError, kernel, f"{name}.{axis} is {extent}, and the device takes {limit} at most"
                )
    count = threads[0] * threads[1] * threads[2]
    if count > limits.threads:
        sentence = f"a block has {count} threads, and the device takes {limits.threads} at most"
        raise plain_error(LaunchError, kernel, sentence)
    return made


def configured_on(kernel: str, made: Configuration, stream: Any) -> Configuration:
    """The same launch on a stream."""
    return replace(made, stream=_stream(kernel, stream), follows=False, owner=stream)


_MOST_IN_CLUSTER = (
    8  # on every device that has clusters (CUDA C++ Programming Guide, "Thread Block Clusters")
)


def _check_together(kernel: str, limits: Limits, made: Configuration) -> None:
    """Check what is said of blocks that run at once."""
    for asked, able, what in (
        (made.cluster is not None, limits.clusters, "clusters: those of sm_90 and later have"),
        (made.cooperative, limits.cooperative, "cooperative launches"),
    ):
        if asked and not able:
            raise plain_error(LaunchError, kernel, f"the device, or its driver, has no {what}")
    if made.cluster is None:
        return
    count = made.cluster[0] * made.cluster[1] * made.cluster[2]
    if count > _MOST_IN_CLUSTER:
        sentence = f"a cluster has {count} blocks, and the device takes {_MOST_IN_CLUSTER} at most"
        raise plain_error(LaunchError, kernel, sentence)
    for axis, blocks, inside in zip("xyz", made.grid, made.cluster, strict=True):
        if blocks % inside:
            sentence = f"grid.{axis} is {blocks}, which is no multiple of cluster.{axis}, {inside}"
            raise plain_error(LaunchError, kernel, sentence)


def spread(
    kernel: str, limits: Limits, best: Callable[[int], int], n: Any, stream: Any = None, shared: Any = 0
) -> Configuration:
    """A launch of at least ``n`` threads; of none for 0.

    Raises
    ------
    ArgumentError, LaunchError
        As :func:`configuration`.
    """
    count = _number(kernel, "n", n, _MOST_HANDLE)
    made = configuration(kernel, limits, best, 1, None, stream, shared)
    blocks = -(-count // made.block[0])
    if blocks > limits.grid[0]:
        sentence = f"n is {count}, and the device takes {limits.grid[0] * made.block[0]} threads at most"
        raise plain_error(LaunchError, kernel, sentence)
    return replace(made, grid=(blocks, 1, 1))


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
    try:
        number = -1 if isinstance(given, bool) else operator.index(given)
    except TypeError:
        number = -1
    if not 0 <= number <= most:
        what = (
            "an int from 0 to {}"
            if name != "stream"
            else "a stream of PyTorch, CuPy, Numba or cuda.core, or its handle"
        )
        raise plain_error(ArgumentError, kernel, f"{name} is {what.format(most)}, got {_shown(given)}")
    return number


def _stream(kernel: str, given: Any) -> int:
    """The handle of a stream: None is the default one; the objects of libraries say theirs."""
    if given is None:
        return 0
    told = getattr(given, "__cuda_stream__", None)  # cuda.core's protocol: its version, and the handle
    if callable(told):
        return _number(kernel, "stream", told()[1], _MOST_HANDLE)
    for name in ("cuda_stream", "ptr", "handle"):  # torch, CuPy, Numba
        found = getattr(given, name, None)
        if found is not None:
            handle = found.value or 0 if isinstance(found, ctypes.c_void_p) else found
            return _number(kernel, "stream", handle, _MOST_HANDLE)
    return _number(kernel, "stream", given, _MOST_HANDLE)
