"""Operators, of headers that are not exposed, of classes and enumerations that are bound: asked for, they say so."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...model.module import OPERATOR_KIND, Skipped, Unread
from ...types.naming import split_name
from ..clang.kinds import PUBLIC, Decl
from ..clang.libclang import (
    Cursor,
    children,
    children_of,
    friend_functions,
    is_inline_namespace,
    kind_of,
    passing_of,
    written_class,
)
from ..clang.places import file_of
from ..exposed.exposure import Exposure, is_standard
from ..functions.functions import location

_SIGN = "operator"
# Conversions and new are no operators on operands.
SIGNS = frozenset(
    {"+", "-", "*", "/", "%", "&", "|", "^", "~", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "!",
     "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
)  # fmt: skip
_SIGNS = SIGNS - {"==", "!=", "!"}  # equality and truth are asked of C++ whatever the header


def operators_elsewhere(
    top: Iterable[Cursor], exposure: Exposure, names: Collection[str]
) -> Iterator[Skipped]:
    """The free operators that take one of some classes first or second, and that stand in files that are not exposed.

    Parameters
    ----------
    top : iterable of clang cursor
        The declarations of the unit outside of all namespaces.
    names : collection of str
        The classes and enumerations, by their qualified names.
    """
    own = {name for name in names if not is_standard(name)}
    scopes = {tuple(split_name(name)[:-1]) for name in own}
    scopes |= {scope[:n] for scope in scopes for n in range(len(scope))}
    for function, scope in _functions(top, (), scopes):
        if sign(function) in _SIGNS and exposure.hides(function) and own.intersection(operands(function)):
            name = "::".join([*scope, function.spelling])
            if not exposure.named(name):
                yield _skipped(name, operands(function), function, hidden(function, name))


def members_and_friends(declared: Mapping[str, Cursor], unread: Iterable[Unread]) -> Iterator[Skipped]:
    """The operators that classes of which only fields are bound declare themselves."""
    for found in (u for u in unread if not is_standard(u.name)):
        source = written_class(declared[found.name].type)
        *scope, _ = split_name(found.name)
        public = (c for c in children_of(source, Decl.METHOD) if c.access_specifier.value == PUBLIC)
        for member in public:
            if sign(member) in _SIGNS:
                name = f"{found.name}::{member.spelling}"
                yield _skipped(name, operands(member), member, found.advice)
        for friend in friend_functions(source):
            if sign(friend) in _SIGNS and kind_of(friend) == Decl.FUNCTION:
                taken = [found.name if "<" in found.name else o for o in operands(friend)]
                yield _skipped("::".join([*scope, friend.spelling]), taken, friend, found.advice)


def _functions(
    cursors: Iterable[Cursor], scope: tuple[str, ...], scopes: Collection[tuple[str, ...]]
) -> Iterator[tuple[Cursor, tuple[str, ...]]]:
    for cursor in cursors:
        kind = kind_of(cursor)
        if kind == Decl.FUNCTION:
            yield cursor, scope
        elif kind == Decl.LINKAGE:
            yield from _functions(children(cursor), scope, scopes)
        elif kind == Decl.NAMESPACE:
            inner = scope if is_inline_namespace(cursor) else (*scope, cursor.spelling)
            if inner in scopes:
                yield from _functions(children(cursor), inner, scopes)


def hidden(function: Cursor, name: str) -> str:
    """Why a function of a header that is not exposed is not bound, and what brings it."""
    return f"{os.path.basename(file_of(function) or '')} is not exposed: expose=[{name!r}] names it"


def sign(function: Cursor) -> str:
    """The sign of an operator; empty of another function."""
    name = function.spelling
    return name[len(_SIGN) :] if name.startswith(_SIGN) else ""


def operands(function: Cursor) -> list[str]:
    """The names of the types that a function takes, without references and const."""
    types = [passing_of(a.type.get_canonical())[1].get_canonical() for a in function.get_arguments()]
    return [t.spelling.removeprefix("const ").removeprefix("enum ") for t in types]


def _skipped(name: str, operands: Iterable[str], cursor: Cursor, reason: str) -> Skipped:
    return Skipped(f"{name}({', '.join(operands)})", OPERATOR_KIND, reason, location(cursor))
