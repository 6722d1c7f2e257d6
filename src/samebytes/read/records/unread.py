"""Classes that are bound for their use alone, in headers that are not exposed: what they declare, and what binds it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from ...model.module import Unread
from ..clang.kinds import PUBLIC, RECORDS, Decl, Kind
from ..clang.libclang import Cursor, children, children_of, constructs, kind_of, written_class
from ..cxxtypes.scalars import NUMBERS

# A variable is a static one; fields are bound, but for those whose types only an exposed class's members have.
_OPERATORS = frozenset({"operator[]", "operator()"})  # for which Python has names of its own
_NAMED = frozenset(
    {*RECORDS, Decl.FIELD, Decl.METHOD, Decl.FUNCTION_TEMPLATE, Decl.USING, Decl.VARIABLE, Decl.ENUM, Decl.TYPEDEF,
     Decl.ALIAS, Decl.CLASS_TEMPLATE, Decl.ALIAS_TEMPLATE}
)  # fmt: skip


def unread(declared: Mapping[str, Cursor], roots: Iterable[str]) -> Iterator[Unread]:
    """Of some records of which only fields are bound those for which C++ declares more.

    Parameters
    ----------
    declared : mapping of str to clang cursor
        Their declarations, by name.
    roots : iterable of str
        Folders in which headers are found.
    """
    folders = sorted({os.path.join(os.path.realpath(root), "") for root in roots}, key=len, reverse=True)
    for name, cursor in declared.items():
        source = written_class(cursor.type)
        public = [c for c in children(source) if c.access_specifier.value == PUBLIC]
        made = [c for c in public if constructs(c, source)]
        named = [n for c in public if kind_of(c) in _NAMED and c not in made for n in _names(c)]
        converts = [c.spelling for c in public if _is_number(c)]
        members = tuple(dict.fromkeys([n for n in named if n.isidentifier() or n in _OPERATORS] + converts))
        if members or made:
            header = _short(os.path.realpath(cursor.location.file.name), folders)
            yield Unread(name, header, _pattern(name, header), members, bool(made))


def _is_number(member: Cursor) -> bool:
    """Whether C++ converts objects to numbers by a member, by itself; in a template perhaps."""
    if kind_of(member) != Decl.CONVERSION or member.is_explicit_method():
        return False
    result = member.result_type.get_canonical().kind.value
    return result in NUMBERS or result in (Kind.UNEXPOSED, Kind.LONGDOUBLE)


def _names(member: Cursor) -> list[str]:
    """A member's name, and those that an enumeration makes beside its own."""
    scattered = kind_of(member) == Decl.ENUM and not member.is_scoped_enum()
    values = children_of(member, Decl.ENUM_CONSTANT) if scattered else []
    return [member.spelling, *(value.spelling for value in values)]


def _short(file: str, folders: Iterable[str]) -> str:
    """A header as ``#include`` names it."""
    return next((file.removeprefix(f) for f in folders if file.startswith(f)), os.path.basename(file))


def _pattern(name: str, header: str) -> str:
    """The class by name; what lies inside of an instantiation has none that a pattern could mean."""
    plain, _, rest = name.partition("<")
    return f"*/{header}" if "::" in rest.rpartition(">")[2] else plain
