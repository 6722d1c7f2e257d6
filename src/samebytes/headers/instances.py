"""Instantiations of templates: asked of clang in lines of the synthetic main file, and found again in its answers.

An instantiation is wanted under one or more spellings, of which the first that C++ accepts counts:

``ns::TA<float, 3>``
    A class, a function by its template arguments, or a variable.
``ns::f(double *, int)``
    The function that a call with such arguments means, be it an instantiation or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product

from .exposure import Declared
from .libclang import (
    CALLABLES,
    RECORDS,
    Cursor,
    Decl,
    Kind,
    argument_types,
    children_of,
    descendants,
    kind_of,
    overloads,
    template_of,
    type_kind,
)
from .parse import Unit

_VALUE = "template <class samebytes_T> samebytes_T&& samebytes_value() noexcept;"
_PUBLIC = 1
_NAMED = frozenset({Decl.METHOD, Decl.VARIABLE, Decl.CONVERSION})
_PARAMETERS = frozenset({Decl.TYPE_PARAMETER, Decl.VALUE_PARAMETER})


def is_call(spelling: str) -> bool:
    """Whether a spelling is that of a call."""
    return spelling.endswith(")")


def callee(spelling: str) -> str:
    """What a call calls: ``ns::f<int>`` of ``ns::f<int>(double)``."""
    return spelling[: _opening(spelling)].strip() if is_call(spelling) else spelling


def call_types(spelling: str) -> tuple[str, ...]:
    """The argument types of a call's spelling."""
    inner = spelling[_opening(spelling) + 1 : -1]
    return tuple(part.strip() for part in split_outside(inner, ",") if part.strip())


