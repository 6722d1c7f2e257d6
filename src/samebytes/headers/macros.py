"""Object-like macros that are constants: ``#define N 5``.

A macro is a declaration of a constant where the compiler accepts its text as the initialiser of one: numbers, strings,
casts, expressions, other macros. A number or a string is bound, any other constant is skipped with its reason.
A macro that is another name, ``#define hipDeviceProp_t hipDeviceProp_tR0600``, repeats what has that name: a function,
a type, a variable.

Everything else is no declaration and is left out quietly: macros with parameters; without a text, as include guards
are, and guards whose text is 1; whose name is reserved; whose text is a type, a keyword, a statement, an attribute, an
unfinished part of one, or not known before the program runs; whose value depends on the place of
its use (``__LINE__``); and those with the name of something else that the header declares, as
``#define stdin stdin`` has. A macro counts where its last definition stands in an exposed file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from .exposure import Exposure, is_reserved
from .kinds import FUNCTIONS, Decl, Kind
from .libclang import Cursor, descendants, is_function_like, kind_of, type_kind
from .parse import Unit
from .questions import Questions

_TEXT = rb"""(?:\\\r?\n|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[^\n])*"""
_DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\(?)(" + _TEXT + rb")", re.MULTILINE | re.DOTALL
)
_GUARD = re.compile(rb"#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1(?:[ \t]+1)?[ \t]*\r?$", re.MULTILINE)
_DIRECTIVE = re.compile(rb"^[ \t]*#", re.MULTILINE)
_STRING_OR_NOTHING = re.compile(
    rb"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\\\r?\n|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_TOKEN = re.compile(
    rb"""(?:\b(?:u8|[uUL])?R?)?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[\d.][\w.']*|\S"""
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
# What may stand around a function's name without changing which function it is.
_AROUND = frozenset({Decl.UNEXPOSED_EXPRESSION, Decl.PARENTHESES, Decl.REFERENCE_EXPRESSION})
# These act where they stand, or mean the place where they stand.
_BARRED = frozenset(
    {b"_Pragma", b"__pragma", b"asm", b"__asm", b"__asm__", b"__LINE__", b"__FILE__", b"__FILE_NAME__", b"__DATE__",
     b"__BASE_FILE__", b"__TIME__", b"__TIMESTAMP__", b"__COUNTER__", b"__INCLUDE_LEVEL__", b"__func__",
     b"__FUNCTION__", b"__PRETTY_FUNCTION__"}
)  # fmt: skip


class Macros:
    """The macros of one unit that are constants, with the variables that clang initialised with them.

    The first parse yields only names to ask about; iteration is empty until the next has answered.
    """

    def __init__(self, unit: Unit, exposure: Exposure, questions: Questions) -> None:
        self._unit = unit
        self._exposure = exposure
        self._questions = questions
        if questions.macros is None:
            questions.macros = tuple(self._candidates())

    def __iter__(self) -> Iterator[tuple[Cursor, Cursor]]:
        """Definition and variable of each constant, in the order of the definitions."""
        asked = set(self._questions.macros or ())
        live = {macro.spelling: macro for macro in self._unit.macros if macro.spelling in asked}
        for name, macro in live.items():
            variable = self._questions.variable(name)
            if variable is None or is_function_like(macro) or _is_function(variable):
                continue
            file = macro.location.file
            if file is not None and (self._exposure.files.exposes(file.name) or self._exposure.named(name)):
                yield macro, variable

    def renames(self) -> Iterator[tuple[str, str]]:
        """Each macro whose text is one name, and that name; whether anything has it is not asked here."""
        asked = set(self._questions.macros or ())
        words: dict[str, str] = {}
        for macro in self._unit.macros:
            tokens = [token.spelling for token in macro.get_tokens()] if macro.spelling in asked else []
            words.pop(macro.spelling, None)
            if len(tokens) > 2 and (found := self._function(macro.spelling)):
                words[macro.spelling] = found
            if len(tokens) == 2 and _WORD.fullmatch(tokens[1].encode()) and not self._is_undone(macro):
                words[macro.spelling] = tokens[1]
        for name, target in words.items():
            seen = {name}
            while target in words and target not in seen:
                seen.add(target)
                target = words[target]
            if target not in seen:
                yield name, target

    def _function(self, macro: str) -> str:
        """The function that a macro's text means, where other macros make its name: ``__MPN(add_n)``."""
        inner: Cursor | None = self._questions.variable(macro)
        while inner is not None and kind_of(inner) != Decl.REFERENCE_EXPRESSION:
            children = [c for c in inner.get_children() if kind_of(c) in _AROUND]
            inner = children[0] if len(children) == 1 else None
        meant = inner.referenced if inner is not None else None
        return meant.spelling if meant is not None and kind_of(meant) == Decl.FUNCTION else ""

    def _is_undone(self, macro: Cursor) -> bool:
        """Whether its file takes a definition back; clang does not record that."""
        name = re.escape(macro.spelling.encode())
        after = self._unit.text(macro.location.file.name)[macro.location.offset :]
        return re.search(rb"^[ \t]*#[ \t]*undef[ \t]+" + name + rb"\b", after, re.MULTILINE) is not None

    def _candidates(self) -> list[str]:
        """The names of the macros in exposed files whose text can be put into a declaration of its own."""
        files = [file for file in self._unit.included() if self._exposes(file)]
        texts: dict[bytes, list[bytes]] = defaultdict(list)
        for file in files:
            text = self._unit.text(file)
            guard = _guard(text)
            for name, parenthesis, body in _definitions(text):
                wanted = not is_reserved(name.decode()) or self._exposure.named(name.decode())
                if wanted and name != guard and not parenthesis and body:
                    texts[name].append(body)
        safety = _Safety(self._unit, texts)
        return [name.decode() for name in texts if safety(name)]

    def _exposes(self, file: str) -> bool:
        return file != self._unit.request.main and self._exposure.files.exposes(file)


class _Safety:
    """Whether a macro's text stays inside the declaration that it is put into, in all its definitions.

    Brackets must match and neither a comma nor a semicolon may stand outside them, in the text itself and in every
    macro that it mentions: otherwise it could swallow or declare what follows.
    """

    def __init__(self, unit: Unit, texts: dict[bytes, list[bytes]]) -> None:
        self._unit = unit
        self._texts = texts
        self._all: dict[bytes, list[bytes]] | None = None
        self._safe: set[bytes] = set()
        self._mentioned: dict[bytes, set[bytes] | None] = {}

    def __call__(self, name: bytes) -> bool:
        seen, open_ = {name}, [name]
        while open_:  # not by recursion: macros that count name one another by the thousand
            words = self._words(open_.pop())
            if words is None:
                return False
            new = words - seen - self._safe
            seen |= new
            open_ += new
        self._safe |= seen
        return True

    def _words(self, name: bytes) -> set[bytes] | None:
        """What a macro's own texts mention; None where one of them is not safe."""
        if name not in self._mentioned:
            texts = [_TOKEN.findall(body) for body in self._bodies(name)]
            words = {token for tokens in texts for token in tokens if _WORD.fullmatch(token)}
            safe = all(map(_is_closed, texts)) and not words & _BARRED
            self._mentioned[name] = words if safe else None
        return self._mentioned[name]

    def _bodies(self, name: bytes) -> list[bytes]:
        if name in self._texts:
            return self._texts[name]
        if self._all is None:
            self._all = defaultdict(list)
            for file in self._unit.included():
                for other, _, body in _definitions(self._unit.text(file)):
                    self._all[other].append(body)
        return self._all.get(name, [])


def _definitions(text: bytes) -> Iterator[tuple[bytes, bool, bytes]]:
    """Name, whether it has parameters, and text without comments, of each definition that is written."""
    for name, parenthesis, rest in _DEFINE.findall(text):
        body = _plain(rest)
        yield name, bool(parenthesis), (body.partition(b")")[2] if parenthesis else body).strip()


def _plain(text: bytes) -> bytes:
    """A text without comments and continued lines."""
    return _STRING_OR_NOTHING.sub(lambda found: found[1] or b" ", text)


def _guard(text: bytes) -> bytes | None:
    """The name of the include guard with which a file begins."""
    first = _DIRECTIVE.search(_plain(text[:20_000]))
    if first is None:
        return None
    found = _GUARD.match(first.string, first.end() - 1)
    return found[1] if found else None


def _is_closed(tokens: list[bytes]) -> bool:
    open_: list[bytes] = []
    for token in tokens:
        if token in (b"(", b"[", b"{"):
            open_.append(token)
        elif token in _CLOSING:
            if not open_ or open_.pop() != _CLOSING[token]:
                return False
        elif token in (b",", b";") and not open_:
            return False
    return not open_


def _is_function(variable: Cursor) -> bool:
    """Whether a macro means a function; an address that is cast to one, ``((void (*)(void *))-1)``, is a constant."""
    type_ = variable.type.get_canonical()
    if type_kind(type_) != Kind.POINTER or type_kind(type_.get_pointee()) not in FUNCTIONS:
        return False
    return not any(kind_of(cursor) == Decl.C_CAST for cursor in descendants(variable))
