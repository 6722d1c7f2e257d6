"""Which parameters a function declares never null: ``__attribute__((nonnull(1)))``, ``_Nonnull``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...later import later_pattern
from ...model.signature import Parameter
from ...types import Pointer
from ..clang.libclang import Cursor, printed
from ..exposed.exposure import Declared

# As attributes: functions and parameters have such names, too.
_ONE = later_pattern(r"\b_Nonnull\b|(?:\(\(|gnu::)_*nonnull")
_ALL = later_pattern(r"(?:\(\(|gnu::)_*nonnull_*(?:\(([\d, ]*)\))?")


def with_nulls(parameters: Sequence[Parameter], group: list[Declared], own: int = 0) -> tuple[Parameter, ...]:
    """The parameters, with those marked that any declaration says are never null; ``own``: 1 of a method.

    GCC counts the object of a method as its first parameter.
    """
    if not any(isinstance(p.type, Pointer) for p in parameters):
        return tuple(parameters)
    never = set().union(*(_never_null(d.cursor, own) for d in group))
    return tuple(
        replace(p, type=replace(p.type, nonnull=True)) if i in never and isinstance(p.type, Pointer) else p
        for i, p in enumerate(parameters)
    )


def _never_null(function: Cursor, objects: int) -> set[int]:
    text = printed(function)
    if not _ONE.search(text):
        return set()
    found: set[int] = set()
    count = 0
    for i, parameter in enumerate(function.get_arguments()):
        own, count = printed(parameter), i + 1
        if _ONE.search(own):
            found.add(i)
        text = text.replace(own, "", 1)
    for said in _ALL.finditer(text):
        places = re.findall(r"\d+", said[1] or "")
        found.update(int(n) - 1 - objects for n in places) if places else found.update(range(count))
    return found