def _opening(spelling: str) -> int:
    depth = 0
    for place in range(len(spelling) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(spelling[place], 0)
        if depth == 0:
            return place
    return len(spelling)


def split_outside(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += {"<": 1, "(": 1, "[": 1, "{": 1, ">": -1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0 and text.startswith(separator, place):
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]


@dataclass
class Found:
    """What one wanted instantiation turned out to be.

    Attributes
    ----------
    spelling : str
        The spelling that C++ accepted.
    cursor : clang cursor
        The function, the variable, or the class's declaration.
    members : list of list of Declared
        Of a class: its members, one list for each entity.
    calls : list of str
        Of a function that was named by its template arguments: the calls that deduce it.
    """

    spelling: str
    cursor: Cursor
    members: list[list[Declared]] = field(default_factory=list)
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
        self._members: dict[int, tuple[str, ...]] = {}
        self._found: dict[int, Found] = {}
        self._calls: dict[int, tuple[str, ...]] = {}
        self._lines: list[tuple[tuple[int, str, str], str]] = []
        self._deduced: dict[str, bool] = {}  # calls by which clang deduces a result; whether they were asked
        self._asked: set[int] = set()
        self._implied: set[str] = set()
        self._seen = 0  # how many of `wanted` a parse was asked for

    @property
    def pending(self) -> bool:
        """Whether the members of a class, or the calls that mean a function, are still to be asked."""
        asked = self._asked.issuperset(self._members) and self._asked.issuperset(self._calls)
        return not asked or not all(self._deduced.values()) or self._seen < len(self.wanted)

    def imply(self, spelling: str) -> None:
        """Want a class that the header itself uses, besides those that were asked for."""
        if (spelling,) not in self.wanted:
            self._implied.add(spelling)
            self.wanted += ((spelling,),)

    def is_implied(self, spelling: str) -> bool:
        """Whether the header, and nobody else, wants a class."""
        return spelling in self._implied

    def lines(self) -> tuple[str, ...]:
        """The lines of the synthetic main file."""
        self._lines = [((-1, "", ""), _VALUE)] if self.wanted else []
        self._seen = len(self.wanted)
        for number, spellings in enumerate(self.wanted):
            chosen = self._chosen.get(number)
            for spelling in spellings if chosen is None else (chosen,):
                forms = _CALL if is_call(spelling) else _PLAIN
                for form, text in forms.items():
                    name = f"samebytes_{form}{number}_{len(self._lines)}"
                    self._lines.append(
                        ((number, form, spelling), text.format(name=name, spelling=_asked(spelling)))
                    )
            for member in self._members.get(number, ()):
                name = f"samebytes_member{number}_{len(self._lines)}"
                text = (_DEFAULT if member == _NO_ARGUMENTS else _MEMBER).format(
                    name=name, spelling=chosen, member=member
                )
                self._lines.append(((number, "member", member), text))
            for call in self._calls.get(number, ()):
                name = f"samebytes_echo{number}_{len(self._lines)}"
                text = _CALL["call"].format(name=name, spelling=_asked(call))
                self._lines.append(((number, "echo", call), text))
            if number in self._members or number in self._calls:
                self._asked.add(number)
        for call in self._deduced:
            name = f"samebytes_deduced_{len(self._lines)}"
            self._lines.append(((-1, "", ""), _CALL["call"].format(name=name, spelling=call)))
            self._deduced[call] = True
        return tuple(text for _, text in self._lines)

    def answer(self, unit: Unit, before: int) -> None:
        """Take the answers; ``before`` lines of questions stand before ours."""
        self._found = {}
        places = {2 + before + offset: key for offset, (key, _) in enumerate(self._lines)}
        cursors: dict[int, Cursor] = {}
        for cursor in unit.top:
            if cursor.location.file is not None and cursor.location.file.name == unit.request.main:
                cursors.setdefault(cursor.location.line, cursor)
        for line, (number, form, spelling) in places.items():
            if form not in _READERS or number in self._found:
                continue
            if line in unit.own_errors:
                self.reasons.setdefault(number, unit.own_errors[line])
                continue
            target = _READERS[form](cursors.get(line))
            if target is not None:
                self._found[number] = Found(spelling, target)
                self._chosen[number] = spelling
        for line, (number, form, spelling) in places.items():
            if form == "member" and line not in unit.own_errors and number in self._found:
                named = _members(cursors[line], self._found[number].cursor)
                self._found[number].members += named
                for member in named:
                    self._deduced.update(dict.fromkeys(_deducing(member[0].cursor), False) | self._deduced)
            elif form == "echo" and line not in unit.own_errors and number in self._found:
                meant = _of_call(cursors[line])
                if meant is not None and meant.mangled_name == self._found[number].cursor.mangled_name:
                    self._found[number].calls.append(spelling)
        for number, found in self._found.items():
            if kind_of(found.cursor) in CALLABLES and not is_call(found.spelling):
                self._calls.setdefault(number, _natural_calls(found))
            if kind_of(found.cursor) in RECORDS and number not in self._members:
                self._members[number] = tuple(_member_names(found))

    def found(self, number: int) -> Found | None:
        """What an instantiation is; None where C++ accepts none of its spellings."""
        return self._found.get(number)


# What is asked about a spelling, by the kind of answer.
_PLAIN = {
    "type": "using {name} = {spelling};",
    "size": "enum : unsigned long {{ {name} = sizeof({spelling}) }};",
    "address": "static auto {name} = &{spelling};",
}
_CALL = {"call": "enum : unsigned long {{ {name} = sizeof((void({spelling}), 0)) }};"}
# A using-declaration names all overloads of the instantiated class at once.
_MEMBER = "struct {name} : {spelling} {{ using {spelling}::{member}; }};"
_DEFAULT = "enum : unsigned long {{ {name} = sizeof(({spelling}(), 0)) }};"
_NO_ARGUMENTS = "()"
_INLINE = re.compile(r"\bstd::__\w+::")
_TEXTS = {"std::basic_string<char>": "std::string", "std::basic_string_view<char>": "std::string_view"}


def _asked(spelling: str) -> str:
    if not is_call(spelling):
        return spelling
    values = ", ".join(f"samebytes_value<{type_}>()" for type_ in call_types(spelling))
    return f"{callee(spelling)}({values})"


def _natural_calls(found: Found) -> tuple[str, ...]:
    """The calls with arguments of a function's own parameter types, as Python spells arguments."""
    choices = [_as_arguments(t.spelling) for t in argument_types(found.cursor.type.get_canonical())]
    name = found.spelling.partition("<")[0]
    return tuple(f"{name}({', '.join(picked)})" for picked in islice(product(*choices), 16))


def _as_arguments(spelling: str) -> tuple[str, ...]:
    """How Python may spell an argument for a parameter of a type."""
    plain = _INLINE.sub("std::", spelling)
    for canonical, usual in _TEXTS.items():
        plain = plain.replace(canonical, usual)
    target = re.fullmatch(r"const (.+) \*", plain)
    if target:
        return plain, f"{target[1]} *"
    referred = re.fullmatch(r"const (.+) &", plain)
    return (referred[1],) if referred else (plain.removesuffix(" &&"),)


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
            return target if target is not None and kind_of(target) in CALLABLES else None
    return None


_READERS = {"type": _of_type, "address": _of_address, "call": _of_call}


def _member_names(found: Found) -> Iterator[str]:
    """The names of the public members that can be called or read, constructors first."""
    pattern = template_of(found.cursor)
    if pattern is None or kind_of(pattern) == 0 or "final" in {c.spelling for c in pattern.get_children()}:
        return
    arguments = _arguments(found, pattern)
    children = [c for c in pattern.get_children() if c.access_specifier.value == _PUBLIC]
    if any(kind_of(c) == Decl.CONSTRUCTOR for c in children):
        yield found.cursor.spelling
        yield _NO_ARGUMENTS
    names = dict.fromkeys(
        c.spelling for c in children if kind_of(c) in _NAMED and kind_of(c) != Decl.CONVERSION
    )
    yield from names
    for conversion in (c for c in children if kind_of(c) == Decl.CONVERSION):
        yield f"operator {_substituted(conversion.result_type.spelling, arguments)}"


def _arguments(found: Found, pattern: Cursor) -> dict[str, str]:
    """The template's parameters and what stands for them here."""
    names = [c.spelling for c in pattern.get_children() if kind_of(c) in _PARAMETERS]
    spelled = found.cursor.type.spelling
    inner = spelled[spelled.find("<") + 1 : -1] if spelled.endswith(">") else ""
    return dict(zip(names, (a.strip() for a in split_outside(inner, ",")), strict=False))


def _substituted(text: str, arguments: dict[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda word: arguments.get(word[0], word[0]), text)


def _members(line: Cursor, owner: Cursor) -> list[list[Declared]]:
    """The members that one line names, but for those that the compiler added."""
    scope = (owner.type.get_canonical().spelling,)
    if kind_of(line) == Decl.ENUM:
        made = next((c.referenced for c in descendants(line) if kind_of(c) == Decl.CALL_EXPRESSION), None)
        listed = [made] if made is not None and kind_of(made) == Decl.CONSTRUCTOR else []
    else:
        listed = [m for using in children_of(line, Decl.USING) for m in overloads(using)]
    written = [
        m
        for m in listed
        if m.semantic_parent == owner and not (kind_of(m) == Decl.CONSTRUCTOR and _is_implicit(m, owner))
    ]
    return [[Declared(kind_of(m), m, scope)] for m in written]


def _deducing(member: Cursor) -> Iterator[str]:
    """The call that makes clang deduce the result of a method that is declared ``auto``."""
    function = member.type.get_canonical()
    if kind_of(member) != Decl.METHOD or type_kind(function.get_result()) != Kind.AUTO:
        return
    const = "const " if member.is_const_method() else ""
    owner = member.semantic_parent.type.get_canonical().spelling
    values = ", ".join(f"samebytes_value<{t.spelling}>()" for t in argument_types(function))
    yield f"samebytes_value<{const}{owner} &>().{member.spelling}({values})"


def _is_implicit(constructor: Cursor, owner: Cursor) -> bool:
    """Whether the compiler added a constructor: then it stands where the class's name does."""
    copies = constructor.is_copy_constructor() or constructor.is_move_constructor()
    return bool(copies or constructor.location.offset == owner.location.offset)
