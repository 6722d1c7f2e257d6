"""The members of an instantiated class: their names from its template, what each is from a line that clang answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..clang.kinds import PUBLIC, RECORDS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    children,
    children_of,
    constructs,
    descendants,
    kind_of,
    overloads,
    template_of,
    type_kind,
)
from ..exposed.exposure import Declared
from ..exposed.specialized import written_out
from ..spellings import split_outside

BESIDE = "_of"  # what the name of an alias beside the answer ends with
_PARAMETERS = frozenset({Decl.TYPE_PARAMETER, Decl.VALUE_PARAMETER})
_NAMED = frozenset({Decl.METHOD, Decl.VARIABLE, Decl.FUNCTION_TEMPLATE, Decl.USING})
_MADE = frozenset({Decl.CLASS_TEMPLATE, Decl.ALIAS_TEMPLATE, Decl.UNEXPOSED})
_TYPES = frozenset({*RECORDS, Decl.ENUM, Decl.TYPEDEF, Decl.ALIAS})
# What is asked about a member, by what it is.
_FORMS = {
    # A using-declaration names all overloads of the instantiated class at once.
    # Without the class's own name: there a private base of it may have that name of its arguments.
    "name": "using {name}_of = {spelling}; struct {name} : {name}_of {{ using {name}_of::{member}; }};",
    "made": "enum : unsigned long {{ {name} = sizeof(({spelling}(), 0)) }};",
    # A call that is never resolved names all overloads, whichever are private, of a union and a final class, too.
    "overloads": "template <class samebytes_any> auto {name}(samebytes_any x) "
    "-> decltype(samebytes_value<{spelling} &>().{member}(x));",
    # Of overloads this names none.
    "address": "static auto {name} = &{spelling}::{member};",
    "type": "using {name} = {spelling}::{member};",
    # An enumeration without a name, by its first enumerator.
    "enumerators": "using {name} = decltype({spelling}::{member});",
}


_OTHERWISE = {"name": "overloads", "overloads": "address"}
_OF_TEMPLATE = "type-parameter-"  # clang's word for one that has no name outside of its template
OVERLOADED = (
    "its class is made by a template and final or a union: of overloads and constructors clang tells none"
)
TAKEN = (
    "a using-declaration takes some of its overloads from a base, beside private ones or in a final class: "
    "of such clang tells none"
)


class Member(NamedTuple):
    """A name that a class has, and how it is asked about."""

    form: str
    name: str

    def line(self, name: str, spelling: str) -> str:
        """The line of the synthetic main file that asks."""
        return _FORMS[self.form].format(name=name, spelling=spelling, member=self.name)

    @property
    def otherwise(self) -> Member:
        """How it is asked about where clang refuses the line, as of a union, or where one overload is private."""
        return self._replace(form=_OTHERWISE.get(self.form, self.form))


def member_names(cursor: Cursor) -> Iterator[Member]:
    """The public members of an instantiated class that can be called or named, constructors first."""
    pattern = template_of(cursor)
    if pattern is None or kind_of(pattern) == 0:
        return
    public = [c for c in children(pattern) if c.access_specifier.value == PUBLIC]
    for child in public:
        first = (
            next(iter(children_of(child, Decl.ENUM_CONSTANT)), None) if kind_of(child) == Decl.ENUM else None
        )
        if first is not None and child.is_scoped_enum():
            yield Member(
                "enumerators", f"{child.spelling}::{first.spelling}"
            )  # to name one makes clang read all
        elif kind_of(child) in _TYPES and child.spelling.isidentifier():
            yield Member("type", child.spelling)
        elif kind_of(child) == Decl.ENUM:
            yield from (Member("enumerators", c.spelling) for c in children_of(child, Decl.ENUM_CONSTANT)[:1])
    if any(_constructs(c, pattern) for c in public):
        yield Member("name", cursor.spelling)
        yield Member("made", "")
    names = dict.fromkeys(c.spelling for c in public if kind_of(c) in _NAMED and not _constructs(c, pattern))
    yield from map(_named, names)
    arguments = _arguments(cursor, pattern)
    for conversion in (c for c in public if kind_of(c) == Decl.CONVERSION):
        yield _named(f"operator {_substituted(conversion.result_type.spelling, arguments)}")


def _named(name: str) -> Member:
    """What functions or variables are asked about by; of a conversion to what a template makes, clang says why not."""
    return Member("address" if _OF_TEMPLATE in name else "name", name)


def member_templates(cursor: Cursor) -> Iterator[Cursor]:
    """The public templates of classes, aliases and variables in an instantiated class."""
    pattern = template_of(cursor)
    for child in children(pattern) if pattern is not None else ():
        if (
            kind_of(child) in _MADE
            and child.access_specifier.value == PUBLIC
            and child.spelling.isidentifier()
        ):
            yield child


def _constructs(child: Cursor, pattern: Cursor) -> bool:
    """Whether a member is a constructor, its template, or a using-declaration of those of a base."""
    if kind_of(child) == Decl.USING and child.spelling.startswith("type-parameter-"):
        return True  # `using T::T`, of a base that is a parameter
    if kind_of(child) == Decl.USING:
        bases = {
            b.type.spelling.partition("<")[0].rpartition("::")[2] for b in children_of(pattern, Decl.BASE)
        }
        return child.spelling.partition("<")[0] in bases
    return constructs(child, pattern)


def _arguments(cursor: Cursor, pattern: Cursor) -> dict[str, str]:
    """The template's parameters and those of the classes around it, and what stands for each here, defaults as well."""
    around, outer = cursor.semantic_parent, template_of(cursor.semantic_parent)
    found = _arguments(around, outer) if outer is not None and kind_of(outer) != 0 else {}
    parameters = [c for c in children(pattern) if kind_of(c) in _PARAMETERS]
    spelled = cursor.type.spelling.rpartition("::")[2] if found else cursor.type.spelling
    inner = spelled[spelled.find("<") + 1 : -1] if spelled.endswith(">") else ""
    written = [a.strip() for a in split_outside(inner, ",")] if inner else []
    for number, parameter in enumerate(parameters):
        type_ = cursor.type.get_template_argument_type(number)
        if kind_of(parameter) == Decl.TYPE_PARAMETER and type_kind(type_) != 0:
            found[parameter.spelling] = written_out(type_)
        elif number < len(written):
            found[parameter.spelling] = written[number]
    return found


