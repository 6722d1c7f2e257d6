"""Object-like macros that are constants, ``#define N 5``, and those that are expressions, ``#define errno (*f())``.

A macro is a declaration of a constant where the compiler accepts its text as the initialiser of one: numbers, strings,
casts, expressions, other macros. A macro that mentions variables and functions is one of an expression, where the
compiler knows its type; C evaluates it each time. A macro that is another name, ``#define hipDeviceProp_t
hipDeviceProp_tR0600``, ``#define PART ns::Part``, repeats what has that name: a function, a type, a variable, a
namespace, a template. One that names what is not bound, an instance of a function template, or a member says so.

One with parameters is left out, and says so when it is asked for. A text that is a type, ``#define U32 unsigned``, is
a second name of that. A text may stand where a value does and have none: ``undefined_thing``, ``{1, 2}``, ``5;``.
Such a macro says why when it is asked for, and so does one that divides an integer by zero.

Everything else is no declaration, and says why when it is asked for: macros without a text, whose text is a list, a
keyword, a statement, an attribute, an unfinished part of one, or a value that depends on the place of its use
(``__LINE__``). Left out quietly are guards, reserved names, and macros with the name of something else that the header
declares, as ``#define stdin stdin`` has. A macro counts where its last definition stands in an exposed file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from ...later import later_pattern
from ...model.signature import Location
from ..clang.kinds import FUNCTIONS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    descendants,
    divides_by_zero,
    is_function_like,
    kind_of,
    template_of,
    type_kind,
)
from ..clang.parse import ParsedUnit
from ..clang.places import file_of, offset_of
from ..exposed.exposure import Exposure, is_reserved, qualified_name
from ..functions.functions import location
from ..questions.questions import Questions
from .macro_texts import (
    NAME_ENDS,
    WORD,
    Safety,
    definitions,
    guard,
    is_name,
    is_type,
    qualified,
    written,
)

# What may stand around a function's name without changing which function it is.
_AROUND = frozenset({Decl.UNEXPOSED_EXPRESSION, Decl.PARENTHESES, Decl.REFERENCE_EXPRESSION})
# What clang says of a text that is no expression at all.
_SYNTAX = later_pattern(
    "expected|extraneous|unexpected|type name|invalid|unknown|cannot (combine|deduce|use)"
)
# Of a longer text an error shows the beginning.
_MOST = 100
_SEVERAL = later_pattern(r"\w \w")
_BY_ZERO = "it divides an integer by zero, which ends the program"
# A function has a name of its own, and what gives nothing is no value.
_NO_VALUES = FUNCTIONS | {Kind.VOID}


class Macros:
    """The macros of one unit that are constants or expressions, with what clang made of them.

    The first parse yields only names to ask about; iteration is empty until the next has answered.
    """

    def __init__(self, unit: ParsedUnit, exposure: Exposure, questions: Questions) -> None:
        self._unit = unit
        self._exposure = exposure
        self._questions = questions
        if questions.macros is None:
            questions.macros, questions.expressions, questions.type_macros = self._candidates()

    def __iter__(self) -> Iterator[tuple[Cursor, Cursor]]:
        """Definition and variable of each constant, in the order of the definitions."""
        for macro in self._live(self._questions.macros or ()):
            variable = self._questions.variable(macro.spelling)
            if variable is not None and not _is_function(variable):
                yield macro, variable

    def expressions(self) -> Iterator[tuple[Cursor, ClangType]]:
        """Definition and type of each macro whose value only the running program has."""
        for macro in self._live(self._questions.expressions):
            found = self._questions.expression(macro.spelling)
            if found is not None and self._questions.variable(macro.spelling) is None:
                type_ = found.underlying_typedef_type
                barred = divides_by_zero(found) or self._is_undone(macro)
                if type_kind(type_.get_canonical()) not in _NO_VALUES and not barred:
                    yield macro, type_

    def types(self) -> Iterator[tuple[Cursor, ClangType]]:
        """Definition of each macro whose text is a type, and that type."""
        for macro in self._live(self._questions.type_macros):
            found = self._questions.meaning(macro.spelling)
            if found is not None and not self._is_undone(macro):
                yield macro, found.underlying_typedef_type

    def refused(self) -> Iterator[tuple[Cursor, str]]:
        """Definition of each macro that reads like an expression and has no value, and why."""
        for macro in self._live(self._questions.expressions):
            found = self._questions.expression(macro.spelling)
            if found is not None and divides_by_zero(found) and not self._is_undone(macro):
                yield macro, _BY_ZERO
                continue
            words = self._questions.refusal(macro.spelling).partition(";")[0]
            if not words or _SYNTAX.match(words) or self._questions.variable(macro.spelling) is not None:
                continue
            *_, last = (token.spelling for token in macro.get_tokens())
            if last == ")" and not self._is_undone(macro):
                yield macro, f"as an expression, its text is refused: {words}"

    def without_values(self) -> Iterator[tuple[Cursor, str]]:
        """Definition of each other macro whose text has no value in C, and why."""
        for macro in self._live(self._questions.expressions):
            words = self._questions.refusal(macro.spelling).partition(";")[0]
            if words and not _SYNTAX.match(words) and not self._is_undone(macro):
                yield macro, f"as an expression, its text is refused: {words}"

    def others(self) -> Iterator[tuple[str, Location, str]]:
        """Name and last place of each macro that is no guard, and what keeps its text from being a value.

        Where no other macro is of interest the parser was not asked, and the text alone says it.
        """
        found: dict[str, tuple[str, bytes]] = {}
        for file in self._unit.included():
            if self._exposes(file):
                text = self._unit.text(file)
                own = guard(text)
                found |= {
                    name.decode(): (file, body)
                    for name, parameters, body in definitions(text)
                    if not parameters and name != own and not is_reserved(name.decode())
                }
        for name, (file, body) in found.items():
            if not self._unit.macros_asked:
                if place := self._written_at(name, file, NAME_ENDS):
                    yield name, place, self._no_value(name, " ".join(body.decode(errors="replace").split()))
                continue
            macro = self._named.get(name)
            if macro is not None and not is_function_like(macro) and not self._is_undone(macro):
                tokens = [token.spelling for token in macro.get_tokens()]
                yield name, location(macro), self._no_value(name, " ".join(tokens[1:]))

    def _no_value(self, name: str, text: str) -> str:
        if not text:
            return "it has no text"
        questions = self._questions
        words = (questions.refusal(name) or questions.no_constant(name)).partition(";")[0]
        if words and not _SYNTAX.match(words):
            return f"as an expression, its text is refused: {words}"
        shown = text if len(text) <= _MOST else f"{text[:_MOST]} ..."
        variable, expression = questions.variable(name), questions.expression(name)
        if variable is not None and _is_function(variable):
            return f"it is the address of a function, which has a name of its own: {shown}"
        if expression is not None:
            return f"its text gives no value: {shown}"
        return f"its text is no expression: {shown}"

    def _written_at(self, name: str, file: str, behind: bytes) -> Location | None:
        """Where a file's text defines a macro last; None where it takes that back."""
        text = self._unit.text(file)
        define = rb"^[ \t]*#[ \t]*define[ \t]+" + re.escape(name.encode()) + behind
        *_, last = [None, *re.finditer(define, text, re.MULTILINE)]
        if last is None or _is_taken_back(name, text[last.end() :]):
            return None
        return Location(file, text.count(b"\n", 0, last.start()) + 1)

    def functions(self) -> Iterator[tuple[Cursor, Cursor]]:
        """Definition of each macro whose text means a function, and that function."""
        for macro in self._live(self._questions.expressions):
            found = self._questions.expression(macro.spelling)
            meant = _meant(found) if found is not None else None
            if meant is not None and kind_of(meant) == Decl.FUNCTION and not self._is_undone(macro):
                yield macro, meant

    def members(self) -> Iterator[tuple[Cursor, list[str]]]:
        """Definition of each macro whose text is a member of a member, and these: ``st_mtim.tv_sec``."""
        for macro in self._live(self._questions.expressions):
            path = [token.spelling for token in macro.get_tokens()][1:]
            if (
                len(path) > 2
                and path[1::2] == ["."] * (len(path) // 2)
                and all(map(str.isidentifier, path[::2]))
            ):
                yield macro, path[::2]

    def with_parameters(self) -> Iterator[tuple[str, Location]]:
        """Name and last place of each macro that takes parameters, which the preprocessor knows no types for.

        Where no other macro is of interest the parser was not asked, and the text alone says it.
        """
        named = {
            name.decode(): file
            for file in self._unit.included() if self._exposes(file)
            for name, parenthesis, _ in definitions(self._unit.text(file)) if parenthesis
        }  # fmt: skip
        wanted = {name: file for name, file in named.items() if not is_reserved(name)}
        if not self._unit.macros_asked:
            for name, file in wanted.items():
                if place := self._written_at(name, file, rb"\("):
                    yield name, place
            return
        for name, macro in self._named.items():
            if name in wanted and is_function_like(macro) and not self._is_undone(macro):
                yield name, location(macro)

    def _live(self, names: Iterable[str]) -> Iterator[Cursor]:
        """The last definition of each of some macros, where that stands in an exposed file."""
        asked = set(names)
        found = {name: macro for name, macro in self._named.items() if name in asked}
        for name, macro in found.items():
            file = file_of(macro)
            exposed = file is not None and (self._exposure.named(name) or self._exposure.files.exposes(file))
            if exposed and not is_function_like(macro):
                yield macro

    @cached_property
    def _named(self) -> dict[str, Cursor]:
        """The last definition of each macro."""
        return {macro.spelling: macro for macro in self._unit.macros}

    def renames(self) -> tuple[tuple[str, str], ...]:
        """Each macro whose text is one name, and that name; whether anything has it is not asked here."""
        return self._renames

    @cached_property
    def _renames(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._find_renames())

    def _find_renames(self) -> Iterator[tuple[str, str]]:
        asked = {*(self._questions.macros or ()), *self._questions.type_macros}
        words: dict[str, str] = {}
        for macro in self._unit.macros:
            if (name := macro.spelling) not in asked:
                continue
            tokens = [token.spelling for token in macro.get_tokens()]
            words.pop(name, None)
            if len(tokens) > 2 and (found := self._function(name) or self._scoped(name, tokens[1:])):
                words[name] = found
            if len(tokens) == 2 and WORD.fullmatch(tokens[1].encode()) and not self._is_undone(macro):
                words[name] = tokens[1]
        for name, target in words.items():
            seen = {name}
            while (scope := target.partition("::"))[0] in words and scope[0] not in seen:
                seen.add(scope[0])
                target = words[scope[0]] + "".join(scope[1:])
            if target not in seen:
                yield name, target

    def _scoped(self, macro: str, tokens: list[str]) -> str:
        """The name with ``::`` that a macro's text is, and no value: a type, a namespace, a template, overloads."""
        name = qualified(" ".join(tokens).encode())
        if not name or self._questions.variable(macro) or self._questions.expression(macro):
            return ""
        found = self._questions.meaning(macro)
        declared = found.underlying_typedef_type.get_declaration() if found is not None else None
        return name if declared is None else qualified_name(declared)

    def unresolved(self) -> Iterator[tuple[Cursor, str, Cursor | None]]:
        """Definition of each macro whose text reads like a name, that text, and the type that it is, if it is one."""
        for macro in self._live(self._questions.type_macros):
            text = written(token.spelling for token in [*macro.get_tokens()][1:])
            said = is_type(text.encode()) or (is_name(text.encode()) and not is_reserved(text))
            if said and not self._is_undone(macro):
                found = self._questions.meaning(macro.spelling)
                if found is not None:
                    yield macro, text, found.underlying_typedef_type.get_declaration()
                elif not _SEVERAL.search(text):  # other words are an unfinished part of a declaration
                    yield macro, text, None

    def _function(self, macro: str) -> str:
        """The function that a macro's text means, where other macros make its name: ``__MPN(add_n)``."""
        meant = _meant(self._questions.variable(macro))
        plain = meant is not None and kind_of(meant) == Decl.FUNCTION and template_of(meant) is None
        return qualified_name(meant) if meant is not None and plain else ""

    def _is_undone(self, macro: Cursor) -> bool:
        """Whether its file takes a definition back; clang does not record that."""
        return _is_taken_back(macro.spelling, self._unit.text(file_of(macro) or "")[offset_of(macro) :])

    def _candidates(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The names of the exposed macros whose text can be put into a declaration of its own.

        First those that may be constants, then those that may be expressions of variables and functions, then types;
        a name may be any of them.
        """
        texts: dict[bytes, list[bytes]] = defaultdict(list)
        for file in self._unit.included():
            exposed = self._exposes(file)
            if not exposed and (file == self._unit.request.main or not self._exposure.names_macros):
                continue
            text = self._unit.text(file)
            written = [*definitions(text)]
            wanted = [
                (n, body) for n, p, body in written if self._wants(n.decode(), exposed) and body and not p
            ]
            plain = {name for name, _, body in written if body in (b"", b"1")}  # as guards are
            own = guard(text) if any(name in plain for name, _ in wanted) else None
            for name, body in wanted:
                if name != own:
                    texts[name].append(body)
        safety = Safety(self._unit, texts)
        types = {name for name, bodies in texts.items() if all(map(is_type, bodies))}
        constants = tuple(name.decode() for name in texts if name not in types and safety(name))
        expressions = tuple(name.decode() for name in texts if name not in types and safety.expression(name))
        meanings = tuple(name.decode() for name in texts if name in types or safety.name(name))
        return constants, expressions, meanings

    def _wants(self, name: str, exposed: bool) -> bool:
        """Whether a macro of a file that is exposed, or not, is one to ask about."""
        return self._exposure.named(name) or (exposed and not is_reserved(name))

    def _exposes(self, file: str) -> bool:
        return file != self._unit.request.main and self._exposure.files.exposes(file)


def _meant(inner: Cursor | None) -> Cursor | None:
    """What an expression is the name of, whatever parentheses stand around it; None of others."""
    while inner is not None and kind_of(inner) != Decl.REFERENCE_EXPRESSION:
        parts = [c for c in inner.get_children() if kind_of(c) in _AROUND]
        inner = parts[0] if len(parts) == 1 else None
    return inner.referenced if inner is not None else None


def _is_function(variable: Cursor) -> bool:
    """Whether a macro means a function; an address that is cast to one, ``((void (*)(void *))-1)``, is a constant."""
    type_ = variable.type.get_canonical()
    if type_kind(type_) != Kind.POINTER or type_kind(type_.get_pointee()) not in FUNCTIONS:
        return False
    return not any(kind_of(cursor) == Decl.C_CAST for cursor in descendants(variable))


def _is_taken_back(name: str, after: bytes) -> bool:
    undef = rb"^[ \t]*#[ \t]*undef[ \t]+" + re.escape(name.encode()) + NAME_ENDS
    return re.search(undef, after, re.MULTILINE) is not None
