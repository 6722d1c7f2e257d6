"""What declarations say of lifetimes: ``lifetimebound``, ``lifetime_capture_by(this)``, ``gsl::owner<T*>``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ...later import later_pattern
from ...model.signature import RESULT_PLACE, Signature
from ...types import Pointer
from ..clang.libclang import Cursor, printed
from ..clang.parse import ParsedUnit
from ..clang.places import extent_of, file_of
from ..exposed.exposure import Declared
from .nulls import with_nulls

# What a file has to hold before its declarations are asked: nearly none does. In small letters: a pattern that takes
# both kinds is looked for at each place, and costs milliseconds for each file.
_WORDS = {
    "bound": later_pattern(rb"lifetime_?bound"),
    "captured": later_pattern(rb"lifetime_?capture_?by"),
    "nonnull": later_pattern(rb"non_?null"),
}
_OWNED = later_pattern(rb"\bowner\s*<")
_BOUND = later_pattern(r"(?i)lifetime_?bound")
_CAPTURED = later_pattern(r"(?i)lifetime_?capture_?by\s*\(([^()]*)\)")
_OWNER = later_pattern(r"(?:const )?(?:::)?(?:gsl::)?owner<.*\*\s*(?:const)?\s*>(?:\s*const)?")


def annotated(signature: Signature, group: Sequence[Declared], unit: ParsedUnit) -> Signature:
    """The signature with what any of its declarations says of its parameters' and its result's lifetimes."""
    words = frozenset().union(*(_words(_text(file_of(d.cursor), unit)) for d in group))
    if not words:
        return signature
    own = len(signature.parameters) - len(signature.arguments)
    if "nonnull" in words and own + len(signature.owner):  # those of free functions are known
        checked = with_nulls(signature.arguments, list(group), own)
        signature = replace(signature, parameters=(*signature.parameters[:own], *checked))
    keeps = dict.fromkeys((*signature.keeps, *_kept(signature, group, unit, words, own)))
    owners = _owners(signature, group, own) if "owner" in words else ()
    return replace(signature, keeps=tuple(keeps), owners=tuple(owners))


def _kept(
    signature: Signature, group: Sequence[Declared], unit: ParsedUnit, words: frozenset[str], own: int
) -> Iterator[tuple[int, int]]:
    """Which keeps which, as :attr:`Signature.keeps` has it."""
    for declared in group:
        arguments = list(declared.cursor.get_arguments())
        if words & {"bound", "captured"}:
            for index, argument in enumerate(arguments, own):
                text = f"{printed(argument)} {_source(argument, unit)}"
                if _BOUND.search(text):
                    yield RESULT_PLACE, index
                for said in _CAPTURED.finditer(text):
                    yield from ((keeper, index) for keeper in _keepers(said[1], signature, own))
        if "bound" in words and own and _BOUND.search(_behind(declared.cursor, arguments, unit)):
            yield RESULT_PLACE, 0


def _keepers(said: str, signature: Signature, own: int) -> Iterator[int]:
    """The parameters that are named as what comes to refer to another one; nothing is told of ``global``."""
    names = {p.name: i for i, p in enumerate(signature.arguments, own)}
    for name in (one.strip() for one in said.split(",")):
        if name == "this" and signature.kind in ("method", "constructor"):
            yield 0 if own else RESULT_PLACE
        elif name in names:
            yield names[name]


def _owners(signature: Signature, group: Sequence[Declared], own: int) -> Iterator[int]:
    """The places of pointers that own their objects, by the alias that the C++ Core Guidelines name for it."""
    cursor = group[0].cursor
    if isinstance(signature.result, Pointer) and _OWNER.fullmatch(cursor.result_type.spelling):
        yield RESULT_PLACE
    for index, argument in enumerate(cursor.get_arguments(), own):
        pointed = isinstance(signature.parameters[index].type, Pointer)
        if pointed and _OWNER.fullmatch(argument.type.spelling):
            yield index


def has_owners(cursor: Cursor, unit: ParsedUnit) -> bool:
    """Whether a function takes or gives a pointer that owns its object."""
    if "owner" not in _words(_text(file_of(cursor), unit)):
        return False
    types = (cursor.result_type, *(a.type for a in cursor.get_arguments()))
    return any(_OWNER.fullmatch(type_.spelling) for type_ in types)


@lru_cache(maxsize=64)
def _words(text: bytes) -> frozenset[str]:
    """Which of the words stand in a file."""
    small = text.lower()
    words = {name for name, word in _WORDS.items() if word.search(small)}
    return frozenset(words | {"owner"} if b"owner" in text and _OWNED.search(text) else words)


def _text(file: str | None, unit: ParsedUnit) -> bytes:
    return b"" if file is None else unit.text(file)


def _source(cursor: Cursor, unit: ParsedUnit) -> str:
    """A declaration as it is written, with attributes that this libclang does not know."""
    file, begin, end = extent_of(cursor)
    text = _text(file, unit)
    return re.split(rb"[,;{=]", text[begin : end + 200], maxsplit=1)[0].decode(errors="replace")


def _behind(function: Cursor, arguments: Sequence[Cursor], unit: ParsedUnit) -> str:
    """What stands behind the parameters of a function, up to its body."""
    file, begin, end = extent_of(function)
    text = _text(file, unit)[: end + 200]
    at = max([begin, *(extent_of(a)[2] for a in arguments if extent_of(a)[0] == file)])
    close = text.find(b")", at)
    return (
        re.split(rb"[;{=]", text[close + 1 :], maxsplit=1)[0].decode(errors="replace") if close >= 0 else ""
    )