def _substituted(text: str, arguments: dict[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda word: arguments.get(word[0], word[0]), text)


@dataclass
class Members:
    """What the lines about one class answered.

    Attributes
    ----------
    own : list of Declared
        What the class declares itself, but for what the compiler added.
    used : list of clang cursor
        What it takes over from bases by using-declarations.
    nested : list of clang cursor
        Its classes.
    aliases : list of (str, clang type)
        Its other types, by the names that it gives them.
    refused : list of (str, str)
        The names of what is not known, and why.
    """

    own: list[Declared] = field(default_factory=list)
    used: list[Cursor] = field(default_factory=list)
    nested: list[Cursor] = field(default_factory=list)
    aliases: list[tuple[str, ClangType]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)

    def add(self, member: Member, line: Cursor, owner: Cursor) -> None:
        """Take one answer."""
        scope = (written_out(owner.type.get_canonical()),)
        if member.form == "type":
            self._type(member.name, line.underlying_typedef_type.get_canonical(), owner, scope)
            return
        if member.form == "enumerators":
            enum = line.underlying_typedef_type.get_canonical().get_declaration()
            self.own.append(Declared(Decl.ENUM, enum, scope))
            return
        listed = _listed(member, line)
        if not listed and member.form == "overloads":
            self.refused.append((member.name, OVERLOADED))
            return
        if any(kind_of(found) == Decl.UNEXPOSED for found in listed):
            self.refused.append((member.name, TAKEN))  # all: without the others C++'s choice would be another
            return
        for found in listed:
            special = kind_of(found) == Decl.CONSTRUCTOR and _is_implicit(found, found.semantic_parent)
            if found.semantic_parent != owner:
                self.used.append(found)
            elif not special and found not in [d.cursor for d in self.own]:
                self.own.append(Declared(kind_of(found), found, scope))

    def _type(self, name: str, type_: ClangType, owner: Cursor, scope: tuple[str, ...]) -> None:
        declaration = type_.get_declaration()
        parent = declaration.semantic_parent  # a number's type has none
        if parent is None or parent != owner or declaration.spelling != name:
            self.aliases.append((name, type_))
        elif kind_of(declaration) == Decl.ENUM:
            self.own.append(Declared(Decl.ENUM, declaration, scope))
        else:
            self.nested.append(declaration)


def _listed(member: Member, line: Cursor) -> list[Cursor]:
    if member.form == "name":
        return [m for using in children_of(line, Decl.USING) for m in overloads(using)]
    if member.form == "overloads":
        parts = list(descendants(line))
        meant = (part.referenced for part in parts if kind_of(part) == Decl.MEMBER_EXPRESSION)
        named = [m for part in parts for m in overloads(part)] or [m for m in meant if m is not None]
        return [m for m in named if kind_of(m) == Decl.UNEXPOSED or m.access_specifier.value == PUBLIC]
    kind = Decl.CALL_EXPRESSION if member.form == "made" else Decl.REFERENCE_EXPRESSION
    made = next((c.referenced for c in descendants(line) if kind_of(c) == kind), None)
    expected = (Decl.CONSTRUCTOR,) if member.form == "made" else (Decl.METHOD, Decl.VARIABLE)
    return [made] if made is not None and kind_of(made) in expected else []


def deducing(member: Cursor) -> Iterator[str]:
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
