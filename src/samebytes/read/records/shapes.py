"""Describes each class that is bound, and what it reaches: by this, its namesakes of other libraries are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ...later import later_pattern
from ...types import SCALARS, Enum, Shape, Struct
from ..clang.kinds import Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    canonical,
    children,
    children_of,
    innermost,
    kind_of,
    passing_of,
    template_arguments,
    type_kind,
    type_spelling,
    written_class,
)
from ..cxxtypes.scalars import NUMBERS
from ..questions.inheritance import Inheritance

# How clang names what has no name, with the file and the line where it stands.
_PLACE = later_pattern(r"\((unnamed|anonymous|lambda)[^()]*\)")
# C says what a name means, and calls the type of truth by another.
_KEYS = later_pattern(r"\b(struct|union|enum|class) ")
_NAMED = (Kind.RECORD, Kind.ENUM)


class Shapes:
    """The shapes of classes, each described once.

    Parameters
    ----------
    inheritance : Inheritance or None
        What knows the bases of classes; None in C.
    """

    def __init__(self, inheritance: Inheritance | None) -> None:
        self._inheritance = inheritance
        self._found: dict[str, Shape | Enum] = {}
        self._open: list[ClangType] = []
        self._functions: dict[str, dict[str, str]] = {}

    def of(self, structs: Iterable[Struct], declared: Mapping[str, Cursor]) -> tuple[Shape | Enum, ...]:
        """The shapes of some records, and of all that these reach.

        Parameters
        ----------
        declared : mapping of str to clang cursor
            By the names of the records.
        """
        for struct in structs:
            if (cursor := declared.get(struct.name)) is not None:
                self._found[struct.name] = self._shape(struct.name, canonical(cursor.type))
        while self._open:
            type_ = self._open.pop()
            name = _spelling(type_)
            if name not in self._found:
                enumeration = type_kind(type_) == Kind.ENUM
                self._found[name] = _enumeration(name, type_) if enumeration else self._shape(name, type_)
        return tuple(self._found.values())

    def _shape(self, name: str, type_: ClangType) -> Shape:
        reached: dict[str, ClangType] = {}
        facts = [] if _is_standard(name) else [*self._members(type_, 0, reached)]
        if self._inheritance is not None and not _is_standard(name):
            facts += self._bases(type_, self._inheritance, reached)
            facts += [(f"its virtual function {n}", f) for n, f in enumerate(self._own_functions(type_))]
        for argument in template_arguments(type_):
            _reach(argument, reached)
        facts += [("its size", f"{type_.get_size()} B"), ("its alignment", f"{type_.get_align()} B")]
        reached.pop(name, None)
        self._open += reached.values()
        return Shape(name, tuple(facts), tuple(reached))

    def _members(
        self, type_: ClangType, start: int, reached: dict[str, ClangType], path: str = ""
    ) -> Iterator[tuple[str, str]]:
        """The members at their places; those of members whose class has no name stand there, too."""
        for number, field in enumerate(type_.get_fields()):
            place = start + field.get_field_offsetof()
            words = f"{_spelling(field.type)} at byte {place // 8}"
            if field.is_bitfield():
                words = f"{_spelling(field.type)} of {field.get_bitfield_width()} bits at bit {place}"
            label = path + (field.spelling if field.spelling.isidentifier() else f"member {number}")
            yield f"its {label}", words
            inner = innermost(field.type)
            if type_kind(inner) == Kind.RECORD and _PLACE.search(inner.spelling):
                yield from self._members(canonical(inner), place, reached, f"{label}.")
            else:
                _reach(field.type, reached)

    def _bases(
        self, type_: ClangType, inheritance: Inheritance, reached: dict[str, ClangType]
    ) -> Iterator[tuple[str, str]]:
        for number, base in enumerate(inheritance.of(type_)):
            yield f"its base {number}", f"{'virtual ' * base.virtual}{_spelling(base.type)}"
            _reach(base.type, reached)

    def _own_functions(self, type_: ClangType) -> list[str]:
        """The virtual functions with which a class lengthens its bases' tables, in order."""
        assert self._inheritance is not None
        inherited = {f for base in self._inheritance.of(type_) for f in self._virtual(base.type)}
        return [words for f, words in self._virtual(type_).items() if f not in inherited]

    def _virtual(self, type_: ClangType) -> dict[str, str]:
        """All virtual functions of a class, its bases' too: what tells them from others, and their words."""
        key = _spelling(type_)
        if key not in self._functions and self._inheritance is not None:
            found: dict[str, str] = {}
            for base in self._inheritance.of(type_):
                found |= self._virtual(base.type)
            for cursor in children(written_class(type_)):
                if kind_of(cursor) in _FUNCTIONS and (told := _virtual_function(cursor, found)):
                    found.setdefault(*told)
            self._functions[key] = found
        return self._functions.get(key, {})


_FUNCTIONS = (Decl.METHOD, Decl.CONVERSION, Decl.DESTRUCTOR)


def _enumeration(name: str, type_: ClangType) -> Enum:
    cursor = type_.get_declaration()
    underlying = NUMBERS.get(type_kind(canonical(cursor.enum_type)), SCALARS["int32"])
    members = tuple((c.spelling, c.enum_value) for c in children_of(cursor, Decl.ENUM_CONSTANT))
    return Enum(name, underlying, members, cursor.is_scoped_enum())


def _virtual_function(cursor: Cursor, known: Mapping[str, str]) -> tuple[str, str] | None:
    """What tells a virtual function from others, and its words; None of another function."""
    if kind_of(cursor) == Decl.DESTRUCTOR:
        return ("~", "the destructor") if cursor.is_virtual_method() or "~" in known else None
    if not cursor.is_virtual_method():
        return None
    function = cursor.type.get_canonical()
    taken = ", ".join(map(_spelling, argument_types(function)))
    behind = _spelling(function).rpartition(")")[2].replace("noexcept", "").strip()
    told = f"{cursor.spelling}({taken}) {behind}".strip()
    return told, f"{_spelling(function.get_result())} {told}"


def _reach(type_: ClangType, reached: dict[str, ClangType]) -> None:
    """Note the classes and enumerations that a type names, those behind pointers and of functions, too."""
    _, type_ = passing_of(type_)
    inner = canonical(innermost(type_))
    while type_kind(inner) == Kind.POINTER:
        inner = canonical(innermost(inner.get_pointee()))
    if type_kind(inner) == Kind.FUNCTION:
        for part in (inner.get_result(), *argument_types(inner)):
            _reach(part, reached)
    named = type_kind(inner) in _NAMED and not _PLACE.search(inner.spelling)
    if named and inner.get_size() >= 0:
        reached.setdefault(_bare(inner), inner)
    elif (
        named
    ):  # a class of a template that nothing has made yet, ``optional<T>`` of a map: what it is made of
        for argument in template_arguments(inner):
            _reach(argument, reached)


def _is_standard(name: str) -> bool:
    """Whether a class is the standard library's, whose members are its own affair."""
    return name.startswith(("std::", "__gnu_cxx::"))


def _bare(type_: ClangType) -> str:
    return re.sub(r"^((const|volatile) )+", "", _spelling(type_))


def _spelling(type_: ClangType) -> str:
    """How the compiler spells a type, whatever the language and the file."""
    text = _KEYS.sub("", _PLACE.sub("(unnamed)", type_spelling(canonical(type_))))
    return text.replace("_Bool", "bool")
