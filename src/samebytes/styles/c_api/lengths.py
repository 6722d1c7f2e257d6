"""Rules of numbers that measure: what comes out beside them, what the function returns, how much was used."""

from __future__ import annotations

from itertools import pairwise

from ...types import VOID, Pointer, Scalar, Void, unqualified
from ...types.length_parameters import says_amount
from . import evidence, pointer_outputs
from .arrays import is_named_after
from .cases import (
    BYTE,
    Case,
    Verdict,
    free_counts,
    is_bytes,
    is_length_place,
    is_number_of,
    is_object,
    is_whole,
    may_be_output,
    place,
    yes,
)
from .number_kinds import (
    counts,
    counts_a_list,
    counts_something,
    is_buffer,
    is_own_room,
)


def measures_result(case: Case) -> Verdict | None:
    """``const char* iter_key(it, size_t* klen)``: the length of what the function returns."""
    signature = case.signature
    lengths = [p for p in signature.parameters if may_be_output(p) and evidence.is_count(p.name)]
    if _measures_text(case):
        return yes("it measures what the function returns")
    if (
        (
            isinstance(unqualified(signature.result), Pointer)
            and len(lengths) == 1
            and lengths[0] is case.parameter
        )
        and not free_counts(signature, case.index)
        and not (case.index and is_own_room(signature.parameters[case.index - 1]))
        and not any(is_bytes(p) for p in case.others)
    ):
        return yes("it measures what the function returns")
    return None


def _measures_text(case: Case) -> bool:
    """Whether a number without a name is the only one beside bytes that are returned: ``char* note(h, int*, int)``.

    Last, behind a number that goes in by value, it may be an array, of which C reads that element.
    """
    result = unqualified(case.signature.result)
    target = result.target if isinstance(result, Pointer) else None
    of_bytes = target == VOID or (isinstance(target, Scalar) and target.size == BYTE)
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint")
    places_ = [p for p in case.signature.parameters if may_be_output(p)]
    alone = len(places_) == 1 and evidence.is_unnamed(case.name) and any(map(is_object, case.others))
    parameters = case.signature.parameters
    picked = case.index + 1 == len(parameters) and any(is_whole(p) for p in parameters[: case.index])
    return of_bytes and whole and alone and not picked and not any(is_bytes(p) for p in case.others)


def transferred(case: Case) -> Verdict | None:
    """How much of a buffer was used whose room goes by value: ``recv(h, void* buffer, size_t buflen, size_t* n)``."""
    parameters = case.signature.parameters[: case.index]
    if not (counts(case) or evidence.is_transferred(case.name)) or len(case.alike) > 1:
        return None
    if parameters and (is_own_room(parameters[-1]) or is_named_after(case.name, parameters[-1].name)):
        return None  # it is of what stands right before it
    for buffer, room in pairwise(parameters):
        if (
            is_buffer(buffer)
            and is_whole(room)
            and (evidence.is_capacity(room.name) or says_amount(room.name))
        ):
            return yes("it says how much of the buffer before it was used")
    return None


def measures_place(case: Case) -> Verdict | None:
    """``dump(doc, char** mem, int* size)``: the length of what comes out beside it."""
    if not counts(case) and not evidence.is_unnamed(case.name):
        return None
    before = case.signature.parameters[case.index - 1] if case.index else None
    beside = before is not None and isinstance(place(before), Pointer) and not evidence.takes(case.function)
    if beside and pointer_outputs.comes_out(case.beside(case.index - 1)):
        return yes("it measures what comes out beside it")
    return None


def counting(case: Case) -> Verdict | None:
    """How many there are: it goes in only where the many stand beside it, and nothing else says how many may be."""
    room = any(is_number_of(p) for p in case.others)
    if (
        not counts_something(case)
        or evidence.is_limit(case.name)
        or (evidence.takes(case.function) and not room)
    ):
        return None
    bare = case.name.strip("_").lower() in ("len", "length", "size")
    buffers = [p for p in case.others if is_bytes(p) and isinstance(place(p), Scalar | Void)]
    if bare and buffers and not room:
        return None  # it may be how long they are
    if not counts_a_list(case) or (
        room and case.index and not is_length_place(case.signature.parameters[case.index - 1])
    ):
        return yes("its name says that it counts")
    return None
