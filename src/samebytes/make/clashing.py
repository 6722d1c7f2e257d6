"""Macros of a user's whose names mean something in samebytes's own headers, which are read after the user's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..later import later_pattern
from ..model.module import Module
from ..toolchain.directives import directives
from ..toolchain.headers import INCLUDE
from ..toolchain.verifying import file_digest
from .request import Request

# What is no code, or names no type, value or member: comments, texts, directives.
_NO_CODE = later_pattern(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#[^\n]*', re.DOTALL | re.MULTILINE)
# What words are made of stays, and all else becomes blanks.
_WORDS_ALONE = bytes(b if b > 127 or chr(b).isalnum() or chr(b) == "_" else 32 for b in range(256))
# Those that are macros there, too: the standard library's, and samebytes's.
_MACROS = later_pattern(r"NULL|INT64_MAX|LDBL_MANT_DIG|defined|SAMEBYTES_\w+")
_DEFINE = later_pattern(rb"#[ \t]*define[ \t]+([A-Za-z]\w*)")
_FLAG = later_pattern(r"(?:-D)?([A-Za-z]\w*)(?:[=(].*)?", re.DOTALL)


@cache
def own_words() -> frozenset[str]:
    """The words that samebytes's headers have for what is no macro: ``T``, ``in``, ``value``."""
    texts = "\n".join(path.read_text() for path in Path(INCLUDE).rglob("*.h*"))
    words = set(_NO_CODE.sub("", texts).encode().translate(_WORDS_ALONE).decode().split())
    return frozenset(word for word in words if word[0].isalpha() and not _MACROS.fullmatch(word))


def with_clashing(module: Module, request: Request) -> Module:
    """The module, which names the macros that must not be there where samebytes's headers are read."""
    if module.language == "c":
        return module  # whose shims need no header but the user's
    names = {*_defined(module.included), *_given(request)}
    return replace(module, clashing=tuple(sorted(names & own_words())) if names else ())


def _defined(files: Iterable[str]) -> Iterator[str]:
    for file in files:
        if (content := file_digest(file)) is not None:  # it is asked for anyway, where the build is stored
            yield from _defined_in(file, content)


# Which of our words a file defines, by its content's digest: a library's headers are included by each of its builds.
_names: dict[str, frozenset[str]] = {}


def _defined_in(file: str, content: str) -> frozenset[str]:
    if (known := _names.get(content)) is None:
        with open(file, "rb") as opened:
            text = opened.read()
        known = frozenset(map(bytes.decode, _DEFINE.findall(text)))  # in comments, too
        if known and (known := known & own_words()):
            known &= {found[1].decode() for found in directives(_DEFINE, text)}
        if file_digest(file) == content:  # it was not changed meanwhile
            _names[content] = known
    return known


def _given(request: Request) -> Iterator[str]:
    """Those of ``defines`` and ``flags``."""
    flags = [flag for flag in request.flags if flag.startswith("-D")]
    matches = (_FLAG.fullmatch(text) for text in (*request.defines, *flags))
    yield from (match[1] for match in matches if match)
