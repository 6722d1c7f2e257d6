"""How a kernel of SYCL is launched: range, work-group, and its memory, from what users write, each checked."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

from ..errors import ArgumentError, LaunchError, plain_error
from ..frozen import frozen
from ..layouts.dialects import layout
from ..model.signature import Parameter, Signature
from ..types import Pointer
from .checking import is_accessor
from .sycl import SyclLimits

_NAMES = ("range", "local", "queue", "shared")
_MOST = 2**63 - 1


@frozen
class SyclConfiguration:
    """One launch.

    Attributes
    ----------
    range, local : tuple of int
        Items in all, and of a work-group, the slowest dimension first, as SYCL has them; ``local`` is empty where the
        runtime chooses.
    shared : tuple of int
        Bytes of each memory of a work-group that the kernel takes.
    """

    range: tuple[int, ...]
    local: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()
    stream: int = 0


def subscript(kernel: str, key: Any) -> dict[str, Any]:
    """The options that ``k[range, local, queue, shared]`` means."""
    items = key if isinstance(key, tuple) else (key,)
    if not 1 <= len(items) <= len(_NAMES):
        sentence = f"is launched by {kernel}[range, local](...), got {len(items)} items"
        raise plain_error(ArgumentError, kernel, sentence)
    return dict(zip(_NAMES, items, strict=False))


def local_memory(signature: Signature) -> list[Parameter]:
    """The parameters that are memory of a work-group, which no call gives."""
    return [p for p in signature.parameters if isinstance(p.type, Pointer) and p.type.memory == "local"]


def configuration(
    signature: Signature, limits: SyclLimits, range_: Any, local: Any = None, shared: Any = 0
) -> SyclConfiguration:
    """A launch of what users write.

    Raises
    ------
    ArgumentError
        If something is not of its kind.
    LaunchError
        If the device cannot launch so much.
    """
    kernel = signature.name
    items = _extents(kernel, "range", range_, least=0)
    group = () if local is None else _extents(kernel, "local", local)
    if len(items) != (signature.dimensions or 1):
        of = signature.dimensions
        extents = ", ".join("nmk"[:of])
        sentence = (
            f"is a kernel of {of} dimensions, and range has {len(items)}: {_shown(range_)}; "
            f"{kernel}[({extents}), None] has {of}"
        )
        raise plain_error(ArgumentError, kernel, sentence)
    if not signature.dimensions and (items, group) not in (((1,), ()), ((1,), (1,))):
        raise plain_error(ArgumentError, kernel, f"is a single task: {kernel}[1](...) launches it")
    if group:
        _check_group(kernel, limits, items, group)
    elif local_memory(signature):
        sentence = "has memory of a work-group, and local=, the items of one, is not said"
        raise plain_error(ArgumentError, kernel, sentence)
    return SyclConfiguration(
        (0,) if 0 in items else items, group if 0 not in items else (), _shared(signature, limits, shared)
    )


def _check_group(kernel: str, limits: SyclLimits, items: tuple[int, ...], group: tuple[int, ...]) -> None:
    if len(group) != len(items):
        sentence = f"local has {len(group)} dimensions, and range {len(items)}"
        raise plain_error(ArgumentError, kernel, sentence)
    for axis, (all_, of_group) in enumerate(zip(items, group, strict=True)):
        if all_ % of_group:
            sentence = f"range[{axis}] is {all_}, which is no multiple of local[{axis}], {of_group}"
            raise plain_error(LaunchError, kernel, sentence)
        # Of the three that a device says, those of fewer dimensions are the last ones.
        most = limits.extents[len(limits.extents) - len(group) + axis]
        if of_group > most:
            sentence = f"local[{axis}] is {of_group}, and the device takes {most} at most"
            raise plain_error(LaunchError, kernel, sentence)
    if prod(group) > limits.items:
        sentence = f"a work-group has {prod(group)} items, and the device takes {limits.items} at most"
        raise plain_error(LaunchError, kernel, sentence)


def _shared(signature: Signature, limits: SyclLimits, given: Any) -> tuple[int, ...]:
    """The bytes of each memory of a work-group."""
    kernel, taken = signature.name, local_memory(signature)
    said = given if isinstance(given, tuple | list) else (given,) * bool(given or taken)
    try:
        sizes = tuple(operator.index(n) for n in said if not isinstance(n, bool))
    except TypeError:
        sizes = ()
    if len(sizes) != len(said) or any(n < 0 for n in sizes):
        sentence = f"shared is bytes, or a tuple of them, got {_shown(given)}"
        raise plain_error(ArgumentError, kernel, sentence)
    if len(sizes) != len(taken):
        has = f"takes {len(taken)}: {', '.join(p.name for p in taken)}" if taken else "takes none"
        sentence = f"shared says {len(sizes)} memories of a work-group, and the kernel {has}"
        raise plain_error(ArgumentError, kernel, sentence)
    for parameter, size in zip(taken, sizes, strict=True):
        _check_memory(kernel, parameter, size)
    if sum(sizes) > limits.shared:
        sentence = f"shared is {sum(sizes)} bytes, and the device takes {limits.shared} at most"
        raise plain_error(LaunchError, kernel, sentence)
    return sizes


def _check_memory(kernel: str, parameter: Parameter, size: int) -> None:
    assert isinstance(parameter.type, Pointer)
    element = layout(parameter.type.target, "sycl").size
    what = f"'{parameter.name}' ({'local_accessor' if is_accessor(parameter) else 'work_group_memory'})"
    if not size:
        raise plain_error(ArgumentError, kernel, f"shared says no bytes for {what}")
    if size % element:
        sentence = f"shared is {size} bytes for {what}, whose elements have {element}"
        raise plain_error(ArgumentError, kernel, sentence)


def _extents(kernel: str, name: str, given: Any, least: int = 1) -> tuple[int, ...]:
    items: Sequence[Any] = given if isinstance(given, tuple | list) else (given,)
    try:
        extents = tuple(operator.index(i) for i in items if not isinstance(i, bool))
    except TypeError:
        extents = ()
    if (
        len(extents) != len(items)
        or not 1 <= len(extents) <= 3
        or min(extents) < least
        or max(extents) > _MOST
    ):
        kind = "an int" if not least else "a positive int"
        sentence = f"{name} is {kind}, or a tuple of up to three, got {_shown(given)}"
        raise plain_error(ArgumentError, kernel, sentence)
    return extents


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, tuple | list | int) else type(value).__qualname__
