"""Instantiations of templates: asked of clang in lines of the synthetic main file, and found again in its answers.

An instantiation is wanted under one or more spellings, of which the first that C++ accepts counts:

``ns::TA<float, 3>``
    A class, a function by its template arguments, or a variable.
``ns::f(double *, int)``
    The function that a call with such arguments means, be it an instantiation or not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..clang.kinds import CALLABLES, RECORDS, Decl, Kind
from ..clang.libclang import ClangType, Cursor, descendants, kind_of, type_kind
from ..clang.parse import ParsedUnit
from ..spellings import (
    BUILT_IN,
    FORMATS,
    call_types,
    callee,
    expression,
    is_call,
    is_meant,
    names_format,
    operator_form,
)
from . import instance_members, natural_calls
from .holes import Holes, has_holes, in_words

if TYPE_CHECKING:
    from .instance_members import Member, Members

# An instantiation's number, what is asked, and about what.
_Asked = tuple[int, str, "str | Member"]
_VALUE = "template <class samebytes_T> samebytes_T&& samebytes_value() noexcept;"


@dataclass
class ResolvedInstance:
    """What one wanted instantiation turned out to be.

    Attributes
    ----------
    spelling : str
        The spelling that C++ accepted.
    cursor : clang cursor
        The function, the variable, or the class's declaration.
    members : Members
        Of a class.
    calls : list of str
        Of a function that was named by its template arguments: the calls that deduce it.
    object : clang type or None
        Of a method that a call names: the class of the object, which may derive from the method's.
    """

    spelling: str
    cursor: Cursor
    object: ClangType | None = None
    members: Members = field(default_factory=lambda: instance_members.Members())
    calls: list[str] = field(default_factory=list)


class Instances:
    """The wanted instantiations of one header, over the rounds of parsing.

    Parameters
    ----------
    wanted : tuple of tuple of str
        Each instantiation's spellings.
    """

    def __init__(self, wanted: tuple[tuple[str, ...], ...]) -> None:
        self.wanted = wanted
        self.reasons: dict[int, str] = {}
        self._chosen: dict[int, str] = {}
        self._members: dict[int, tuple[Member, ...]] = {}
        self._found: dict[int, ResolvedInstance] = {}
        self._classes: dict[str, list[ResolvedInstance]] = {}  # what of `_found` is a class, by its name
        self._calls: dict[int, tuple[str, ...]] = {}
        self._lines: list[tuple[_Asked, str]] = []
        self._deduced: dict[str, bool] = {}  # calls by which clang deduces a result; whether they were asked
        self._asked: set[int] = set()
        self._implied: set[str] = set()
        self._computed = frozenset[int]()  # those that mean a built-in operator
        self._enough = False  # whether the header implies more than are read with it
        self._holes = Holes()
        self._seen = 0  # how many of `wanted` a parse was asked for

    @property
    def pending(self) -> bool:
        """Whether the members of a class, or the calls that mean a function, are still to be asked."""
        asked = self._asked.issuperset(self._members) and self._asked.issuperset(self._calls)
        return (
            self._holes.pending
            or not asked
            or not all(self._deduced.values())
            or self._seen < len(self.wanted)
        )

    @property
    def opening(self) -> bool:
        """Whether calls that leave arguments open are still to be resolved."""
        return self._holes.pending

    def imply(self, spelling: str, cursor: Cursor | None = None) -> None:
        """Want a class that the header itself uses, besides those that were asked for.

        Where it is complete already, its members are asked for with it: ``cursor`` declares it.
        """
        if (spelling,) not in self.wanted:
            self._implied.add(spelling)
            self.wanted += ((spelling,),)
            if cursor is not None and cursor.type.get_size() >= 0:
                self._members[len(self.wanted) - 1] = tuple(instance_members.member_names(cursor))

    def imply_some(
        self, made: Mapping[str, Cursor | None], always: Collection[str], most: int | None
    ) -> None:
        """Want those of some classes that are wanted ``always``; the others, if no more than ``most`` are implied then.

        Once they were more, no further ones are.

        Parameters
        ----------
        made : mapping of str to clang cursor
            The classes' declarations, by their spellings.
        always : collection of str
        most : int or None
        """
        known = {spelled for spelled, *_ in self.wanted}
        new = [spelling for spelling in made if spelling not in known]
        others = sum(spelling not in always for spelling in new)
        self._enough |= most is not None and len(self._implied) + others > most
        for spelling in new:
            if spelling in always or not self._enough:
                self.imply(spelling, made[spelling])

    def is_implied(self, spelling: str) -> bool:
        """Whether the header, and nobody else, wants a class."""
        return spelling in self._implied

    def lines(self) -> tuple[str, ...]:
        """The lines of the synthetic main file."""
        self._lines = [((-1, "", ""), _VALUE)] if self.wanted else []
        if any(names_format(spelling) for spellings in self.wanted for spelling in spellings):
            self._lines.append(((-1, "", ""), f"#include <{FORMATS}>"))
        self._seen = len(self.wanted)
        for number in range(len(self.wanted)):
            chosen = self._chosen.get(number)
            for spelling in self._asked_for(number) if chosen is None else (chosen,):
                forms = _CALL if is_call(spelling) else _PLAIN
                for form, text in forms.items():
                    name = f"samebytes_{form}{number}_{len(self._lines)}"
                    self._lines.append(
                        ((number, form, spelling), text.format(name=name, spelling=expression(spelling)))
                    )
            for member in self._members.get(number, ()):
                name = f"samebytes_member{number}_{len(self._lines)}"
                line = member.line(name, chosen or self.wanted[number][0])
                self._lines.append(((number, "member", member), line))
            for call in self._calls.get(number, ()):
                name = f"samebytes_echo{number}_{len(self._lines)}"
                text = _CALL["call"].format(name=name, spelling=expression(call))
                self._lines.append(((number, "echo", call), text))
            if number in self._members or number in self._calls:
                self._asked.add(number)
        for call in self._deduced:
            name = f"samebytes_deduced_{len(self._lines)}"
            self._lines.append(((-1, "", ""), _CALL["call"].format(name=name, spelling=call)))
            self._deduced[call] = True
        return tuple(text for _, text in self._lines)

    def _asked_for(self, number: int) -> Iterator[str]:
        """The spellings of an instantiation; open calls are resolved first."""
        for spelling in self.wanted[number]:
            if not has_holes(spelling):
                yield spelling
                continue
            for text in self._holes.lines(spelling):
                form = "hole" if self._holes.is_asked(spelling) else ""
                self._lines.append(((number, form, spelling), text))
            yield from self._holes.resolved(spelling)

    def forget(self) -> None:
        """Let go of the last parse."""
        self._found, self._classes = {}, {}

    def answer(self, unit: ParsedUnit, before: int) -> None:
        """Take the answers; ``before`` lines of questions stand before ours."""
        self._found = {}
        self._holes.answer(unit)
        places = {2 + before + offset: key for offset, (key, _) in enumerate(self._lines)}
        cursors: dict[int, Cursor] = {}
        for cursor in unit.asked if self._lines else ():
            if not (
                cursor.spelling.startswith("samebytes_") and cursor.spelling.endswith(instance_members.BESIDE)
            ):
                cursors.setdefault(cursor.location.line, cursor)
        self._find(unit, places, cursors)
        self._add_members(unit, places, cursors)
        self._classes = {}
        for found in self._found.values():
            if kind_of(found.cursor) in RECORDS:
                self._classes.setdefault(found.cursor.type.get_canonical().spelling, []).append(found)
        self._ask_further()

    def _find(self, unit: ParsedUnit, places: Mapping[int, _Asked], cursors: Mapping[int, Cursor]) -> None:
        """Take the first of each instantiation's spellings that C++ accepts."""
        refused: set[tuple[int, str, tuple[str, ...]]] = set()
        for line, (number, form, spelling) in places.items():
            if form == "hole" and line in unit.own_errors:
                self.reasons.setdefault(number, in_words(unit.own_errors[line], str(spelling)))
            if not isinstance(spelling, str) or form not in _READERS:
                continue
            if number in self._found or number in self._computed:
                continue
            asked = (number, callee(spelling), tuple(map(_bare, call_types(spelling))))
            if line in unit.own_errors and form == "call" and is_meant(unit.own_errors[line]):
                refused.add(asked)
                self.reasons[number] = unit.own_errors[line]
            if line in unit.own_errors or asked in refused:
                self.reasons.setdefault(number, unit.own_errors.get(line, ""))
                continue
            target = _READERS[form](cursors.get(line))
            if form == "call" and not _is_named(target, spelling):
                # The first spelling that C++ accepts counts: others mean other operands.
                self.reasons[number], self._computed = BUILT_IN, self._computed | {number}
            elif target is not None:
                self._found[number] = ResolvedInstance(
                    spelling, target, _object_of(cursors.get(line), spelling)
                )
                self._chosen[number] = spelling

    def _add_members(
        self, unit: ParsedUnit, places: Mapping[int, _Asked], cursors: Mapping[int, Cursor]
    ) -> None:
        """Take the members of what was found, and the calls that mean it."""
        for line, (number, form, spelling) in places.items():
            if not isinstance(spelling, str):
                if line in unit.own_errors:
                    self._ask_otherwise(number, spelling, unit.own_errors[line])
                elif number in self._found:
                    self._found[number].members.add(spelling, cursors[line], self._found[number].cursor)
            elif form == "echo" and line not in unit.own_errors and number in self._found:
                meant = _of_call(cursors[line])
                if meant is not None and meant.mangled_name == self._found[number].cursor.mangled_name:
                    self._found[number].calls.append(spelling)

    def _ask_further(self) -> None:
        """Note what is to be asked of what was found."""
        for number, found in self._found.items():
            for member in found.members.own:
                self._deduced = dict.fromkeys(instance_members.deducing(member.cursor), False) | self._deduced
            if kind_of(found.cursor) in CALLABLES and not is_call(found.spelling):
                self._calls.setdefault(number, natural_calls.natural_calls(found.spelling, found.cursor))
            if kind_of(found.cursor) in RECORDS and number not in self._members:
                self._members[number] = tuple(instance_members.member_names(found.cursor))

    def _ask_otherwise(self, number: int, member: Member, words: str) -> None:
        names = self._members[number]
        asked_all = member.otherwise == member and member.form != "made" and number in self._found
        if asked_all and not _LACKS.search(words):
            why = instance_members.OVERLOADED if member.form == "address" else f"C++ refuses it here: {words}"
            self._found[number].members.refused.append((member.name, why))
        changed = tuple(m.otherwise if m == member else m for m in names)
        if changed != names:
            self._members[number] = changed
            self._asked.discard(number)

    def used(self, type_: ClangType) -> list[Cursor]:
        """What an instantiated class takes over from bases by using-declarations, as far as it was asked."""
        if "<" not in type_.spelling:
            return []
        return [c for f in self._classes.get(type_.get_canonical().spelling, ()) for c in f.members.used]

    def found(self, number: int) -> ResolvedInstance | None:
        """What an instantiation is; None where C++ accepts none of its spellings."""
        return self._found.get(number)


