"""Which pointers to numbers and enumerators are outputs: each rule answers or passes on, the first answer counts."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from ..counting import says_amount
from ..signature import Parameter
from ..types import VOID, Enum, Named, Pointer, Scalar, Struct, Type, unqualified
from . import evidence, places
from .arrays import is_many, is_named_after, is_plural
from .cases import (
    BYTE,
    Case,
    Rule,
    Verdict,
    free_counts,
    is_bytes,
    is_char,
    is_length_place,
    is_number_of,
    is_object,
    is_whole,
    may_be_output,
    no,
    place,
    tells,
    yes,
)
from .documents import OUT

_HALF = 2
_CHARACTERS = re.compile(r"\bw?char(16|32)?_t\b|\b[A-Z_]*CHAR\b|\bUChar\b|\bwint_t\b|\bw?char\b")


def _number_documented(case: Case) -> Verdict | None:
    if case.told.many:
        return no(f"{case.told.source} speaks of an array")
    if _is_strict(case) and not case.told.sure and evidence.is_vector(case.name, True):
        return None
    if (
        case.told.way == OUT
        and not evidence.takes(case.function)
        and not evidence.is_many_of_something(case.name)
    ):
        if _may_be_counted(case):
            return no("it may be an array that a number by value counts")
        return yes(f"{case.told.source} says that it comes out")
    return None


def _may_be_counted(case: Case) -> bool:
    """Whether a length by value may be that of this array, too: it has a name of no other kind."""
    plain = not _counts(case) and not evidence.is_out_name(case.name) and not case.told.one
    return plain and any(is_number_of(p) for p in case.others)


def _counts(case: Case) -> bool:
    """Whether a whole number counts, by its name."""
    return not _is_float(case.target) and evidence.is_count(case.name)


def _counts_something(case: Case) -> bool:
    return not _is_float(case.target) and evidence.is_named_count(case.name)


def _is_strict(case: Case) -> bool:
    """Whether it is of a kind of which arrays are usual: real numbers, and those of two bytes, samples and colours."""
    return _is_float(case.target) or (isinstance(case.target, Scalar) and case.target.size == _HALF)


def _number_text(case: Case) -> Verdict | None:
    """Characters are a buffer, however wide: ``wchar_t* out``."""
    if _CHARACTERS.search(case.words) and not _counts(case):
        return no("it points to characters")
    narrow = case.around.functions.get(case.function[:-1] + "A") if case.function.endswith("W") else None
    beside = narrow.parameters[case.index] if narrow and case.index < len(narrow.parameters) else None
    if beside is not None and _is_buffer(beside):
        return no(f"it points to characters, as in {narrow.name if narrow else ''}()")
    return None


def _number_version(case: Case) -> Verdict | None:
    """The numbers of a version, whatever a library is called."""
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not _is_strict(case)
    if whole and evidence.asks_version(case.function) and not any(map(_is_extent, case.others)):
        return yes("a function of this name tells a version")
    return None


def _number_value(case: Case) -> Verdict | None:
    """The value that one register, one key has: the last thing, and nothing counts."""
    last = case.index == len(case.signature.parameters) - 1 and case.name.strip("_") in (
        "value",
        "val",
        "pvalue",
        "valuep",
    )
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint")
    alone = len([p for p in case.signature.parameters if may_be_output(p)]) == 1
    counted = any(map(_is_extent, case.others))
    if (
        last
        and whole
        and alone
        and not counted
        and evidence.reads(case.function)
        and any(map(is_object, case.others))
    ):
        return yes(f"its name, {case.name!r}")
    return None


def _number_room(case: Case) -> Verdict | None:
    """A number by value right behind it says how much room there is: ``uint16_t* result, int capacity``."""
    parameters, i = case.signature.parameters, case.index
    after = parameters[i + 1] if i + 1 < len(parameters) else None
    if after is None or not is_number_of(after) or _counts(case) or evidence.is_out_name(case.name):
        return None
    behind = parameters[i + 2] if i + 2 < len(parameters) else None
    if behind is not None and isinstance(behind.type, Pointer) and is_named_after(after.name, behind.name):
        return None
    return no("a number by value behind it says how much room there is")


def _number_listed(case: Case) -> Verdict | None:
    """What stands right behind the place of a count, ``int* numgrps, int* ncids``, and is no count, is many."""
    before = case.signature.parameters[case.index - 1] if case.index else None
    if before is not None and is_length_place(before) and not _counts(case):
        many = case.name.endswith(("s", "sp", "v", "list")) and not evidence.is_out_name(case.name)
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
    vague = case.name.startswith("out") or (_is_strict(case) and not evidence.is_out_name(case.name))
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
    returned = isinstance(unqualified(case.signature.result), Pointer) and not _counts(case)
    asks = (
        (evidence.gets(case.function) and not returned)
        or evidence.creates(case.function)
        or case.told.way == OUT
    )
    if len(objects) == 1 and case.index == 0 and not asks:
        return no("it is all that the function has to work on")
    return None


def _number_named(case: Case) -> Verdict | None:
    strict = _is_strict(case) and not evidence.is_real_out(case.name)
    if evidence.is_out_name(case.name) and not _is_floats_of_many(case) and not strict:
        return yes(f"its name, {case.name!r}")
    return None


def _is_floats_of_many(case: Case) -> bool:
    """An ``out`` of numbers is an array as often; a library's own ``…_ret`` is not."""
    vague = evidence.is_vague_out(case.name)
    kind = getattr(unqualified(case.target), "kind", "")
    return vague and (
        kind == "float"
        or evidence.takes(case.function)
        or evidence.is_vector(case.name.removeprefix("out_"), _is_float(case.target))
    )


