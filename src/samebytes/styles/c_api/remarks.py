"""What a header itself says beside a function: its comment, its attributes, and the words inside its parentheses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ...frozen import frozen
from ...model.signature import Location, Signature
from ...read.clang.comments import clean

_COMMENT = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n?)+", re.DOTALL | re.MULTILINE)
# Between a comment and the function that it is about stands nothing that ends another declaration.
_APART = re.compile(r"[;{}]|^[ \t]*#[ \t]*(?:if|el|endif)|\n[ \t]*\n[ \t]*\n", re.MULTILINE)
_LICENSE = re.compile(r"(?i)copyright|licen[sc]e|this file|\\file|@file")
_ACCESS = re.compile(
    r"\(\s*_*(read_only|write_only|read_write|none)_*\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)|"
    r"access\s*\(\s*_*(read_only|write_only|read_write|none)_*\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)"
)
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*(?=\n)|//[^\n]*)")
_BEHIND = re.compile(r"[ \t]*;[ \t]*(/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)")
_TRAILING = 600  # characters behind a function's parentheses that may hold its attributes


@frozen
class Remarks:
    """What stands beside one function.

    Attributes
    ----------
    comment : str
        The comment right before it, or, where headers write it so, right behind it.
    access : mapping of int to (str, bool)
        By parameter, from zero: ``"write_only"`` and the like, and whether another parameter says how many.
    words : tuple of str
        The source of each parameter, with macros and comments.
    """

    comment: str = ""
    access: Mapping[int, tuple[str, bool]] = ()  # type: ignore[assignment]
    words: tuple[str, ...] = ()


def remarks(signature: Signature) -> Remarks:
    """What the header says beside a function; of source text that lies in no file, only its documentation."""
    place = signature.location
    source = _source(place.file) if place else None
    if source is None or place is None or place.line > len(source.lines):
        return Remarks(signature.doc, {})
    at = source.lines[place.line - 1] + max(place.column - 1, 0)
    words, end = _declared(source, at, len(signature.parameters) + signature.variadic)
    if len(words) > 1 and any("/*" in w or "//" in w for w in words[:-1]) and "/*" not in words[-1]:
        # Where each parameter has its comment, that of the last stands behind the parenthesis.
        words = (*words[:-1], " ".join(f"{words[-1]} {source.behind(end)}".split()))
    tail = source.plain[end : end + _TRAILING].partition(";")[0]
    comment = signature.doc or source.comment(at, end)
    return Remarks(comment, _accesses(tail), words)


class _Source:
    """The text of one file: ``plain`` without comments, as long as the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments = [(m.start(), m.end()) for m in _COMMENT.finditer(text)]
        self.plain = _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]

    def comment(self, at: int, end: int) -> str:
        """The comment right before a place, or right behind the declaration that ends somewhere behind ``end``."""
        before = max((c for c in self.comments if c[1] <= at), default=None)
        if before and self._is_behind(before[0]):
            before = None
        if before and not _APART.search(self.text, before[1], at):
            found = clean(self.text[slice(*before)])
            if not _LICENSE.search(found):
                return found
        stop = self.plain.find(";", end)
        after = next((c for c in self.comments if c[0] >= end), None)
        next_ = after is not None and 0 <= stop < after[0] and not self.text[stop + 1 : after[0]].strip()
        if after and next_ and self.text.count("\n", stop, after[0]) <= 1:
            return clean(self.text[slice(*after)])
        return ""

    def _is_behind(self, place: int) -> bool:
        """Whether a comment stands behind a declaration in its line, and is about that."""
        line = self.plain[self.plain.rfind("\n", 0, place) + 1 : place]
        return line.rstrip().endswith((";", "}", ","))

    def behind(self, end: int) -> str:
        """The comment behind a declaration that ends at ``end``, in the same line."""
        found = _BEHIND.match(self.text, end)
        return found[1] if found else ""


@lru_cache(maxsize=64)
def _source(path: str) -> _Source | None:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return _Source(file.read())
    except OSError:
        return None


def _declared(source: _Source, at: int, count: int) -> tuple[tuple[str, ...], int]:
    """The source of each parameter, also behind or inside a macro's own, ``API(name)(int x)``."""
    words, end = _parenthesis(source.plain, source.text, at)
    while source.plain[end:].lstrip()[:1] == "(" and len(words) != count:
        words, end = _parenthesis(source.plain, source.text, end)
    if len(words) != count and words and words[-1].startswith("("):
        inner, _ = _parenthesis(words[-1], words[-1], 0)
        return (inner if len(inner) == count else ()), end
    return (words if len(words) == count else ()), end


def _parenthesis(plain: str, text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The source of each parameter behind a function's name, with comments, and where they end."""
    start = plain.find("(", at)
    if start < 0 or plain[at:start].strip(" \t\n*&)").count(" ") > 1:
        return (), at
    depth, first = 0, start + 1
    parts: list[tuple[int, int, str]] = []
    for i in range(start, min(len(plain), start + 20_000)):
        sign = plain[i]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 or (depth == 1 and sign == ","):
            # A comment behind the comma, and the last thing of its line, is about what stands before it.
            own = _REST_OF_LINE.match(text, i + 1) if depth else None
            parts.append((first, i, own[0] if own else ""))
            first = own.end() if own else i + 1
        if depth == 0:
            return tuple(" ".join((text[a:b] + said).split()) for a, b, said in parts), i + 1
    return (), at


def _accesses(tail: str) -> dict[int, tuple[str, bool]]:
    """The attribute ``access`` of GCC, as it is written, and as glibc writes it, ``__attr_access``."""
    if "access" not in tail:
        return {}
    found = {}
    for said in _ACCESS.finditer(tail):
        mode, place, size = said.groups()[:3] if said[1] else said.groups()[3:]
        found[int(place) - 1] = (mode, size is not None)
    return found


def named(signatures: Sequence[Signature]) -> dict[str, Remarks]:
    """The remarks on all functions, by name."""
    return {s.name: remarks(s) for s in signatures}


__all__ = ["Location", "Remarks", "named", "remarks"]
