"""x86-64 as Linux calls functions on it: System V ABI, AMD64 supplement, version 1.0, section 3.2.3."""

from __future__ import annotations

from ...types import Type, unqualified
from ..dialects import layout
from .base import GENERAL, PADDING, REAL, WORD, Processor, Registers, Shape, parts

_MOST_IN_REGISTERS = 2  # words of one value
_MOST_ALIGNED = 2  # words: what the stack is aligned to at a call


def _shape(type_: Type) -> Shape | None:
    """Each word of a value of at most two is general if anything in it is, real if it has only numbers that are, else
    padding; larger values, and those whose members are not aligned, travel in memory.
    """
    found = list(parts(type_))
    if not found or any(part.real is None for part in found):
        return None
    facts = layout(unqualified(type_))
    size, align = -(-facts.size // WORD), max(facts.align // WORD, 1)
    if align > _MOST_ALIGNED:
        return None
    if size > _MOST_IN_REGISTERS or any(part.offset % part.align for part in found):
        return Shape((), size, align)
    words = dict.fromkeys(range(size), PADDING)
    words |= {part.offset // WORD: REAL for part in found}
    words |= {part.offset // WORD: GENERAL for part in found if not part.real}
    if any(part.small and words[part.offset // WORD] != GENERAL for part in found):
        return None
    return Shape(tuple(words.values()), size, align)


PROCESSOR = Processor(frozenset({"x86_64", "AMD64"}), Registers(general=6, real=8), _shape)
