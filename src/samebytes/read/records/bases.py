"""Base classes: those that are public and there once, at a known place or virtual."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from ...types import SORTS_OF_EXCEPTIONS, Base
from ..clang.kinds import PUBLIC
from ..clang.libclang import ClangType
from ..cxxtypes.cxxtypes import CannotCross
from ..cxxtypes.type_names import plain_name
from ..questions.inheritance import Inheritance
from ..questions.questions import Questions


class Speller(Protocol):
    """What spells a class so that ``::member`` can follow."""

    def spelling(self, type_: ClangType) -> str: ...
    def name_of(self, type_: ClangType) -> str: ...


def bases_of(type_: ClangType, records: Speller, questions: Questions) -> tuple[Base, ...]:
    """The direct bases of a class whose place in its objects is fixed."""
    found = []
    for base in questions.inheritance.of(type_):
        if base.virtual or base.access != PUBLIC:
            continue
        inner = base.type
        try:
            offset = questions.ask("base", records.spelling(type_), records.spelling(inner))
        except CannotCross:
            continue
        if offset is not None and offset >= 0:
            found.append(Base(plain_name(records.name_of(inner)), offset))
    found += _virtual(type_, records, questions)
    return tuple(found)


def _virtual(type_: ClangType, records: Speller, questions: Questions) -> list[Base]:
    """The virtual bases, its bases' too, to which C++ converts an object."""
    found: dict[str, Base] = {}
    classes = list(questions.inheritance.of(type_))
    while classes:
        base = classes.pop(0)
        classes += questions.inheritance.of(base.type)
        name = plain_name(records.name_of(base.type))
        if not base.virtual or name in found:
            continue
        try:
            converts = questions.ask("converts", records.spelling(type_), records.spelling(base.type))
        except CannotCross:
            continue
        if converts:
            found[name] = Base(name, 0, virtual=True)
    return list(found.values())


def exception_of(type_: ClangType, inheritance: Inheritance) -> str:
    """The class of the standard library as which C++ catches an object of this one; empty: as none of these."""
    found = _ways(type_, inheritance, set())
    return next((name for name in SORTS_OF_EXCEPTIONS if found[name] == 1), "")


def _ways(type_: ClangType, inheritance: Inheritance, shared: set[str]) -> Counter[str]:
    """How often an object has each of its public bases, itself too; a virtual one is there once."""
    found = Counter([type_.get_canonical().spelling])
    for base in inheritance.of(type_):
        name = base.type.get_canonical().spelling
        if base.access != PUBLIC or (base.virtual and name in shared):
            continue
        if base.virtual:
            shared.add(name)
        found += _ways(base.type, inheritance, shared)
    return found
