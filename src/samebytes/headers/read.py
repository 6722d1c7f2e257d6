"""From a header or a source to a Module: parse, ask, read every exposed declaration, count."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import BindError
from ..signature import Signature
from ..types import Struct
from .constants import constant
from .cxxtypes import CannotCross, Types, plain_name
from .exposure import Declared, Exposure
from .functions import location, read_function
from .libclang import RECORDS, Cursor, Decl, kind_of
from .model import Alias, Constant, Module, Skipped
from .parse import C_SUFFIXES, UNDECIDED_SUFFIXES, Problem, Request, Unit, find_header, parse
from .questions import Questions
from .records import Records
from .troubles import Troubles

_ROUNDS = 6  # each round completes one more level of templates inside templates
_LANGUAGES = {"c": "c", "c++": "c++", "cxx": "c++", "cpp": "c++"}
_SOURCE_NAME = "source"

# Declarations that are skipped as such: what they are, and why.
_UNBOUND: dict[int, tuple[str, str]] = {
    Decl.FUNCTION_TEMPLATE: ("function template", "a function template needs an instantiation"),
    Decl.CLASS_TEMPLATE: ("class template", "a class template needs an instantiation"),
    Decl.ALIAS_TEMPLATE: ("alias template", "an alias template needs an instantiation"),
    Decl.UNEXPOSED: ("variable template", "a variable template needs an instantiation"),
    Decl.CONCEPT: ("concept", "a concept exists only while C++ compiles"),
}
_WORDS: dict[int, str] = {
    Decl.FUNCTION: "function",
    Decl.STRUCT: "struct",
    Decl.CLASS: "class",
    Decl.UNION: "union",
    Decl.ENUM: "enum",
    Decl.VARIABLE: "constant",
    Decl.TYPEDEF: "typedef",
    Decl.ALIAS: "typedef",
}


def read(
    main: Path | None,
    *,
    source: str | None = None,
    language: str | None = None,
    flags: tuple[str, ...] = (),
    include_dirs: Iterable[str | os.PathLike[str]] = (),
    system_includes: tuple[str, ...] = (),
    expose: tuple[str, ...] = (),
) -> Module:
    """Read every declaration that a header or a source exposes.

    Parameters
    ----------
    main : Path or None
        The header or source; a bare name such as ``math.h`` is searched as the compiler would.
        With ``source``, the name that locations show.
    source : str or None
        The text, where it is not on disk.
    language : str or None
        ``"c"`` or ``"c++"``; None decides by suffix, place and content.
    flags : tuple of str
        The flags that the compiler will get.
    include_dirs : iterable of path
        Directories for ``#include``.
    system_includes : tuple of str
        The compiler's own include directories, in its order.
    expose : tuple of str
        Glob patterns of files or of qualified names that are exposed besides the header's own.

    Raises
    ------
    BindError
        If the header or an ``#include`` is not found, or an error leaves nothing to bind.
    """
    if main is None and source is None:
        raise BindError("neither a header nor a source was given")
    directories = tuple(os.fspath(d) for d in include_dirs)
    if source is None:
        assert main is not None
        path = find_header(main, directories, flags, system_includes)
    else:
        path = os.path.abspath(main if main is not None else _SOURCE_NAME)
    first, *others = _languages(path, source, language, system_includes)
    request = Request(path, source, first, flags, directories, system_includes)
    return _best(request, others, expose)


def _languages(path: str, source: str | None, language: str | None, system: tuple[str, ...]) -> list[str]:
    """The languages to try, the likeliest first."""
    if language is not None:
        if language.lower() not in _LANGUAGES:
            raise BindError(f"unknown language {language!r}; known: c, c++")
        return [_LANGUAGES[language.lower()]]
    suffix = os.path.splitext(path)[1]
    if suffix in C_SUFFIXES:
        return ["c"]
    if source is not None or suffix not in UNDECIDED_SUFFIXES:
        return ["c++"]
    homes = [d for d in system if os.path.realpath(path).startswith(os.path.realpath(d).rstrip("/") + "/")]
    return ["c", "c++"] if homes and "/c++/" not in max(homes, key=len) else ["c++", "c"]


def _best(request: Request, others: list[str], expose: tuple[str, ...]) -> Module:
    """The module in the first language that reads the header without an error, else in the first of all."""
    failure: BindError | None = None
    partial: tuple[Unit, Module] | None = None
    for language in [request.language, *others]:
        attempt = Request(
            request.path, request.text, language, request.flags, request.include_dirs, request.system_includes
        )
        try:
            unit, module = _read(attempt, expose)
        except BindError as error:
            failure = failure or error
            continue
        if not unit.problems:
            return module
        partial = partial or (unit, module)
    if partial is None:
        assert failure is not None
        raise failure
    unit, module = partial
    if not (module.functions or module.records or module.enums or module.constants or module.aliases):
        listed = "\n".join(f"  {problem}" for problem in unit.problems[:10])
        raise BindError(f"nothing in {request.path} could be read:\n{listed}")
    return module


def _read(request: Request, expose: tuple[str, ...]) -> tuple[Unit, Module]:
    questions = Questions()
    for _ in range(_ROUNDS):
        unit = parse(request, questions.lines())
        questions.answer(unit)
        module = _Reading(unit, questions, expose).module()
        if not questions.pending:
            break
    return unit, module


class _Reading:
    """One pass over one parsed unit."""

    def __init__(self, unit: Unit, questions: Questions, expose: tuple[str, ...]) -> None:
        self._unit = unit
        self._troubles = Troubles(unit)
        self._types = Types(unit, self._troubles)
        self._records = Records(self._types, questions)
        self._exposure = Exposure(unit, expose)
        self._functions: list[Signature] = []
        self._constants: list[Constant] = []
        self._aliases: list[Alias] = []
        self._skipped: list[Skipped] = []
        self._exposed = 0
        self._readers: dict[int, Callable[[list[Declared]], None]] = {
            Decl.FUNCTION: self._function,
            Decl.STRUCT: self._record,
            Decl.CLASS: self._record,
            Decl.UNION: self._record,
            Decl.ENUM: self._enum,
            Decl.VARIABLE: self._variable,
            Decl.TYPEDEF: self._typedef,
            Decl.ALIAS: self._typedef,
        }

    def module(self) -> Module:
        """Everything exposed, bound or skipped."""
        groups = self._groups()
        own: set[str] = set()
        for group in groups:
            self._exposed += self._count(group)
            before = len(self._skipped)
            self._one(group)
            if (
                group[0].kind in (*RECORDS, Decl.ENUM)
                and _is_named(group[0].cursor)
                and len(self._skipped) == before
            ):
                own.add(plain_name(self._types.spelling(group[0].cursor.type)))
        self._mentioned()
        self._loose_errors()
        records, enums = tuple(self._records.structs.values()), tuple(self._records.enums.values())
        # Records and enums of other files count as exposed by being used.
        self._exposed += sum(record.name not in own for record in records)
        self._exposed += sum(enum.name not in own for enum in enums)
        return Module(
            self._unit.request.language,
            tuple(self._functions),
            records,
            enums,
            tuple(self._constants),
            tuple(self._aliases),
            tuple(self._skipped),
            self._exposed,
            self._unit.included(),
        )

    def _groups(self) -> list[list[Declared]]:
        """Declarations of one entity together, entities in the order of the source."""
        groups: dict[tuple[int, str], list[Declared]] = {}
        for declared in self._exposure:
            if not _is_redundant(declared):
                canonical = declared.cursor.canonical
                groups.setdefault((canonical.hash, declared.qualified), []).append(declared)
        return [group for group in groups.values() if not _is_defined_elsewhere(group)]

    def _count(self, group: list[Declared]) -> int:
        """Declarations in a group: each enumerator of an enum without a name is a constant of its own."""
        if group[0].kind == Decl.ENUM and not _is_named(group[0].cursor):
            return len(_enumerators(group[0].cursor))
        return 1

    def _one(self, group: list[Declared]) -> None:
        kind = group[0].kind
        try:
            if kind in _UNBOUND:
                message = self._troubles.declaration(group[0].cursor)
                raise CannotCross(f"clang could not read it: {message}" if message else _UNBOUND[kind][1])
            self._readers[kind](group)
        except CannotCross as reason:
            if kind == Decl.ENUM and not _is_named(group[0].cursor):
                for item in _enumerators(group[0].cursor):
                    self._skip(Declared(Decl.VARIABLE, item, group[0].scope), str(reason))
            else:
                self._skip(group[0], str(reason))

    def _skip(self, declared: Declared, reason: str) -> None:
        kind = _UNBOUND[declared.kind][0] if declared.kind in _UNBOUND else _WORDS[declared.kind]
        name = declared.qualified
        if declared.kind == Decl.FUNCTION:
            name = "::".join([*declared.scope, declared.cursor.displayname])
        self._skipped.append(Skipped(name, kind, reason, location(declared.cursor)))

    def _readable(self, cursor: Cursor) -> None:
        message = self._troubles.declaration(cursor)
        if message is not None:
            raise CannotCross(f"clang could not read it: {message}")

    def _function(self, group: list[Declared]) -> None:
        self._functions.append(read_function(group, self._types))

    def _record(self, group: list[Declared]) -> None:
        for declared in group:
            self._readable(declared.cursor)
        type_ = self._types.value(group[0].cursor.type)
        if not isinstance(type_, Struct):
            raise CannotCross(f"Python knows it as {type_}")

    def _enum(self, group: list[Declared]) -> None:
        cursor = group[-1].cursor
        self._readable(cursor)
        if _is_named(cursor):
            self._types.value(cursor.type)
            return
        spelling = self._types.spelling(cursor.enum_type)
        for item in _enumerators(cursor):
            qualified = "::".join([*group[0].scope, item.spelling])
            value = int(item.enum_value)
            self._constants.append(Constant(item.spelling, qualified, value, spelling, location(item)))

    def _variable(self, group: list[Declared]) -> None:
        for declared in group:
            self._readable(declared.cursor)
        cursor = group[-1].cursor
        value = constant(cursor, self._types)
        spelling = self._types.spelling(cursor.type)
        self._constants.append(
            Constant(cursor.spelling, group[0].qualified, value, spelling, location(cursor))
        )

    def _typedef(self, group: list[Declared]) -> None:
        cursor = group[0].cursor
        self._readable(cursor)
        type_ = self._types.value(cursor.underlying_typedef_type)
        self._aliases.append(Alias(cursor.spelling, group[0].qualified, str(type_), location(cursor), type_))

    def _mentioned(self) -> None:
        """Bind the records that signatures point to; they stay mere names where they cannot be bound."""
        for name, type_ in list(self._records.mentioned.items()):
            if name.startswith(("std::", "_")) or "::_" in name:
                continue
            try:
                self._types.value(type_)
            except CannotCross:
                continue

    def _loose_errors(self) -> None:
        """Errors in exposed files that lie in no declaration that was seen: the code there was lost."""
        for problem in self._unit.problems:
            if self._exposure.file(problem.file) and problem not in self._troubles.explained:
                self._exposed += 1
                reason = f"clang could not read it: {problem.message}"
                self._skipped.append(Skipped(self._line(problem), "declaration", reason, problem.location))

    def _line(self, problem: Problem) -> str:
        lines = self._unit.text(problem.file).decode("utf-8", "replace").splitlines()
        return lines[problem.line - 1].strip() if problem.line <= len(lines) else ""


def _enumerators(cursor: Cursor) -> list[Cursor]:
    return [child for child in cursor.get_children() if kind_of(child) == Decl.ENUM_CONSTANT]


def _is_named(cursor: Cursor) -> bool:
    return bool(cursor.spelling) and "(" not in cursor.spelling


def _is_redundant(declared: Declared) -> bool:
    """Whether a declaration adds no name: ``typedef struct {…} T``'s T, a record without a name."""
    if declared.kind in (*RECORDS, Decl.UNION):
        return not _is_named(declared.cursor)
    if declared.kind in (Decl.TYPEDEF, Decl.ALIAS):
        target = declared.cursor.underlying_typedef_type.get_canonical().get_declaration()
        parent, home = declared.cursor.semantic_parent, target.semantic_parent
        return bool(home is not None and home == parent and target.spelling == declared.cursor.spelling)
    name: str = declared.cursor.spelling
    return name.startswith("<deduction guide")


def _is_defined_elsewhere(group: list[Declared]) -> bool:
    """Whether these are forward declarations of a record whose definition other files hold."""
    if group[0].kind not in (*RECORDS, Decl.UNION, Decl.ENUM):
        return False
    return not any(d.cursor.is_definition() for d in group) and group[0].cursor.get_definition() is not None
