"""The texts of macros: which may be put into a declaration of our own, or into parentheses, without harm to others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ...frozen import frozen
from ...later import later_pattern
from ...toolchain.directives import directives
from ..clang.parse import ParsedUnit

_TEXT = rb"""(?:\\\r?\n|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[^\n])*"""
_NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
_DEFINE = later_pattern(rb"#[ \t]*define[ \t]+(" + _NAME + rb")(\(?)(" + _TEXT + rb")", re.DOTALL)
_GUARD = later_pattern(
    rb"#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1(?:[ \t]+1)?[ \t]*\r?$", re.MULTILINE
)
_DIRECTIVE = later_pattern(rb"^[ \t]*#", re.MULTILINE)
_STRING_OR_NOTHING = later_pattern(
    rb"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\\\r?\n|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_TOKEN = later_pattern(
    rb"""(?:\b(?:u8|[uUL])?R?)?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|""" + _NAME + rb"""|[\d.][\w.']*|\S"""
)
WORD = later_pattern(_NAME)
# Where a name ends: ``\\b`` knows ASCII alone.
NAME_ENDS = rb"(?![\w\x80-\xff])"
_POINTER_CAST = later_pattern(rb"\*\s*(?:const\b\s*)?[)>]")
# A text that names a type by more than one name: words of C's types, or a tag, and pointers to it.
_OF_TYPES = later_pattern(
    rb"(?:(?:const|volatile)\s+)*(?:(?:struct|union|enum)\s+[A-Za-z_]\w*|[A-Za-z_]\w*(?:\s*::\s*\w+)*(?=\s*(?:\*|const\b))"
    rb"|(?:(?:unsigned|signed|long|short|int|char|float|double|bool|_Bool|void(?=\s*\*))\b\s*)+)(?:\s*(?:\*|const\b))*\s*"
)
# A text that may be a type of C++'s, or any name: what the compiler makes of it is asked. Braces would declare one.
_NAME_OF = (
    rb"(?:::\s*)?[A-Za-z_]\w*(?:\s*<[^;{}]*>)?(?:\s*::\s*(?:template\s+)?[A-Za-z_]\w*(?:\s*<[^;{}]*>)?)*"
)
_ANY_NAME = later_pattern(
    rb"(?:[A-Za-z_]\w*\s+)*"
    rb"(?:(?:decltype|__typeof__|typeof)\s*\([^;{}]*\)|" + _NAME_OF + rb")"
    rb"(?:\s*(?:\*|&|const\b|volatile\b|\[\s*\w*\s*\]))*(?:\s*\(\s*[*&]?\s*\)\s*\([^;{}]*\))?\s*"
)
_QUALIFIED = later_pattern(rb"(?:::\s*)?([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)")
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
# These act where they stand, or mean the place where they stand.
_BARRED = frozenset(
    {b"_Pragma", b"__pragma", b"asm", b"__asm", b"__asm__", b"__LINE__", b"__FILE__", b"__FILE_NAME__", b"__DATE__",
     b"__BASE_FILE__", b"__TIME__", b"__TIMESTAMP__", b"__COUNTER__", b"__INCLUDE_LEVEL__", b"__func__",
     b"__FUNCTION__", b"__PRETTY_FUNCTION__"}
)  # fmt: skip


# Words that stand in no type and in no name; and those that stand there beside others alone.
_KEYWORDS = frozenset(
    b"alignas _Alignas auto break case catch consteval constexpr constinit continue default delete do else explicit "
    b"export extern false final for friend goto if inline mutable namespace new noexcept nullptr operator override "
    b"private protected public register requires return static switch this thread_local throw true try typedef using "
    b"virtual while __inline __inline__ __extension__ __attribute__ __declspec _Noreturn _Thread_local __thread".split()
)
_OF_NAMES = frozenset(
    b"class const enum restrict struct template typename union void volatile __const __restrict __restrict__ "
    b"__volatile__ _Atomic".split()
)
_WORDS_OF_C = frozenset(
    b"sizeof _Alignof alignof defined int long short char signed unsigned float double void const volatile struct "
    b"union enum bool _Bool true false nullptr static_cast reinterpret_cast const_cast __extension__ __typeof__ "
    b"size_t ssize_t ptrdiff_t wchar_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    b"uintptr_t intptr_t".split()
)


@frozen
class _Text:
    """What a macro's texts mention.

    Attributes
    ----------
    words : frozenset of bytes
    bare : frozenset of bytes
        Those outside all brackets.
    comma : bool
        Whether a comma stands there: then what it makes may be several things.
    """

    words: frozenset[bytes]
    bare: frozenset[bytes]
    comma: bool


