"""What all cycles use: arrays whose reference counts stay, callables, and calls that must fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import samebytes as sb

X = np.arange(8.0)
F = np.arange(8, dtype="f4")
BUFFER = bytearray(X.tobytes())
BUFFER_VIEW = memoryview(BUFFER).cast("d")
HELD = [X, F, BUFFER]  # what cycles share: their reference counts stay


class Interface:
    """An array that shows itself by a dict."""

    __array_interface__ = X.__array_interface__


class Producer:
    """A producer that has DLPack's two methods only."""

    def __init__(self, seen: Any) -> None:
        self._seen = seen

    def __dlpack__(self, **more: Any) -> Any:
        return self._seen.__dlpack__(**more)

    def __dlpack_device__(self) -> Any:
        return self._seen.__dlpack_device__()


class Weak(sb.Pointer):
    """A pointer that weak references see."""


class Silent:
    """A callable that needs no frame of its own."""

    def __call__(self, x: int) -> int:
        return x


INTERFACE = Interface()


def plus(x: int) -> int:
    return x + 1


def text(x: int) -> str:
    return f"text {x} that is made for the call alone"


def raises(x: int) -> int:
    raise KeyError(x)


def refused(function: Callable[..., Any], *args: Any, error: Any = sb.Error) -> None:
    """A call that must fail."""
    try:
        function(*args)
    except error:
        return
    raise AssertionError(f"{function}{args} was accepted")
