"""Waiting for what was launched without waiting: on one device, or on all."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..arrays.view import Device
from ..arrays.view.device import CUDA, ONEAPI, ROCM
from ..errors import ArgumentError, LaunchError, plain_error, value_words
from . import pending, tracks

_NAME = re.compile(r"(cuda|hip|sycl)(?::(\d+))?")
_DIALECTS = {**dict.fromkeys(CUDA, "cuda"), **dict.fromkeys(ROCM, "hip"), ONEAPI: "sycl"}


def synchronize(device: Any = None) -> None:
    """Wait until all has run that was launched with ``wait=False``, without the GIL.

    Parameters
    ----------
    device : str, Device or dpctl.SyclQueue, optional
        ``"cuda"``, ``"hip"`` and ``"sycl"``, all devices of that kind; ``"cuda:1"``, one of them; the ``device``
        of a view; a queue, or an array that has one (``sycl_queue``). Left out, it is all of them.

    Raises
    ------
    ArgumentError
        If it is none of these.
    LaunchError
        If something has failed that no error has said yet: with what was launched on that device since the last wait.

    Notes
    -----
    It waits for samebytes' own launches: those that graphs recorded run when their libraries launch them, and what
    other libraries launch is theirs.
    """
    wanted = _wanted(device)
    failed = [
        tracks.await_all(one) for one in tracks.devices() if wanted(one.driver.api.dialect, one.number, one)
    ]
    failed += [
        pending.await_all(place) for place in pending.places() if wanted("sycl", _number(place), place)
    ]
    if said := "; ".join(words for words in failed if words):
        raise plain_error(LaunchError, "synchronize", said)


def _wanted(device: Any) -> Callable[[str, int, Any], bool]:
    """Whether a place of launches is meant: by its dialect, its number and itself."""
    if device is None:
        return lambda dialect, number, place: True
    if isinstance(device, Device) and device.type in _DIALECTS:
        asked = _DIALECTS[device.type]
        return lambda dialect, number, place: (dialect, number) == (asked, device.id)
    if isinstance(device, str) and (found := _NAME.fullmatch(device)):
        chosen = int(found[2]) if found[2] else None
        return lambda dialect, number, place: dialect == found[1] and chosen in (None, number)
    queue = getattr(device, "sycl_queue", device)
    if any(cls.__name__ == "SyclQueue" for cls in type(queue).__mro__):
        return lambda dialect, number, place: dialect == "sycl" and place.queue == queue
    sentence = (
        f"device is 'cuda', 'hip' or 'sycl', one of them by its number ('cuda:1'), a view's device, or a queue of "
        f"dpctl's, got {value_words(device)}"
    )
    raise plain_error(ArgumentError, "synchronize", sentence)


def _number(place: Any) -> int:
    """Of a queue's context, as views say where memory of SYCL lies."""
    return int(place.memory.partition(":")[2])
