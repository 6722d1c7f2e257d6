"""A row of the tests that follow hints: what is refused, and what works once its advice is taken."""

from __future__ import annotations

from typing import Any, NamedTuple


class Advice(NamedTuple):
    """An expression that is refused, an ``x`` for it, the hint, an expression that follows it, and its result."""

    refused: str
    x: Any
    hint: str
    followed: str
    result: Any
