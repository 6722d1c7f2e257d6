"""What a header makes public, as clang says it: a walk of its own, which shares nothing with samebytes's reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clang.cindex import AccessSpecifier, Cursor, CursorKind, Index, conf

_RECORDS = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL)
_TEMPLATES = (CursorKind.CLASS_TEMPLATE, CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
_ALIASES = (CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL)
_CALLED = (
    CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
)  # fmt: skip
_NAMED = (
    *_CALLED,
    *_ALIASES,
    *_TEMPLATES,
    CursorKind.VAR_DECL,
    CursorKind.FIELD_DECL,
    CursorKind.CONCEPT_DECL,
)
_REPEATS = (CursorKind.USING_DECLARATION, CursorKind.NAMESPACE_ALIAS)
_UNNAMED = re.compile(r"\(|^$")


@dataclass(frozen=True)
class Name:
    """One public name.

    Attributes
    ----------
    qualified : str
    kind : str
    places : frozenset of (str, int, int)
        Where its declarations are: file, line, column. Empty where the name says it all.
    """

    qualified: str
    kind: str
    places: frozenset[tuple[str, int, int]] = frozenset()


class Walk:
    """Every public name that the declarations in some files make.

    Parameters
    ----------
    header : str
    arguments : list of str
        Clang's.
    files : frozenset of str
        Whose declarations count, as real paths.
    """

    def __init__(self, header: str, arguments: list[str], files: frozenset[str]) -> None:
        self.unit = Index.create().parse(
            "walk.cpp", arguments, [("walk.cpp", f'#include "{header}"\n')], 0x40
        )
        self._files = files
        self._scopes: dict[str, Cursor] = {}  # the classes, by name

    def names(self) -> Iterator[Name]:
        """The names of namespaces, and those of their classes."""
        yield from self._inside(self.unit.cursor, ())

    def inherited(self) -> Iterator[tuple[str, str, str]]:
        """Class, base and name of each public member that a class has from a public base, and does not declare."""
        for name, cursor in self._scopes.items():
            yield from self._from_bases(name, cursor, {c.spelling for c in cursor.get_children()})

    def _counts(self, cursor: Cursor) -> bool:
        return cursor.location.file is not None and cursor.location.file.name in self._files

    def _inside(self, scope: Cursor, path: tuple[str, ...]) -> Iterator[Name]:
        for cursor in scope.get_children():
            kind = cursor.kind
            if kind == CursorKind.LINKAGE_SPEC or (kind == CursorKind.NAMESPACE and _is_inline(cursor)):
                yield from self._inside(cursor, path)
            elif kind == CursorKind.NAMESPACE:
                unnamed = _UNNAMED.search(cursor.spelling)
                yield from self._inside(cursor, path if unnamed else (*path, cursor.spelling))
            elif self._counts(cursor) and cursor.access_specifier in (
                AccessSpecifier.PUBLIC,
                AccessSpecifier.INVALID,
            ):
                yield from self._one(cursor, path)

    def _one(self, cursor: Cursor, path: tuple[str, ...]) -> Iterator[Name]:
        kind, qualified = cursor.kind, "::".join([*path, cursor.spelling])
        if cursor.semantic_parent != cursor.lexical_parent and kind != CursorKind.USING_DECLARATION:
            return  # defined outside its class, which declares it
        if kind in _RECORDS:
            yield from self._record(cursor, path)
        elif kind == CursorKind.ENUM_DECL:
            unnamed = _UNNAMED.search(cursor.spelling)
            if not unnamed:
                yield Name(qualified, "enum")
            for item in cursor.get_children():
                inner = [*path, *([cursor.spelling] if cursor.is_scoped_enum() else []), item.spelling]
                if item.kind == CursorKind.ENUM_CONSTANT_DECL:
                    yield Name("::".join(inner), "enumerator")
        elif cursor.spelling.startswith("<deduction guide"):
            return
        elif kind in _CALLED:
            yield Name(qualified, kind.name, frozenset(_places(cursor)))
        elif kind in (*_NAMED, *_REPEATS) and not _UNNAMED.search(cursor.spelling):
            yield Name(qualified, kind.name)

    def _record(self, cursor: Cursor, path: tuple[str, ...]) -> Iterator[Name]:
        if _UNNAMED.search(cursor.spelling):
            if conf.lib.clang_Cursor_isAnonymousRecordDecl(cursor):  # its members are the outer class's
                yield from self._inside(cursor, path)
            return
        if conf.lib.clang_getSpecializedCursorTemplate(cursor) is not None:
            return  # a specialization has no name of its own
        qualified = "::".join([*path, cursor.spelling])
        yield Name(qualified, "class")
        if cursor.is_definition():
            self._scopes[qualified] = cursor
            yield from self._inside(cursor, (*path, cursor.spelling))

    def _from_bases(self, name: str, cursor: Cursor, hidden: set[str]) -> Iterator[tuple[str, str, str]]:
        for specifier in cursor.get_children():
            if (
                specifier.kind != CursorKind.CXX_BASE_SPECIFIER
                or specifier.access_specifier != AccessSpecifier.PUBLIC
            ):
                continue
            base = specifier.type.get_canonical().get_declaration()
            pattern: Any = conf.lib.clang_getSpecializedCursorTemplate(base)
            source = (
                pattern if pattern is not None and "<" in specifier.type.get_canonical().spelling else base
            )
            members = [
                c for c in source.get_children() if c.kind in _NAMED and c.kind != CursorKind.CONSTRUCTOR
            ]
            members = [c for c in members if c.spelling != "operator="]  # each class has its own
            for member in members:
                public = member.access_specifier == AccessSpecifier.PUBLIC
                made = member.kind == CursorKind.FUNCTION_TEMPLATE and member.spelling.startswith(
                    base.spelling
                )
                if (
                    public
                    and not made
                    and member.spelling not in hidden
                    and not _UNNAMED.search(member.spelling)
                ):
                    yield name, specifier.type.get_canonical().spelling, member.spelling
            yield from self._from_bases(name, source, hidden | {c.spelling for c in members})


def _is_inline(namespace: Cursor) -> bool:
    return bool(conf.lib.clang_Cursor_isInlineNamespace(namespace))


def _places(cursor: Cursor) -> Iterator[tuple[str, int, int]]:
    for one in (cursor, cursor.canonical, cursor.get_definition()):
        if one is not None and (place := one.location).file is not None:
            yield place.file.name, place.line, place.column
