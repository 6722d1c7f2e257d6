"""Macros of a user's whose names mean something in samebytes's own headers, which are read after the user's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..model.module import Module
from ..toolchain.headers import INCLUDE
from .request import Request

# What is no code, or names no type, value or member: comments, texts, directives.
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#[^\n]*', re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z]\w*")
# Those that are macros there, too: the standard library's, and samebytes's.
_MACROS = re.compile(r"NULL|INT64_MAX|LDBL_MANT_DIG|defined|SAMEBYTES_\w+")
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z]\w*)", re.MULTILINE)
_FLAG = re.compile(r"(?:-D)?([A-Za-z]\w*)(?:[=(].*)?", re.DOTALL)


@cache
def own_words() -> frozenset[str]:
    """The words that samebytes's headers have for what is no macro: ``T``, ``in``, ``value``."""
    texts = (path.read_text() for path in Path(INCLUDE).rglob("*.h*"))
    words = {word for text in texts for word in _WORD.findall(_NO_CODE.sub("", text))}
    return frozenset(word for word in words if not _MACROS.fullmatch(word))


def with_clashing(module: Module, request: Request) -> Module:
    """The module, which names the macros that must not be there where samebytes's headers are read."""
    if module.language == "c":
        return module  # whose shims need no header but the user's
    words = own_words()
    found = {name for name in (*_defined(module.included), *_given(request)) if name in words}
    return replace(module, clashing=tuple(sorted(found)))


def _defined(files: Iterable[str]) -> Iterator[str]:
    for file in map(Path, files):
        if file.is_file():
            yield from map(bytes.decode, _DEFINE.findall(file.read_bytes()))


def _given(request: Request) -> Iterator[str]:
    """Those of ``defines`` and ``flags``."""
    flags = [flag for flag in request.flags if flag.startswith("-D")]
    matches = (_FLAG.fullmatch(text) for text in (*request.defines, *flags))
    yield from (match[1] for match in matches if match)