def _number_taken(case: Case) -> Verdict | None:
    if evidence.takes(case.function):
        return no("a function of this name takes what lies there")
    return None


def _number_measures_result(case: Case) -> Verdict | None:
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
        and not (case.index and _is_own_room(signature.parameters[case.index - 1]))
        and not any(is_bytes(p) for p in case.others)
    ):
        return yes("it measures what the function returns")
    return None


def _measures_text(case: Case) -> bool:
    """Whether a number without a name is the only one beside bytes that are returned: ``char* note(h, int*, int)``."""
    result = unqualified(case.signature.result)
    target = result.target if isinstance(result, Pointer) else None
    of_bytes = target == VOID or (isinstance(target, Scalar) and target.size == BYTE)
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint")
    places_ = [p for p in case.signature.parameters if may_be_output(p)]
    alone = len(places_) == 1 and evidence.is_unnamed(case.name) and any(map(is_object, case.others))
    return of_bytes and whole and alone and not any(is_bytes(p) for p in case.others)


def _number_set(case: Case) -> Verdict | None:
    """What another function sets by value at the same place: ``part_size(p, int*)``, ``part_set_size(p, int)``."""
    for name in evidence.setters(case.function):
        setter = case.around.functions.get(name)
        if setter is None or len(setter.parameters) < len(case.signature.parameters):
            continue
        pairs = list(zip(case.signature.parameters, setter.parameters, strict=False))
        same = [
            unqualified(there.type) == (place(here) if may_be_output(here) else unqualified(here.type))
            for here, there in pairs
        ]
        names = all(here.name == there.name or evidence.is_unnamed(here.name) for here, there in pairs[1:])
        if (
            same[case.index]
            and all(same[1:])
            and (names or len(setter.parameters) == len(case.signature.parameters))
            and not any(map(_is_extent, case.others))
        ):
            return yes(f"{name}() sets it by value")
    return None


def _number_error(case: Case) -> Verdict | None:
    """The last number of what returns a handle says why it could not: ``thing* open(const char*, int, int*)``."""
    result = unqualified(case.signature.result)
    target = result.target if isinstance(result, Pointer) else None
    last = case.index == len(case.signature.parameters) - 1 and evidence.is_unnamed(case.name)
    made = isinstance(target, Named | Struct) and evidence.creates(case.function)
    whole = isinstance(case.target, Scalar) and case.target.kind == "int" and not _is_strict(case)
    if last and made and whole and len(case.alike) == 1:
        return yes("it says why nothing was made")
    return None


def _number_stepped(case: Case) -> Verdict | None:
    """Numbers without names, and nothing else behind an object, in what gets one thing after another."""
    parameters = case.signature.parameters
    run = [p for p in parameters[1:] if may_be_output(p)]
    first = parameters and is_object(parameters[0])
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not _is_strict(case)
    if (
        first
        and whole
        and evidence.is_unnamed(case.name)
        and len(run) > 1
        and run == list(parameters[len(parameters) - len(run) :])
        and len(parameters) - len(run) <= _HALF
        and evidence.goes_through(case.function)
        and not evidence.is_plural_noun(case.function)
    ):
        return yes("a function of this name asks for numbers that belong together")
    return None


def _number_transferred(case: Case) -> Verdict | None:
    """How much of a buffer was used whose room goes by value: ``recv(h, void* buffer, size_t buflen, size_t* n)``."""
    parameters = case.signature.parameters[: case.index]
    if not (_counts(case) or evidence.is_transferred(case.name)) or len(case.alike) > 1:
        return None
    if parameters and (_is_own_room(parameters[-1]) or is_named_after(case.name, parameters[-1].name)):
        return None  # it is of what stands right before it
    for buffer, room in pairwise(parameters):
        if (
            _is_buffer(buffer)
            and is_whole(room)
            and (evidence.is_capacity(room.name) or says_amount(room.name))
        ):
            return yes("it says how much of the buffer before it was used")
    return None


