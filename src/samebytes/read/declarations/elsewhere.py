"""Members of bases that are not bound, as they are the standard library's or an instantiation of another's template."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from ...model.module import ELSEWHERE_KIND, Skipped
from ..clang.kinds import PUBLIC, RECORDS, Decl
from ..clang.libclang import ClangType, Cursor, children, constructs, kind_of, written_class
from ..exposed.exposure import is_standard
from ..functions.functions import location
from ..questions.inheritance import BaseClass, Inheritance
from ..records.records import Records

_NAMED = frozenset(
    {*RECORDS, Decl.METHOD, Decl.CONVERSION, Decl.FUNCTION_TEMPLATE, Decl.VARIABLE, Decl.ENUM, Decl.TYPEDEF, Decl.ALIAS,
     Decl.CLASS_TEMPLATE, Decl.ALIAS_TEMPLATE}
)  # fmt: skip

# Bases of other headers with more members are bound where they are named; Boost's and CRTP's have tens.
MOST_FOLLOWED = 200


def members_elsewhere(
    records: Records, inheritance: Inheritance, waits: Callable[[str, Cursor], bool]
) -> Iterator[Skipped]:
    """Why the members that bound classes inherit from bases that are not bound are not there.

    Parameters
    ----------
    waits : callable
        Whether a class gets its members, and its bases theirs, when it is used.
    """
    for name in records.structs:
        if name in records.declared and not waits(name, records.declared[name]):
            type_ = records.declared[name].type
            yield from _of_bases(name, type_, records, inheritance, set(inheritance.declared(type_)))


def followed(base: BaseClass, inheritance: Inheritance, *, whole: bool) -> bool:
    """Whether classes have the members of a base that is another's instantiation: a public one, with a few members.

    Each member is compiled with the class that derives; of a base as large as Eigen's that takes minutes, so it is
    followed where the user names it.
    """
    known = _reach(base.type, inheritance)
    return base.access == PUBLIC and known is not None and known > 0 and (whole or known <= MOST_FOLLOWED)


def _reach(type_: ClangType, inheritance: Inheritance) -> int | None:
    """How many members a class and its public bases have; None while clang is still to say what these are."""
    bases = inheritance.known(type_)
    if bases is None and inheritance.pending:
        return None
    inner = [_reach(base.type, inheritance) for base in bases or () if base.access == PUBLIC]
    return None if None in inner else sum(filter(None, inner)) + len(list(_public(type_)))


def _of_bases(
    name: str, type_: ClangType, records: Records, inheritance: Inheritance, hidden: set[str]
) -> Iterator[Skipped]:
    """The members of public bases that are no records here, but for those whose names the class has itself."""
    for base in inheritance.of(type_):
        if base.access != PUBLIC or records.name_of(base.type) in records.structs:
            continue
        reason = _reason(base.type, inheritance)
        for member in _public(base.type):
            if member.spelling not in hidden and member.spelling != "operator=":
                hidden.add(member.spelling)
                yield _skipped(name, member, reason)
        yield from _of_bases(name, base.type, records, inheritance, hidden)


def _reason(base: ClangType, inheritance: Inheritance) -> str:
    words = f"its base {base.spelling} of {_file(base)} is not bound"
    size = _reach(base, inheritance) or 0
    if size <= MOST_FOLLOWED or is_standard(base.spelling):
        return words
    return f"{words}, as it has {size} members: instantiate={[base.spelling]} binds them"


def _public(type_: ClangType) -> Iterator[Cursor]:
    owner = written_class(type_)
    for member in children(owner):
        named = (
            kind_of(member) in _NAMED
            and not constructs(member, owner)
            and member.spelling
            and "(" not in member.spelling[:1]
        )
        if named and member.access_specifier.value == PUBLIC:
            yield member


def _skipped(name: str, member: Cursor, reason: str) -> Skipped:
    return Skipped(f"{name}::{member.spelling}", ELSEWHERE_KIND, reason, location(member))


def _file(type_: ClangType) -> str:
    file = type_.get_declaration().location.file
    return os.path.basename(file.name) if file is not None else "the compiler"
