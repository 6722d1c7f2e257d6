"""Whether a pointer of a C API is an output, and why: by what annotations, documents, names and neighbours settle.

An output is guessed only where something says that C writes one value there. In doubt a pointer is a plain pointer: its
caller brings the place, and C can write nowhere else.
"""

from __future__ import annotations

from ...model.intents import OutReturn
from ...model.signature import Signature
from ...types import VOID, Named, Pointer, Scalar, Struct, Void, unqualified
from . import evidence, numbers, pointer_outputs
from .arrays import is_many, is_plural
from .capacities import with_capacities
from .cases import (
    Case,
    Surroundings,
    Verdict,
    is_whole,
    may_be_output,
    place,
)
from .code import NOTHING, by_code
from .documents import IN, INOUT, OUT
from .units import is_no_room


def verdict(signature: Signature, index: int, many: str, around: Surroundings) -> Verdict:
    """Whether a parameter that may be one is an output.

    Parameters
    ----------
    index : int
    many : str
        The rule by which it is an array, or a place that goes in; empty where none says so.
    """
    case = Case.of(signature, index, around)
    if (buffer := _measures_buffer(signature, index)) and (not many or many in SOFT):
        against = is_no_room(case, buffer)
        said = Verdict(not against, against or f"it measures {buffer!r}")
        return by_code(case, said, measures=not against)
    return by_code(case, _by_header(case, many))


def _by_header(case: Case, many: str) -> Verdict:
    """What the header says, where it is no number that a buffer is measured by."""
    signature, parameter, found = case.signature, case.parameter, case.told
    vague = not found.sure and evidence.gets(signature.name) and found.way == INOUT
    if found.way in (INOUT, IN) and not vague:
        return Verdict(False, f"{found.source} says that it goes in")
    known = found.sure and found.way == OUT and not found.many and (found.one or not is_many(parameter.name))
    known = known and many in SOFT and not evidence.takes(signature.name)
    known = known and (not _has_room(case) or evidence.is_out_name(parameter.name))
    # An address that documents say is set is one, whatever the name of what lies there.
    known = known or (
        isinstance(case.target, Pointer) and found.way == OUT and found.allocated and many in PLURAL
        and not evidence.takes(signature.name)
    )  # fmt: skip
    known = known or (
        isinstance(case.target, Pointer) and many in PLURAL and evidence.is_marked_out(parameter.name)
    )
    known = known or (
        isinstance(case.target, Pointer) and found.sure and found.way == OUT and found.allocated and many in MADE
        and not found.many and not is_plural(parameter.name) and evidence.makes_anew(signature.name)
    )  # fmt: skip
    made = many in MADE and _makes_one(case)
    if many and not made and not known:
        return Verdict(False, many)
    target = unqualified(parameter.type.target) if isinstance(parameter.type, Pointer) else VOID
    rules = pointer_outputs.RULES if isinstance(target, Pointer) else numbers.RULES
    for rule in rules:
        if (answer := rule(case)) is not None:
            return answer
    return Verdict(False, NOTHING)


# A rule of arrays that what is made anew outweighs: a handle, or an array with its count.
MADE = frozenset({"its neighbours are arrays and counts"})


def _makes_one(case: Case) -> bool:
    """Whether a function makes one thing, or one array and its count, whatever numbers stand beside it."""
    if not evidence.makes_anew(case.function) or is_plural(case.name) or is_many(case.name):
        return False
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint")
    beside = case.signature.parameters[case.index - 1] if case.index else None
    if whole:
        return evidence.is_count(case.name) and beside is not None and isinstance(place(beside), Pointer)
    one = isinstance(unqualified(case.inner), Named | Struct | Void)
    after = (
        case.signature.parameters[case.index + 1] if case.index + 1 < len(case.signature.parameters) else None
    )
    counted = after is not None and isinstance(place(after), Scalar) and evidence.is_count(after.name)
    return isinstance(case.target, Pointer) and one and case.index == 0 and counted


def _has_room(case: Case) -> bool:
    """Whether a number by value right beside it says how long it is."""
    near = case.signature.parameters[max(case.index - 1, 0) : case.index + 2]
    return any(is_whole(p) and (evidence.is_capacity(p.name) or p.name.startswith("frame")) for p in near)


# Rules by the names of places, which may be those of what lies there.
PLURAL = frozenset({"its name is a plural", "its name says that it is a list"})

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


__all__ = ["NOTHING", "Surroundings", "Verdict", "may_be_output", "verdict"]