class Safety:
    """Whether a macro's text stays inside the declaration that it is put into, in all its definitions.

    Brackets must match and neither a comma nor a semicolon may stand outside them, in the text itself and in every
    macro that it mentions: otherwise it could swallow or declare what follows. In an expression, which stands in
    parentheses, a comma may come from a macro that is mentioned inside brackets: ``(H5OPEN H5T_NATIVE_INT_g)``.
    """

    def __init__(self, unit: ParsedUnit, texts: dict[bytes, list[bytes]]) -> None:
        self._unit = unit
        self._texts = texts
        self._all: dict[bytes, list[re.Match[bytes]]] | None = None
        self._safe: set[bytes] = set()
        self._known: dict[bytes, _Text | None] = {}

    def __call__(self, name: bytes) -> bool:
        """Whether it may be put into any declaration."""
        seen, open_ = {name}, [name]
        while open_:  # not by recursion: macros that count name one another by the thousand
            text = self._text(open_.pop())
            if text is None or text.comma:
                return False
            new = text.words - seen - self._safe
            seen |= new
            open_ += new
        self._safe |= seen
        return True

    def expression(self, name: bytes) -> bool:
        """Whether it may be put into parentheses, and comes to mention what is neither a macro nor a word of C."""
        seen, open_, mentions = {name}, [name], False
        while open_:
            text = self._text(open_.pop())
            if text is None:
                return False
            new = text.words - seen - _WORDS_OF_C
            mentions = mentions or any(not self._bodies(word) for word in new)
            seen |= new
            open_ += new
        made = mentions or any(self._divides(word) or self._casts(word) for word in seen)
        return made and not self._is_list(name)

    def name(self, name: bytes) -> bool:
        """Whether its texts read like names, which are more than words of the language when macros are replaced."""
        if not all(map(is_name, self._bodies(name))):
            return False
        seen, open_ = {name}, [name]
        while open_:
            text = self._text(open_.pop())
            if text is None:
                return False
            open_ += text.words - seen
            seen |= text.words
        texts = {word: self._bodies(word) for word in seen}
        left = {word for word, bodies in texts.items() if not bodies}
        if not all(is_name(body) for bodies in texts.values() for body in bodies if body):
            return False
        return not _KEYWORDS & left and not left <= _OF_NAMES

    def _divides(self, name: bytes) -> bool:
        """Whether a macro's text divides: ``1.0 / 0.0`` is no constant of C++'s, and a value when the program runs."""
        return any(b"/" in body or (b"%" in body and b'"' not in body) for body in self._bodies(name))

    def _casts(self, name: bytes) -> bool:
        """Whether a macro's text casts to a pointer: ``((void *)-1)`` is no constant of C++'s, and a value in C."""
        return any(_POINTER_CAST.search(body) for body in self._bodies(name))

    def _is_list(self, name: bytes) -> bool:
        """Whether a comma may stand outside all brackets when every macro is replaced."""
        seen, open_ = {name}, [name]
        while open_:
            text = self._text(open_.pop())
            if text is None or text.comma:
                return True
            open_ += text.bare - seen
            seen |= text.bare
        return False

    def _text(self, name: bytes) -> _Text | None:
        """What a macro's own texts mention; None where one of them is not safe even in parentheses."""
        if name not in self._known:
            texts = [_read(_TOKEN.findall(body)) for body in self._bodies(name)]
            self._known[name] = _joined([text for text in texts if text is not None])
            if None in texts:
                self._known[name] = None
        return self._known[name]

    def _bodies(self, name: bytes) -> list[bytes]:
        if name in self._texts:
            return self._texts[name]
        if self._all is None:
            self._all = defaultdict(list)
            for file in self._unit.included():
                for found in directives(_DEFINE, self._unit.text(file)):
                    self._all[found[1]].append(found)
        return [_body(found) for found in self._all.get(name, ())]


def definitions(text: bytes) -> Iterator[tuple[bytes, bool, bytes]]:
    """Name, whether it has parameters, and text without comments, of each definition that is written."""
    for found in directives(_DEFINE, text):
        yield found[1], bool(found[2]), _body(found)


def is_type(text: bytes) -> bool:
    """Whether the text of a macro reads like a type, and is no name alone: that is a second name of what has it."""
    return _OF_TYPES.fullmatch(text) is not None


def is_name(text: bytes) -> bool:
    """Whether the text of a macro reads like a name, qualified or of an instance, or like a type made of one."""
    return _ANY_NAME.fullmatch(text) is not None and _KEYWORDS.isdisjoint(WORD.findall(text))


def qualified(text: bytes) -> str:
    """The name that a macro's text is, if it is one with ``::``; empty of others."""
    found = _QUALIFIED.fullmatch(text)
    return b"".join(found[1].split()).decode() if found and b"::" in text else ""


def written(tokens: Iterable[str]) -> str:
    """A name of C++'s as one writes it: spaces stand between words alone."""
    return re.sub(r"(?<!\w) | (?!\w)", "", " ".join(tokens)).replace(",", ", ")


def _body(definition: re.Match[bytes]) -> bytes:
    """The text of a definition without its parameters."""
    body = _plain(definition[3])
    return (body.partition(b")")[2] if definition[2] else body).strip()


def _plain(text: bytes) -> bytes:
    """A text without comments and continued lines."""
    if b"/" not in text and b"\\" not in text:  # as that of most macros
        return text
    return _STRING_OR_NOTHING.sub(lambda found: found[1] or b" ", text)


def guard(text: bytes) -> bytes | None:
    """The name of the include guard with which a file begins."""
    first = _DIRECTIVE.search(_plain(text[:20_000]))
    if first is None:
        return None
    found = _GUARD.match(first.string, first.end() - 1)
    return found[1] if found else None


def _read(tokens: list[bytes]) -> _Text | None:
    """What a text mentions; None where its brackets do not match, a semicolon stands outside, or it acts by itself."""
    open_: list[bytes] = []
    bare: set[bytes] = set()
    comma = False
    for token in tokens:
        if token in (b"(", b"[", b"{"):
            open_.append(token)
        elif token in _CLOSING:
            if not open_ or open_.pop() != _CLOSING[token]:
                return None
        elif not open_ and token == b";":
            return None
        elif not open_:
            comma = comma or token == b","
            bare.add(token)
    words = frozenset(token for token in tokens if WORD.fullmatch(token))
    return None if open_ or words & _BARRED else _Text(words, words & bare, comma)


def _joined(texts: list[_Text]) -> _Text:
    words = frozenset[bytes]().union(*(text.words for text in texts))
    bare = frozenset[bytes]().union(*(text.bare for text in texts))
    return _Text(words, bare, any(text.comma for text in texts))