def _is_own_room(parameter: Parameter) -> bool:
    """Whether a parameter is a buffer of numbers or bytes that is filled."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const:
        return False
    return isinstance(type_.target, Scalar) and not evidence.is_count(parameter.name)


def _is_buffer(parameter: Parameter) -> bool:
    """Whether a parameter points to bytes, constant or not."""
    type_ = parameter.type
    target = type_.target if isinstance(type_, Pointer) else None
    return target == VOID or (isinstance(target, Scalar) and target.size == BYTE)


def _number_measures_place(case: Case) -> Verdict | None:
    """``dump(doc, char** mem, int* size)``: the length of what comes out beside it."""
    if not _counts(case) and not evidence.is_unnamed(case.name):
        return None
    before = case.signature.parameters[case.index - 1] if case.index else None
    beside = before is not None and isinstance(place(before), Pointer) and not evidence.takes(case.function)
    if beside and places.comes_out(case.beside(case.index - 1)):
        return yes("it measures what comes out beside it")
    return None


def _number_got(case: Case) -> Verdict | None:
    """What a function gets: one number by its name."""
    if not evidence.gets(case.function):
        return None
    name = case.name
    if evidence.is_many_of_something(name):
        return no("it may be an array")
    if _counts(case):
        if _counts_a_list(case):
            return no("it counts what stands beside it, and may go in")
        return yes("a function of this name asks for it")
    numbers = [p for p in case.signature.parameters if may_be_output(p) and not isinstance(place(p), Pointer)]
    if (
        len(numbers) > 1
        and not _is_set_by_pointer(case)
        and all(
            evidence.is_coordinate(p.name) or evidence.is_out_name(p.name) or evidence.is_count(p.name)
            for p in numbers
        )
    ):
        return yes("a function of this name asks for numbers that belong together")
    if evidence.is_unnamed(name) and _is_asked_alone(case):
        return yes("a function of this name asks for it")
    if evidence.is_plural_noun(case.function) or evidence.is_unnamed(name) or len(name) < 2:
        return no("it may be an array")
    if evidence.is_both(name) and not _names_it(case):
        return no("its name is that of something that goes in, too")
    if isinstance(unqualified(case.target), Enum) or getattr(unqualified(case.target), "kind", "") == "bool":
        return yes("a function of this name asks for it")
    if _is_set_by_pointer(case):
        return no("another function sets many")
    one = _has_setter(case) or (len(numbers) == 1 and evidence.is_quantity(name))
    if _is_strict(case) and (any(map(_is_extent, case.others)) or not one):
        return no("it may be an array")
    if _by_value(case):
        return yes("another function takes the same by value")
    if evidence.is_vector(name, _is_float(case.target)) or (
        name in case.around.rows and case.target in case.around.rows[name]
    ):
        return no("it may be an array")
    return yes("a function of this name asks for it")


def _is_asked_alone(case: Case) -> bool:
    """Whether a place without a name comes last, behind objects, in a function named after one number."""
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not _is_strict(case)
    last = case.index == len(case.signature.parameters) - 1
    return whole and last and all(map(is_object, case.others)) and evidence.asks_one(case.function)


def _number_counts(case: Case) -> Verdict | None:
    """How many there are: it goes in only where the many stand beside it, and nothing else says how many may be."""
    room = any(is_number_of(p) for p in case.others)
    if (
        not _counts_something(case)
        or evidence.is_limit(case.name)
        or (evidence.takes(case.function) and not room)
    ):
        return None
    if not _counts_a_list(case) or (
        room and case.index and not is_length_place(case.signature.parameters[case.index - 1])
    ):
        return yes("its name says that it counts")
    return None


def _number_asked(case: Case) -> Verdict | None:
    """A function that is named after what comes out: ``device_pace(device, pace* pace)``."""
    names = evidence.words(case.function)
    named = bool(names) and case.name.strip("_").lower() == names[-1] and any(map(is_object, case.others))
    if not named or evidence.is_both(case.name) or is_many(case.name) or len(case.alike) > 1:
        return None
    if evidence.is_vector(case.name, _is_float(case.target)) or any(map(_is_extent, case.others)):
        return None
    return yes("the function is named after it")


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


def _number_answer(case: Case) -> Verdict | None:
    """The answer to a question, ``bool* res``; a number where what else comes out is one, ``result, abserr``."""
    named = case.name.removesuffix("p") in ("res", "result", "answer", "retval", "rv")
    if not named and getattr(case.target, "kind", "") != "bool":
        return None
    if evidence.is_both(case.name) or (is_plural(case.name) and not named):
        return None
    beside = named and any(may_be_output(p) and evidence.is_out_name(p.name) for p in case.others)
    if any(is_number_of(p) for p in case.others) and not beside:
        return None
    kind = getattr(unqualified(case.target), "kind", "")
    if kind == "bool" or (kind != "float" and tells(case.signature)) or beside:
        return yes(f"its name, {case.name!r}") if kind != "bool" else yes("it is the answer to a question")
    return None


def _number_question(case: Case) -> Verdict | None:
    """The answer of ``feature_is_present(camera, feature, bool_t* value)``: one, and the last thing that is asked."""
    last = case.index == len(case.signature.parameters) - 1
    whole = isinstance(unqualified(case.target), Enum) or (
        isinstance(case.target, Scalar) and not _is_strict(case)
    )
    plain = not is_many(case.name) and not evidence.is_both(case.name)
    if (
        last
        and whole
        and plain
        and evidence.is_question(case.function)
        and not free_counts(case.signature, case.index)
    ):
        return yes("it is the answer to a question")
    return None


def _number_place(case: Case) -> Verdict | None:
    """``int* typep``: a place by its name, of one whole number, where nothing is counted."""
    whole = not _is_strict(case) and len(case.alike) == 1 and not is_many(case.name)
    counted = any(map(_is_extent, case.others)) or case.name in case.around.rows
    if (
        whole
        and not counted
        and tells(case.signature)
        and evidence.is_place_p(case.name)
        and any(map(is_object, case.others))
    ):
        return yes(f"its name, {case.name!r}")
    return None


def _number_by_value(case: Case) -> Verdict | None:
    """An enumerator that goes by value elsewhere, in a function that tells if it worked."""
    alone = not evidence.is_both(case.name) and not any(is_number_of(p) for p in case.others)
    if alone and isinstance(unqualified(case.target), Enum) and tells(case.signature) and _by_value(case):
        return yes("another function takes the same by value")
    return None


def _names_it(case: Case) -> bool:
    """Whether the function is named after the parameter: ``get_position(h, size_t* position)``."""
    return case.name.strip("_").lower() in evidence.words(case.function)


def _has_setter(case: Case) -> bool:
    """Whether another function sets the same, by value."""
    return _setter(case.function) in case.around.functions and _by_value(case)


def _is_set_by_pointer(case: Case) -> bool:
    """Whether what sets it takes a pointer of the same name."""
    setter = case.around.functions.get(_setter(case.function))
    named = (p for p in setter.parameters if p.name == case.name) if setter else ()
    return any(isinstance(p.type, Pointer) for p in named)


def _by_value(case: Case) -> bool:
    """Whether what sets it takes it by value, as one number goes."""
    setter = case.around.functions.get(_setter(case.function))
    if setter is not None:
        return any(unqualified(p.type) == unqualified(case.target) for p in setter.parameters)
    rows = case.around.rows.get(case.name, ())
    return (
        len(case.name) > 2
        and case.target in case.around.values.get(case.name, ())
        and case.target not in rows
    )


def _setter(function: str) -> str:
    for ask, tell in (("Get", "Set"), ("get", "set"), ("GET", "SET")):
        if ask in function:
            return function.replace(ask, tell, 1)
    return function + "\0"


def _counts_a_list(case: Case) -> bool:
    """Whether the many stand right behind a count, or right before it: whatever is no text, no handle of its own."""
    parameters, i = case.signature.parameters, case.index
    after = parameters[i + 1] if i + 1 < len(parameters) else None
    before = parameters[i - 1] if i > 1 else None
    records = case.around.records
    bare = case.name.strip("_") in ("count", "n", "num", "len", "length", "size")
    if bare and before is not None and isinstance(before.type, Pointer) and not before.type.const:
        return True
    return any(p is not None and _is_list_place(p, records) for p in (after, before))


def _is_list_place(parameter: Parameter, records: Collection[str]) -> bool:
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const:
        return False
    target = type_.target
    if isinstance(target, Scalar):
        return not evidence.is_count(parameter.name) and not evidence.is_out_name(parameter.name)
    if isinstance(target, Named):
        return target.name in records
    return isinstance(target, Struct | Pointer | Enum)


def _is_extent(parameter: Parameter) -> bool:
    """Whether a number by value may say how long arrays are."""
    return is_whole(parameter) and evidence.is_extent(parameter.name)


def _is_float(type_: Type) -> bool:
    return getattr(unqualified(type_), "kind", "") == "float"


RULES: tuple[Rule, ...] = (
    _number_text, _number_room, _number_version, _number_value, _number_listed, _number_alike, _number_documented,
    _number_of_matrix, _number_measures_result, _number_set, _number_error, _number_stepped, _number_alone,
    _number_named, _number_transferred, _number_counts, _number_taken, _number_measures_place, _number_got,
    _number_asked, _number_made, _number_answer, _number_question, _number_place, _number_by_value,
)  # fmt: skip
