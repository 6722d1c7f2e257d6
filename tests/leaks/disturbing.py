"""Arguments whose conversion runs Python code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Asks:
    """An array whose conversion runs Python code."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    @property
    def __array_interface__(self) -> Any:
        self._act()
        return np.zeros(3).__array_interface__


TEXT = "a text that is longer than what std::string has room for"


class Words(str):
    """TEXT to C++, whose conversion runs Python code."""

    act: Callable[[], object]

    def encode(self, *_: Any) -> bytes:
        self.act()
        return TEXT.encode()


def words(act: Callable[[], object]) -> Words:
    """Such a text."""
    made = Words("x")
    made.act = act
    return made
