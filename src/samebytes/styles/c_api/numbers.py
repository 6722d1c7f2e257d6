"""Which pointers to numbers and enumerators are outputs: each rule answers or passes on, the first answer counts."""

from __future__ import annotations

import re

from ...types import Named, Pointer, Scalar, Struct, unqualified
from . import evidence, lengths, quantities, queries, vocabulary
from .arrays import is_many, is_named_after, is_plural
from .cases import (
    Case,
    Rule,
    Verdict,
    free_counts,
    is_char,
    is_length_place,
    is_number_of,
    is_whole,
    no,
    place,
    yes,
)
from .documents import OUT
from .number_kinds import (
    counts,
    is_buffer,
    is_float,
    is_strict,
)

_CHARACTERS = re.compile(r"\bw?char(16|32)?_t\b|\b[A-Z_]*CHAR\b|\bUChar\b|\bwint_t\b|\bw?char\b")


_WIDE = 8  # bytes: of size_t, which is no status


def _number_documented(case: Case) -> Verdict | None:
    if case.told.many:
        return no(f"{case.told.source} speaks of an array")
    if is_strict(case) and not case.told.sure and evidence.is_vector(case.name, True):
        return None
    tagged = case.told.sure and case.told.tagged
    if (
        case.told.way == OUT
        and (tagged or not evidence.takes(case.function))
        and not evidence.is_many_of_something(case.name)
    ):
        if _may_be_counted(case):
            return no("it may be an array that a number by value counts")
        return yes(f"{case.told.source} says that it comes out")
    return None


def _may_be_counted(case: Case) -> bool:
    """Whether a length by value may be that of this array, too: it has a name of no other kind."""
    one = case.told.one or (getattr(case.target, "kind", "") == "bool" and not is_many(case.name))
    plain = not counts(case) and not evidence.is_out_name(case.name) and not one
    answer = case.name in vocabulary.ANSWERS and case.told.sure and not case.told.tagged
    counts_ = (
        free_counts(case.signature, case.index) if answer else [p for p in case.others if is_number_of(p)]
    )
    return plain and bool(counts_)


def _number_text(case: Case) -> Verdict | None:
    """Characters are a buffer, however wide: ``wchar_t* out``."""
    if _CHARACTERS.search(case.words) and not counts(case):
        return no("it points to characters")
    narrow = case.around.functions.get(case.function[:-1] + "A") if case.function.endswith("W") else None
    beside = narrow.parameters[case.index] if narrow and case.index < len(narrow.parameters) else None
    if beside is not None and is_buffer(beside):
        return no(f"it points to characters, as in {narrow.name if narrow else ''}()")
    return None


def _number_masked(case: Case) -> Verdict | None:
    """A mask by value asks for several: ``get_info(device, uint32_t mask, uint32_t* info)``."""
    masks = [p for p in case.others if is_whole(p) and evidence.is_mask(p.name)]
    if masks and not counts(case) and not case.told.one:
        return no(f"{masks[0].name!r} may ask for several")
    return None


def _number_returned(case: Case) -> Verdict | None:
    """What a function returns it gives once: ``size_t field_size(const field*, size_t* size)`` has several."""
    result = unqualified(case.signature.result)
    wide = (
        isinstance(result, Scalar) and result.size == _WIDE and result == case.target and not case.told.sure
    )
    if (
        wide
        and not evidence.is_out_name(case.name)
        and case.name.lower() == evidence.words(case.function)[-1]
    ):
        return no("the function returns one already")
    return None


def _number_room(case: Case) -> Verdict | None:
    """A number by value right behind it says how much room there is: ``uint16_t* result, int capacity``."""
    parameters, i = case.signature.parameters, case.index
    after = parameters[i + 1] if i + 1 < len(parameters) else None
    if after is None or not is_number_of(after) or counts(case) or evidence.is_out_name(case.name):
        return None
    behind = parameters[i + 2] if i + 2 < len(parameters) else None
    if behind is not None and isinstance(behind.type, Pointer) and is_named_after(after.name, behind.name):
        return None
    return no("a number by value behind it says how much room there is")


def _number_listed(case: Case) -> Verdict | None:
    """What stands right behind the place of a count, ``int* numgrps, int* ncids``, and is no count, is many."""
    before = case.signature.parameters[case.index - 1] if case.index else None
    if before is not None and is_length_place(before) and not counts(case):
        many = is_plural(case.name) or case.name.endswith(("sp", "v", "list"))
        many = many and not evidence.is_out_name(case.name)
        return no("the place of a count stands before it") if many else None
    return None


