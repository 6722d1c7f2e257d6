"""Asks every peer what it accepts that does not fit, because a check left out is time saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cases import LENGTH, Call, Data

Question = tuple[str, str, tuple[Any, ...]]


def questions(data: Data) -> Iterator[Question]:
    """What is asked: in words, of which case, with which arguments. Every answer should be an exception."""
    yield "2**40 as int32", "a2", (2**40, 1.5)
    yield "1e300 as float", "a2", (3, 1e300)
    yield "float64 array", "b1", (np.zeros(LENGTH),)
    yield "rank 2 array", "b1", (np.zeros((8, 8), np.float32),)
    x, y, out = data.arrays
    read_only = out.copy()
    read_only.flags.writeable = False
    yield "read-only output", "c1", (x, y, read_only, 2.0, 3)
    if data.tensors:
        import torch

        yield "float64 tensor", "b2", (torch.zeros(LENGTH, dtype=torch.float64),)
        yield "rank 2 tensor", "b2", (torch.zeros(8, 8),)
        yield "tensor with the negative bit", "b2", (torch._neg_view(torch.zeros(LENGTH)),)
        yield "tensor that requires grad", "b2", (torch.zeros(LENGTH, requires_grad=True),)


def accepted(calls: Mapping[str, Mapping[str, Call]], data: Data) -> dict[str, list[str]]:
    """By peer, the misfits that it took without an exception."""
    found: dict[str, list[str]] = {}
    for words, case, args in questions(data):
        for peer, (function, _) in calls[case].items():
            try:
                function(*args)
            except Exception:
                continue
            found.setdefault(peer, []).append(words)
    return found
