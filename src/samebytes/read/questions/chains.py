"""Bases of bases, level by level: asked alone, before anything is read again."""

from __future__ import annotations

from ...errors import BindError
from ..clang.parse import EndlessQuestion
from ..clang.saving import Parses
from .inheritance import Inheritance

_DEEPEST = 32


def follow(parses: Parses, inheritance: Inheritance) -> bool:
    """Ask until no base is left to ask about; whether there was one.

    A parse of all questions instantiates again whatever they are about, and each level of bases takes one. What only
    this is asked costs a fraction; the next parse asks all of it again, for types of its own.
    """
    found = False
    for _ in range(_DEEPEST):
        lines = inheritance.ask_further()
        if not lines:
            break
        found = True
        try:
            inheritance.answer_further(parses(lines))
        except (BindError, EndlessQuestion):  # a parse with all questions deals with it
            break
    return found