def _number_of_matrix(case: Case) -> Verdict | None:
    """Numbers beside rows of numbers are rows, too."""
    for other in case.others:
        target = place(other)
        if (
            (
                isinstance(target, Pointer)
                and isinstance(unqualified(target.target), Scalar)
                and not is_char(target)
                and not target.const
                and not evidence.is_place_name(other.name)
            )
            and unqualified(target.target) == unqualified(case.target)
            and not evidence.is_out_name(case.name)
        ):
            return no("rows of such numbers stand beside it")
    return None


def _number_alike(case: Case) -> Verdict | None:
    """Samples beside samples: ``decorrelate(st, const int16_t* in, int16_t* out)``."""
    vague = case.name.startswith("out") or (is_strict(case) and not evidence.is_out_name(case.name))
    if not vague or case.told.one:
        return None
    alike = (p for p in case.others if isinstance(p.type, Pointer) and p.type.const)
    if any(
        isinstance(p.type, Pointer) and unqualified(p.type.target) == unqualified(case.target) for p in alike
    ):
        return no("such numbers go in beside it, and it may be as many")
    return None


def _number_alone(case: Case) -> Verdict | None:
    """The only thing that a function is given is what it works on: ``ref_count_inc(int* rc)``."""
    parameters = case.signature.parameters
    objects = [p for p in parameters if isinstance(p.type, Pointer)]
    returned = isinstance(unqualified(case.signature.result), Pointer) and not counts(case)
    asks = (
        (evidence.gets(case.function) and not returned)
        or evidence.creates(case.function)
        or case.told.way == OUT
    )
    if len(objects) == 1 and case.index == 0 and not asks:
        return no("it is all that the function has to work on")
    return None


def _number_named(case: Case) -> Verdict | None:
    strict = is_strict(case) and not evidence.is_real_out(case.name)
    side = case.name == "left" and any(p.name == "right" for p in case.others)
    if evidence.is_out_name(case.name) and not side and not _is_floats_of_many(case) and not strict:
        return yes(f"its name, {case.name!r}")
    return None


def _is_floats_of_many(case: Case) -> bool:
    """An ``out`` of numbers is an array as often; a library's own ``…_ret`` is not."""
    vague = evidence.is_vague_out(case.name)
    kind = getattr(unqualified(case.target), "kind", "")
    return vague and (
        kind == "float"
        or evidence.takes(case.function)
        or evidence.is_vector(case.name.removeprefix("out_"), is_float(case.target))
    )


def _number_taken(case: Case) -> Verdict | None:
    if evidence.takes(case.function):
        return no("a function of this name takes what lies there")
    return None


def _number_error(case: Case) -> Verdict | None:
    """The last number of what returns a handle says why it could not: ``thing* open(const char*, int, int*)``."""
    result = unqualified(case.signature.result)
    target = result.target if isinstance(result, Pointer) else None
    last = case.index == len(case.signature.parameters) - 1 and evidence.is_unnamed(case.name)
    made = isinstance(target, Named | Struct) and evidence.creates(case.function)
    whole = isinstance(case.target, Scalar) and case.target.kind == "int" and not is_strict(case)
    if last and made and whole and len(case.alike) == 1:
        return yes("it says why nothing was made")
    return None


def _number_made(case: Case) -> Verdict | None:
    """A handle that is a number: ``cs_open(arch, mode, csh* handle)``."""
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and len(case.alike) == 1
    if (
        whole
        and evidence.creates(case.function)
        and evidence.is_handle_name(case.name)
        and not free_counts(case.signature, case.index)
    ):
        return yes("a function of this name makes what it is the handle of")
    return None


RULES: tuple[Rule, ...] = (
    _number_text, _number_room, _number_masked, _number_returned, queries.version, queries.one_value,
    quantities.as_many_as_go_in, quantities.one_of_each_type, _number_listed, _number_alike, _number_documented,
    _number_of_matrix, lengths.measures_result, queries.set_by_value, _number_error, queries.stepped, _number_alone,
    _number_named, quantities.before, lengths.transferred, lengths.counting, _number_taken, lengths.measures_place,
    queries.got, queries.named_after, _number_made, queries.answer, queries.question, queries.place_by_name,
    queries.enumerator_by_value, quantities.quantity,
)  # fmt: skip
