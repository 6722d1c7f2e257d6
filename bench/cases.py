"""The cases of the benchmark: what is called, with which data, what must come back, and our target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LENGTH = 64
FLOOR, TORCH_FLOOR, EXCHANGE_FLOOR = "C floor", "C++ floor, torch", "C floor, DLPack exchange API"

Call = tuple[Callable[..., Any], tuple[Any, ...]]
Families = list[tuple[str, tuple[Any, Any, Any]]]


@dataclass(frozen=True)
class Case:
    """One column: its target is a ratio to the first of `floors` that ran."""

    key: str
    title: str
    target: float
    expected: float
    floors: tuple[str, ...] = (FLOOR,)


_TORCH_FLOORS = (TORCH_FLOOR, EXCHANGE_FLOOR)

CASES = (
    Case("a1", "double → double", 1.15, 2.5),
    Case("a2", "(int32, float) → float", 1.1, 4.5),
    Case("b1", "one NumPy array", 1.16, 65.5),
    Case("b2", "one torch tensor", 1.5, 65.5, _TORCH_FLOORS),
    Case("c1", "3 arrays + 2 scalars, NumPy", 1.3, 70.25),
    Case("c2", "3 arrays + 2 scalars, torch", 1.85, 70.25, _TORCH_FLOORS),
    Case("d", "struct by value, own object", 1.5, 345.0),
    Case("d_tuple", "struct by value, tuple", 1.5, 345.0),
    Case("d_other", "struct by value, another type of the same layout", 1.5, 345.0),
    Case("e", "overloads: float[n] or double[n]", 2.3, 65.5),
    Case("k", "constructor of a class, text", 2.5, 7.0),
    Case("m", "method of an object", 1.8, 6.5),
)

A1 = (1.5,)
A2 = (3, 1.5)
SUN = (315.0, 45.0, 30.0)
SCALARS = (2.0, 3)
TEXT = "label"


@dataclass(frozen=True)
class Data:
    """The arrays of one process: x, y and out, float32[LENGTH]; `tensors` is None without torch."""

    arrays: tuple[Any, Any, Any]
    tensors: tuple[Any, Any, Any] | None

    @classmethod
    def create(cls) -> Data:
        try:
            import torch
        except ImportError:
            return cls(_fill(np.empty), None)
        return cls(_fill(np.empty), _fill(lambda n, dtype: torch.from_numpy(np.empty(n, dtype)).clone()))

    def families(self) -> Families:
        """The suffixes of the array cases with their arrays: b1, c1 and, with torch, b2, c2."""
        return [("1", self.arrays)] + ([("2", self.tensors)] if self.tensors else [])

    def result(self, case: Case, call: Call) -> float:
        """Call once; return what the case judges: the result, or `out[0]` where the function writes it."""
        function, args = call
        if case.key == "k":
            return float(function(*args).length(2.0))
        if not case.key.startswith("c"):
            return float(function(*args))
        out = dict(self.families())[case.key[1]][2]
        out[0] = 0.0
        function(*args)
        return float(out[0])


def array_calls(families: Families, one: Callable, three: Callable) -> dict[str, Call]:
    """The b and c cases of every array family for a peer whose functions take the arrays as they are."""
    calls: dict[str, Call] = {}
    for suffix, (x, y, out) in families:
        calls[f"b{suffix}"] = (one, (x,))
        calls[f"c{suffix}"] = (three, (x, y, out, *SCALARS))
    return calls


def class_calls(arrays: tuple[Any, Any, Any], overloaded: Callable, label: Callable) -> dict[str, Call]:
    """The cases e, k and m for a peer with overloads and classes."""
    return {"e": (overloaded, (arrays[0],)), "k": (label, (TEXT,)), "m": (label(TEXT).length, A1)}


def _fill(empty: Callable[..., Any]) -> tuple[Any, Any, Any]:
    x, y, out = (empty(LENGTH, dtype=np.float32) for _ in range(3))
    x[:], y[:], out[:] = 1.5, 0.25, 0.0
    return x, y, out
