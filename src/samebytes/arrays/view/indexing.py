"""Where a basic index leads: from a key to an offset, a shape and strides."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from types import EllipsisType
from typing import Any, SupportsIndex

from ...errors import ArrayIndexError

Part = SupportsIndex | slice | EllipsisType | None
Key = Part | tuple[Part, ...] | str


def _expanded(key: Any, ndim: int) -> list[Any]:
    """One part for each dimension, with ``...`` written out; None stands for a new one."""
    parts = list(key) if isinstance(key, tuple) else [key]
    used = sum(part is not None and part is not Ellipsis for part in parts)
    if used > ndim:
        raise ArrayIndexError(f"{used} indices for {ndim} dimension{'s' if ndim != 1 else ''}")
    gaps = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(gaps) > 1:
        raise ArrayIndexError("an index may hold one '...' only")
    at = gaps[0] if gaps else len(parts)
    return [*parts[:at], *[slice(None)] * (ndim - used), *parts[at + 1 :]]


def _number(part: Any, extent: int, dimension: int) -> int:
    try:
        if isinstance(part, bool):
            raise TypeError
        number = index(part)
    except TypeError:
        raise ArrayIndexError(
            f"a view is indexed by integers, slices, '...', None or a field's name, not {type(part).__name__}: "
            "anything else would copy"
        ) from None
    if not -extent <= number < extent:
        raise ArrayIndexError(f"index {number} is out of range for dimension {dimension} of extent {extent}")
    return number % extent


def place(
    key: Any, shape: Sequence[int], strides: Sequence[int]
) -> tuple[int, tuple[int, ...], tuple[int, ...], bool]:
    """What a key selects.

    Returns
    -------
    tuple
        Offset in bytes, shape, strides in bytes, and whether the key names one element with integers alone.
    """
    parts = _expanded(key, len(shape))
    offset, extents, steps, dimension = 0, [], [], 0
    for part in parts:
        if part is None:
            extents.append(1)
            steps.append(0)
            continue
        extent, stride = shape[dimension], strides[dimension]
        if isinstance(part, slice):
            try:
                start, _, step = chosen = part.indices(extent)
            except (TypeError, ValueError) as error:
                raise ArrayIndexError(str(error)) from None
            count = len(range(*chosen))
            offset += start * stride if count else 0
            extents.append(count)
            steps.append(stride * step if count > 1 else stride)
        else:
            offset += _number(part, extent, dimension) * stride
        dimension += 1
    whole = not any(part is Ellipsis for part in (key if isinstance(key, tuple) else (key,)))
    if 0 in shape:
        offset = 0  # nothing is there to be reached
    return offset, tuple(extents), tuple(steps), whole and not extents