# Of an empty specialization, which cannot be told from an instantiation, that it has not what its template has.
_LACKS = re.compile(r"\bno (member|type) named '")
# What is asked about a spelling, by the kind of answer.
_PLAIN = {
    "type": "using {name} = {spelling};",
    "size": "enum : unsigned long {{ {name} = sizeof({spelling}) }};",
    "address": "static auto {name} = &{spelling};",
}
_CALL = {"call": "enum : unsigned long {{ {name} = sizeof((void({spelling}), 0)) }};"}


def _bare(type_: str) -> str:
    """The type of an argument, be it passed as it is, by reference, as const, or by its address."""
    return type_.rstrip("&* ").removeprefix("const ")


def _of_type(cursor: Cursor | None) -> Cursor | None:
    if cursor is None:
        return None
    canonical = cursor.underlying_typedef_type.get_canonical()
    return canonical.get_declaration() if type_kind(canonical) == Kind.RECORD else None


def _of_address(cursor: Cursor | None) -> Cursor | None:
    for inner in descendants(cursor):
        target = inner.referenced if kind_of(inner) == Decl.REFERENCE_EXPRESSION else None
        if target is not None and kind_of(target) in (*CALLABLES, Decl.VARIABLE, Decl.UNEXPOSED):
            return target
    return None


def _of_call(cursor: Cursor | None) -> Cursor | None:
    for inner in descendants(cursor):
        if kind_of(inner) == Decl.CALL_EXPRESSION:
            target = inner.referenced
            bound = (
                target is not None and kind_of(target) in CALLABLES and target.spelling != "samebytes_value"
            )
            return target if bound else None
    return None


def _is_named(target: Cursor | None, spelling: str) -> bool:
    """Whether a call's function is what its spelling names: of a built-in operator clang shows the conversions."""
    if not operator_form(spelling):
        return True
    return target is not None and target.spelling == callee(spelling)


def _object_of(cursor: Cursor | None, spelling: str) -> ClangType | None:
    """The class of the object that a method is called on; the conversion to the method's own class is unwritten."""
    if not (is_call(spelling) and spelling.startswith("(")):
        return None
    values = (
        c
        for c in descendants(cursor)
        if kind_of(c) == Decl.CALL_EXPRESSION and c.spelling == "samebytes_value"
    )
    return next((c.type.get_canonical() for c in values), None)


_READERS = {"type": _of_type, "address": _of_address, "call": _of_call}
