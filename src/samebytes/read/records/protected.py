"""The names that a class declares for classes derived from it, as those of Python's are."""

from __future__ import annotations

from collections.abc import Iterator

from ...types import Protected, Virtual
from ..clang.kinds import PROTECTED, PUBLIC, RECORDS, Decl
from ..clang.libclang import ClangType, Cursor, children, kind_of, library, written_class
from ..cxxtypes.cxxtypes import Types
from ..questions.inheritance import Inheritance
from .virtuals import described

_PRIVATE = 3
_DATA = frozenset({Decl.FIELD, Decl.VARIABLE})
_FUNCTIONS = frozenset({Decl.METHOD, Decl.FUNCTION_TEMPLATE})
_NAMED = frozenset({
    *_DATA, *_FUNCTIONS, *RECORDS, Decl.ENUM, Decl.ENUM_CONSTANT, Decl.TYPEDEF, Decl.ALIAS, Decl.CLASS_TEMPLATE,
    Decl.ALIAS_TEMPLATE,
})  # fmt: skip


def protected_members(type_: ClangType, inheritance: Inheritance, types: Types) -> tuple[Protected, ...]:
    """What a class itself protects, and what its protected bases have for others."""
    source = written_class(type_)
    access_of = library().clang_getCXXAccessSpecifier
    some = any(access_of(cursor) == PROTECTED for cursor in children(source))
    if not some:  # most have none
        return ()
    groups: dict[str, list[tuple[Cursor, int]]] = {}
    for cursor, access in _declared(source):
        groups.setdefault(cursor.spelling, []).append((cursor, access))
    found = {}
    for name, group in groups.items():
        accesses = {access for _, access in group}
        if PROTECTED in accesses and PUBLIC not in accesses:
            data = any(kind_of(cursor) in _DATA for cursor, _ in group)
            functions = [c for c, a in group if a == PROTECTED and kind_of(c) == Decl.METHOD]
            mixed = _PRIVATE in accesses
            found[name] = Protected(name, data, _described(functions, type_, types) if mixed else ())
    shared = inheritance.shared(type_)
    own = inheritance.declared(type_).union(n for n, f in shared.items() if f.access == PUBLIC)
    for base in inheritance.of(type_):
        if base.access == PROTECTED:
            inside = written_class(base.type)
            for cursor, access in _declared(inside):
                if access != _PRIVATE and cursor.spelling not in own:
                    name = cursor.spelling
                    found.setdefault(name, Protected(name, kind_of(cursor) in _DATA))
    return (*found.values(), *_constructors(type_, inheritance, types))


def _declared(source: Cursor) -> Iterator[tuple[Cursor, int]]:
    """The members of a class that have names, each with who may use it; enumerators are as their type."""
    for cursor in children(source):
        kind = kind_of(cursor)
        if kind not in _NAMED:
            continue
        access = cursor.access_specifier.value
        if cursor.spelling.isidentifier():
            yield cursor, access
        if kind == Decl.ENUM and not cursor.is_scoped_enum():
            yield from ((c, access) for c in children(cursor) if kind_of(c) == Decl.ENUM_CONSTANT)


def _described(cursors: list[Cursor], type_: ClangType, types: Types) -> tuple[Virtual, ...]:
    known = (described(cursor, type_, types) for cursor in cursors)
    return tuple(virtual for virtual in known if not virtual.barred)


def _constructors(type_: ClangType, inheritance: Inheritance, types: Types) -> Iterator[Protected]:
    """The protected constructors that make a first object."""
    made = [
        c
        for c in inheritance.constructors(type_)
        if kind_of(c) == Decl.CONSTRUCTOR and not (c.is_copy_constructor() or c.is_move_constructor())
    ]
    closed = [c for c in made if c.access_specifier.value == PROTECTED and not c.is_deleted_method()]
    if closed and (functions := _described(closed, type_, types)):
        yield Protected("", False, functions, all(c.access_specifier.value != PUBLIC for c in made))
