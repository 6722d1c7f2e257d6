"""Whether a pointer of a C API is an output, and why: by what annotations, documents, names and neighbours settle.

An output is guessed only where something says that C writes one value there. In doubt a pointer is a plain pointer: its
caller brings the place, and C can write nowhere else.
"""

from __future__ import annotations

from ..intents import OutReturn
from ..signature import Signature
from ..types import VOID, Pointer, Scalar, unqualified
from . import evidence, numbers, places
from .arrays import is_many
from .capacities import with_capacities
from .cases import (
    Case,
    Surroundings,
    Verdict,
    is_whole,
    may_be_output,
    place,
)
from .documents import IN, INOUT, OUT


def verdict(signature: Signature, index: int, many: str, around: Surroundings) -> Verdict:
    """Whether a parameter that may be one is an output.

    Parameters
    ----------
    index : int
    many : str
        The rule by which it is an array, or a place that goes in; empty where none says so.
    """
    parameter = signature.parameters[index]
    case = Case.of(signature, index, around)
    found = case.told
    if (buffer := _measures_buffer(signature, index)) and not many:
        return Verdict(True, f"it measures {buffer!r}")
    if found.way in (INOUT, IN):
        return Verdict(False, f"{found.source} says that it goes in")
    known = found.sure and found.way == OUT and not found.many and not is_many(parameter.name)
    if many and not (known and many in SOFT and not evidence.takes(signature.name) and not _has_room(case)):
        return Verdict(False, many)
    target = unqualified(parameter.type.target) if isinstance(parameter.type, Pointer) else VOID
    rules = places.RULES if isinstance(target, Pointer) else numbers.RULES
    for rule in rules:
        if (answer := rule(case)) is not None:
            return answer
    return Verdict(False, "nothing says that C writes one value there")


def _has_room(case: Case) -> bool:
    """Whether a number by value right beside it says how long it is."""
    near = case.signature.parameters[max(case.index - 1, 0) : case.index + 2]
    return any(is_whole(p) and (evidence.is_capacity(p.name) or p.name.startswith("frame")) for p in near)


# Rules of arrays that a document's own tag outweighs.
SOFT = frozenset({"a count, or its name, says that it is an array"})


def _measures_buffer(signature: Signature, index: int) -> str:
    """The buffer whose room the number is before the call, and what was used after: C reads and writes one number."""
    parameter = signature.parameters[index]
    if not isinstance(place(parameter), Scalar) or not may_be_output(parameter):
        return ""
    guessed = signature.with_intents({index: OutReturn(guessed=True)})
    intent = with_capacities(guessed).parameters[index].intent
    return intent.capacity if isinstance(intent, OutReturn) else ""


__all__ = ["Surroundings", "Verdict", "may_be_output", "verdict"]
