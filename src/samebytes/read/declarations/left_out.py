"""What a header declares and is left out without a warning: asked for, each says why."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...model.module import (
    AHEAD_KIND,
    FRIEND_KIND,
    MACRO_KIND,
    RESERVED_KIND,
    USING_KIND,
    VALUELESS_KIND,
    Skipped,
)
from ...types import Struct
from ..clang.libclang import Cursor
from ..exposed.exposure import RESERVED, Exposure, qualified_name
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
    for cursor, scope, enum in exposure.used_enums:
        words = f"{enum} is none that is exposed here: expose= names its header"
        yield Skipped("::".join([*scope, f"using enum {enum}"]), USING_KIND, words, location(cursor))


def directed(exposure: Exposure, bound: Collection[str]) -> Iterator[Skipped]:
    """Names of other headers that using-directives make visible; what signatures have of them is repeated."""
    for name, cursor, target in exposure.directed():
        meant = qualified_name(target)
        if name in bound or name in exposure.used:
            continue
        if meant in bound or exposure.named(meant):
            exposure.repeated.setdefault(name, meant)
        else:
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


def without_values(macros: Macros, taken: Collection[str], bound: Collection[str]) -> Iterator[Skipped]:
    """Macros whose text has no value, if nothing else has their names, and they are none of something bound."""
    meanings = dict(macros.renames())
    for macro, reason in macros.without_values():
        if macro.spelling not in taken and meanings.get(macro.spelling) not in bound:
            yield Skipped(macro.spelling, VALUELESS_KIND, reason, location(macro))


def other_macros(macros: Macros, known: Collection[str], bound: Collection[str]) -> Iterator[Skipped]:
    """Macros of which nothing else is known, if nothing else has their names."""
    meanings = dict(macros.renames())
    for name, place, reason in macros.others():
        if name not in known and meanings.get(name) not in bound:
            yield Skipped(name, VALUELESS_KIND, reason, place)


def of_functions(macros: Macros, exposure: Exposure, taken: Collection[str]) -> Iterator[Skipped]:
    """Macros that are other names of functions of other headers."""
    for macro, meant in macros.functions():
        name = qualified_name(meant)
        if macro.spelling not in taken and name not in taken and exposure.hides(meant):
            yield Skipped(
                macro.spelling, VALUELESS_KIND, f"it is {name}, and {_hidden(meant, name)}", location(macro)
            )


def of_names(
    macros: Macros,
    exposure: Exposure,
    taken: Collection[str],
    bound: Collection[str],
    skipped: Iterable[Skipped],
) -> Iterator[Skipped]:
    """Macros that are other names of what is not bound, or of what no second name stands for."""
    meanings, reasons = dict(macros.renames()), {s.name.partition("(")[0]: s.reason for s in skipped}
    for macro, text, type_ in macros.unresolved():
        name = macro.spelling
        meant = meanings.get(name, "")
        if name in taken or meant in bound:
            continue
        if type_ is not None and exposure.hides(type_):
            words = f"it is {qualified_name(type_)}, and {_hidden(type_, qualified_name(type_))}"
        elif meant in reasons:
            words = f"it is {meant}, which is not bound: {reasons[meant]}"
        else:
            words = f"it is {text}, for which there is no second name"
        yield Skipped(name, VALUELESS_KIND, words, location(macro))


def of_members(macros: Macros, records: Mapping[str, Struct]) -> Iterator[Skipped]:
    """Macros that are members of members, ``#define st_mtime st_mtim.tv_sec``, of each record that has such."""
    for macro, path in macros.members():
        for record in records.values():
            if path[0] in {field.name for field in record.members}:
                reason = f"it is a macro, and means {'.'.join(path)}"
                yield Skipped(f"{record.name}::{macro.spelling}", VALUELESS_KIND, reason, location(macro))
