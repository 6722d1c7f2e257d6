"""What a header declares and is left out without a warning: asked for, each says why."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from ...model.module import AHEAD_KIND, FRIEND_KIND, MACRO_KIND, RESERVED_KIND, USING_KIND, Skipped
from ..clang.libclang import Cursor
from ..exposed.exposure import RESERVED, Exposure
from ..functions.functions import location
from .macros import Macros

_PARAMETERS = "it is a macro with parameters, which have no types: a function that uses it can be bound"

_BEFRIENDED = (
    "a class template defines it as a friend, which C++ finds by its arguments alone: "
    "a function that calls it can be bound"
)


def reserved(exposure: Exposure, bound: Collection[str]) -> Iterator[Skipped]:
    """Names that C++ keeps for the implementation, if nothing bound has them."""
    for name, cursor in exposure.reserved.items():
        if name not in bound:
            yield Skipped(name, RESERVED_KIND, RESERVED, location(cursor))


def used(exposure: Exposure, bound: Collection[str]) -> Iterator[Skipped]:
    """Names of other headers that using-declarations repeat; what a signature has is bound all the same."""
    for name, (cursor, target) in exposure.used.items():
        meant = exposure.repeated.get(name, name)
        if name not in bound and meant not in bound and not exposure.named(meant):
            words = f"it is {meant}, and {_hidden(target, meant)}"
            yield Skipped(name, USING_KIND, words, location(cursor))


def ahead(exposure: Exposure, bound: Collection[str]) -> Iterator[Skipped]:
    """Classes that are only declared, where no signature has them: what they are stands in other headers."""
    for name, (cursor, definition) in exposure.ahead.items():
        if name not in bound and exposure.hides(definition):
            words = f"it is only declared here, and {_hidden(definition, name)}"
            yield Skipped(name, AHEAD_KIND, words, location(cursor))


def befriended(exposure: Exposure, bound: Collection[str]) -> Iterator[Skipped]:
    """Friends that class templates define, if nothing else has their names."""
    for name, cursor in exposure.befriended.items():
        if name not in bound:
            yield Skipped(name, FRIEND_KIND, _BEFRIENDED, location(cursor))


def _hidden(cursor: Cursor, name: str) -> str:
    header = os.path.basename(cursor.location.file.name)
    return f"{header} is not exposed: expose=[{name!r}] names it"


def with_parameters(macros: Macros, taken: Collection[str]) -> Iterator[Skipped]:
    """Macros with parameters, if nothing else has their names."""
    for name, place in macros.with_parameters():
        if name not in taken:
            yield Skipped(name, MACRO_KIND, _PARAMETERS, place)
