"""Which declarations a parse error touches: clang repairs them silently (an unknown type becomes int)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict

from .kinds import ARRAYS, FUNCTIONS, Decl, Kind
from .libclang import ClangType, Cursor, argument_types, element_type, is_invalid, kind_of, type_kind
from .parse import ParsedUnit, Problem
from .places import extent_of

_END = re.compile(rb"[;{}]")
_INDIRECT = frozenset({Kind.POINTER, Kind.LVALUE_REF, Kind.RVALUE_REF, Kind.MEMBER_POINTER})


class Troubles:
    """The errors of a unit, and the declarations and types that they reach."""

    def __init__(self, unit: ParsedUnit) -> None:
        self._unit = unit
        self._by_file = _sorted(unit.problems)
        # What only some arguments of a template make an error of breaks the classes of those arguments alone.
        self._instantiated = _sorted(unit.elsewhere)
        self._types: dict[str, str | None] = {}
        self.explained: set[Problem] = set()

    def __bool__(self) -> bool:
        return bool(self._by_file or self._instantiated)

    def declaration(self, cursor: Cursor) -> str | None:
        """Clang's message if an error lies inside the declaration or broke it, else None."""
        if not self:
            return None
        inside = self._inside(cursor, self._by_file)
        if inside:
            self.explained.update(inside)
            return inside[0].message
        return self._resting(cursor)

    def _resting(self, cursor: Cursor) -> str | None:
        if not is_invalid(cursor):
            return None
        inside = self._inside(cursor, self._instantiated)
        return inside[0].message if inside else "it rests on a declaration that has an error"

    def type(self, type_: ClangType) -> str | None:
        """Why a type cannot be trusted: some declaration on the way to its meaning is broken."""
        if not self:
            return None
        key = _key(type_)
        if key not in self._types:
            self._types[key] = self._walk(type_, set())
        return self._types[key]

    def _inside(self, cursor: Cursor, by_file: dict[str, list[Problem]]) -> list[Problem]:
        file, start, end = extent_of(cursor)
        if file is None:
            return []
        problems = by_file.get(file, [])
        if not problems:
            return []
        # A broken initialiser is not part of the extent: look as far as the declaration goes in the text.
        rest = _END.search(self._unit.text(file), end)
        end = rest.start() if rest else end
        offsets = [p.offset for p in problems]
        return problems[bisect_left(offsets, start) : bisect_right(offsets, end)]

    def _walk(self, type_: ClangType, seen: set[str]) -> str | None:
        kind = type_kind(type_)
        key = _key(type_)
        if key in seen or kind == Kind.INVALID:
            return None
        seen.add(key)
        declaration = type_.get_declaration()
        if kind_of(declaration) not in (Decl.UNEXPOSED, 70):  # 70: no declaration
            message = self._broken(declaration)
            if message is not None:
                return f"it uses {declaration.spelling}, which clang could not read: {message}"
        for part in _parts(type_, kind, declaration):
            found = self._walk(part, seen)
            if found is not None:
                return found
        return None

    def _broken(self, declaration: Cursor) -> str | None:
        inside = self._inside(declaration, self._by_file)
        return inside[0].message if inside else self._resting(declaration)


def _sorted(problems: tuple[Problem, ...]) -> dict[str, list[Problem]]:
    by_file: dict[str, list[Problem]] = defaultdict(list)
    for problem in sorted(problems, key=lambda p: p.offset):
        by_file[problem.file].append(problem)
    return by_file


def _key(type_: ClangType) -> str:
    return f"{type_kind(type_)} {type_.spelling}"


def _parts(type_: ClangType, kind: int, declaration: Cursor) -> list[ClangType]:
    """The types that a type is made of, one step down its spelling."""
    parts: list[ClangType] = []
    if kind == Kind.TYPEDEF:
        parts.append(declaration.underlying_typedef_type)
    elif kind == Kind.ELABORATED:
        parts.append(type_.get_named_type())
    elif kind in _INDIRECT:
        parts.append(type_.get_pointee())
    elif kind in ARRAYS or kind in (Kind.VECTOR, Kind.EXT_VECTOR, Kind.COMPLEX):
        parts.append(element_type(type_))
    elif kind in FUNCTIONS:
        parts.append(type_.get_result())
        if kind == Kind.FUNCTION:
            parts += argument_types(type_)
    elif kind == Kind.RECORD:
        parts += [field.type for field in type_.get_fields()]
    for number in range(max(type_.get_num_template_arguments(), 0)):
        parts.append(type_.get_template_argument_type(number))
    return parts
