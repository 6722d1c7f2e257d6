"""Base classes: those that are public, no virtual bases, there once, and at a known place."""

from __future__ import annotations

from typing import Protocol

from ..types import Base
from .cxxtypes import CannotCross, plain_name
from .libclang import ClangType
from .questions import Questions

_PUBLIC = 1


class Speller(Protocol):
    """What spells a class so that ``::member`` can follow."""

    def spelling(self, type_: ClangType) -> str: ...
    def name_of(self, type_: ClangType) -> str: ...


def bases_of(type_: ClangType, records: Speller, questions: Questions) -> tuple[Base, ...]:
    """The direct bases of a class whose place in its objects is fixed."""
    found = []
    for base in questions.inheritance.of(type_):
        if base.virtual or base.access != _PUBLIC:
            continue
        inner = base.type
        try:
            offset = questions.ask("base", records.spelling(type_), records.spelling(inner))
        except CannotCross:
            continue
        if offset is not None and offset >= 0:
            found.append(Base(plain_name(records.name_of(inner)), offset))
    return tuple(found)
