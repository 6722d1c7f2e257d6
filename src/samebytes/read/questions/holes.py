"""Calls that leave arguments open, those of outputs: ``ns::f(float *, int, ?)``.

C++ deduces a template's arguments from those that are given. It is asked with a function of the same template
parameters that takes these alone, and gives the types of all parameters; with them the call is one like any other.
"""

from __future__ import annotations

import re

from ...types.naming import split_name
from ..clang.kinds import Decl
from ..clang.libclang import (
    Cursor,
    children_of,
    kind_of,
    overloads,
    parameter_text,
    scopes_of,
    template_parameters,
)
from ..clang.parse import ParsedUnit
from ..spellings import OPEN, call_types, callee

_LIST = "template <class...> struct samebytes_all;"
_OWN = re.compile(r"samebytes_of\d+_\d+")
_OVERLOADS, _GIVEN = "samebytes_overloads", "samebytes_given"


def has_holes(spelling: str) -> bool:
    """Whether a call leaves arguments open."""
    return OPEN in call_types(spelling) if spelling.endswith(")") else False


class Holes:
    """The open calls of one header, over the rounds of parsing."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[str, ...]] = {}  # call -> the lines that resolve it
        self._resolved: dict[str, tuple[str, ...]] = {}
        self._numbers: dict[str, int] = {}
        self._told: set[str] = set()

    @property
    def pending(self) -> bool:
        """Whether a call is still to be resolved, or what it resolved to is still to be asked."""
        return len(self._told) < len(self._numbers)

    def lines(self, spelling: str) -> tuple[str, ...]:
        """The lines of the synthetic main file that resolve one call."""
        number = self._numbers.setdefault(spelling, len(self._numbers))
        if spelling in self._lines:
            return self._lines[spelling]
        head, _, name = _called(spelling)
        *scopes, last = split_name(f"{head}::{name}" if head else name)
        home = "::".join(scopes)
        beside = f"namespace {_OVERLOADS}{number} {{ using {home}::{last}; }}"
        member = f"struct {_OVERLOADS}{number}_ : {home} {{ using {home}::{last}; }};"
        return (member,) if head else (beside, member) if scopes else (beside,)

    def is_asked(self, spelling: str) -> bool:
        """Whether the lines of a call are those that resolve it, and no longer ask what it calls."""
        return spelling in self._lines

    def resolved(self, spelling: str) -> tuple[str, ...]:
        """The same call with the types of all its arguments, one for each overload that takes those given."""
        if spelling not in self._resolved:
            return ()
        self._told.add(spelling)
        return self._resolved[spelling]

    def answer(self, unit: ParsedUnit) -> None:
        """Take the answers."""
        listed: dict[str, list[Cursor]] = {}
        given: dict[str, list[Cursor]] = {}
        for cursor in unit.asked if self._numbers else ():
            name = cursor.spelling
            if name.startswith(_OVERLOADS):
                found = [o for u in children_of(cursor, Decl.USING) for o in overloads(u)]
                listed.setdefault(name.rstrip("_"), []).extend(found)
            elif name.startswith(_GIVEN):
                given.setdefault(name.partition("_of_")[0], []).append(cursor)
        for spelling, number in self._numbers.items():
            if spelling in self._lines and spelling not in self._resolved:
                aliases = given.get(f"{_GIVEN}{number}", [])
                self._resolved[spelling] = tuple(filter(None, (_whole(spelling, alias) for alias in aliases)))
            elif spelling not in self._lines:
                candidates = listed.get(f"{_OVERLOADS}{number}", [])
                texts = [_question(spelling, number, i, c) for i, c in enumerate(candidates)]
                self._lines[spelling] = (_LIST, *filter(None, texts))


def in_words(message: str, spelling: str) -> str:
    """A refusal of one of these lines with the name that the user knows."""
    return _OWN.sub(_called(spelling)[2], message)


def _called(spelling: str) -> tuple[str, str, str]:
    """Of a method's call its class; how it is called; and what is called without template arguments."""
    called = callee(spelling)
    if not called.startswith("("):
        return "", called, called.partition("<")[0]
    type_, _, name = called[1:].partition(").")
    return type_.removeprefix("const ").rstrip("& "), name, name.partition("<")[0]


def _question(spelling: str, number: int, index: int, candidate: Cursor) -> str:
    """One line: a function that takes what is given, and the type of its call."""
    types = call_types(spelling)
    parameters = [p.type.spelling for p in children_of(candidate, Decl.PARAMETER)]
    if kind_of(candidate) != Decl.FUNCTION_TEMPLATE or len(types) > len(parameters):
        return ""
    taken = [p for p, t in zip(parameters, types, strict=False) if t != OPEN]
    values = ", ".join(f"samebytes_value<{t}>()" for t in types if t != OPEN)
    opened, path = scopes_of(candidate)
    head = ", ".join(map(parameter_text, template_parameters(candidate)))
    own = f"samebytes_of{number}_{index}"
    arguments = _called(spelling)[1].partition("<")
    explicit = f"{own}{arguments[1]}{arguments[2]}"
    declared = (
        f"template <{head}> samebytes_all<{', '.join(parameters[: len(types)])}>* {own}({', '.join(taken)});"
    )
    return (
        f"{''.join(opened)}{declared}{' }' * len(opened)}"
        f" using {_GIVEN}{number}_of_{index} = decltype({''.join(f'{p}::' for p in path)}{explicit}({values}));"
    )


def _whole(spelling: str, alias: Cursor) -> str:
    listed = alias.underlying_typedef_type.get_canonical().get_pointee()
    count = listed.get_num_template_arguments()
    if count <= 0:
        return ""
    types = [listed.get_template_argument_type(i).get_canonical().spelling for i in range(count)]
    return f"{callee(spelling)}({', '.join(types)})"
