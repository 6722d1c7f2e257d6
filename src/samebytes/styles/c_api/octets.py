"""Which pointers to one byte are one value that comes out: bytes are buffers unless two things say otherwise."""

from __future__ import annotations

from ...types import CHAR, Pointer, Scalar, unqualified
from . import evidence, quantities, vocabulary
from .arrays import is_many, is_named_after, is_plural
from .cases import INPUTS, Case, Rule, Verdict, is_object, place, tells, yes
from .documents import IN, INOUT, OUT
from .number_kinds import is_extent
from .typedefs import is_enumerator


def is_octet(case_type: object) -> bool:
    """Whether a type points to one byte that is a number, and no character."""
    if not isinstance(case_type, Pointer) or case_type.const:
        return False
    target = case_type.target
    return isinstance(target, Scalar) and target.size == 1 and target != CHAR and target.kind == "uint"


def _octet_tagged(case: Case) -> Verdict | None:
    """A document's own tag, of what is one by its words, its type or its name."""
    said = case.told.sure and case.told.way == OUT and not case.told.many
    one = case.told.one or is_enumerator(case) or evidence.is_octet_name(case.name)
    return yes(f"{case.told.source} says that it comes out") if said and one else None


def _octet_version(case: Case) -> Verdict | None:
    numbered = evidence.asks_version(case.function) and evidence.is_coordinate(case.name)
    return yes("a function of this name tells a version") if numbered else None


def _octet_enumerator(case: Case) -> Verdict | None:
    """An enumeration whose type is a byte's, ``typedef uint8_t mode_t``: named as one thing, and it goes by value."""
    if evidence.gets(case.function) and is_enumerator(case) and len(case.name) > 1:
        return yes("its type is that of one thing, which other functions take by value")
    return None


def _octet_length(case: Case) -> Verdict | None:
    """The length, named so, of what the function returns, or of an address that comes out beside it."""
    if not evidence.is_named_count(case.name):
        return None
    returned = isinstance(unqualified(case.signature.result), Pointer)
    places = [p for p in case.others if isinstance(place(p), Pointer) and is_named_after(case.name, p.name)]
    buffers = any(is_octet(p.type) and p.name != case.name for p in case.others)
    if (places or returned) and not buffers and not evidence.takes(case.function):
        return yes("it measures what comes out")
    return None


def _octet_asked(case: Case) -> Verdict | None:
    """The one number that a function is named after, or reads: ``get_status(h, uint8_t* status)``."""
    words = evidence.words(case.function)
    named = evidence.is_octet_name(case.name) and case.name.strip("_").lower() in words[-2:]
    read = case.name in vocabulary.VALUES and evidence.reads(case.function)
    last = case.index == len(case.signature.parameters) - 1
    alone = not any(isinstance(place(p), Scalar) for p in case.others)
    asks = evidence.gets(case.function) or evidence.reads(case.function)
    if (
        (named or read)
        and asks
        and last
        and alone
        and any(map(is_object, case.others))
        and tells(case.signature)
    ):
        return yes("a function of this name asks for it")
    return None


RULES: tuple[Rule, ...] = (
    _octet_tagged, _octet_version, _octet_enumerator, _octet_length, quantities.one_of_each_type, _octet_asked,
)  # fmt: skip


def verdict(case: Case) -> Verdict | None:
    """That a pointer to one byte is an output; None where it is a buffer, or may be."""
    many = is_many(case.name) or is_plural(case.name) or case.name in INPUTS or case.told.many
    many = many or evidence.is_vector(case.name, False) or evidence.is_octets_name(case.name)
    if many or case.told.way in (IN, INOUT) or evidence.is_unnamed(case.name):
        return None
    if any(map(is_extent, case.others)) and not case.told.tagged:
        return None
    return next((found for rule in RULES if (found := rule(case)) is not None), None)
