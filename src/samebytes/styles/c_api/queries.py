"""Rules of numbers that a function is asked for: by its verb, its name, what sets the same, questions."""

from __future__ import annotations

from ...model.signature import Parameter
from ...types import Enum, Pointer, Scalar, unqualified
from . import evidence, vocabulary
from .arrays import is_many, is_named_after, is_plural
from .cases import (
    Case,
    Verdict,
    free_counts,
    is_number_of,
    is_object,
    may_be_output,
    no,
    place,
    tells,
    yes,
)
from .number_kinds import (
    counts,
    counts_a_list,
    is_extent,
    is_float,
    is_strict,
)

_BEFORE = 2  # an object, and one number that chooses


def version(case: Case) -> Verdict | None:
    """The numbers of a version, whatever a library is called."""
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not is_strict(case)
    counted = any(map(is_extent, free_counts(case.signature, case.index)))
    if whole and evidence.asks_version(case.function) and not counted:
        return yes("a function of this name tells a version")
    return None


def one_value(case: Case) -> Verdict | None:
    """The value that one register, one key has: the last thing, and nothing counts."""
    last = case.index == len(case.signature.parameters) - 1 and case.name.strip("_") in vocabulary.VALUES
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint")
    alone = len([p for p in case.signature.parameters if may_be_output(p)]) == 1
    counted = any(map(is_extent, case.others))
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


def set_by_value(case: Case) -> Verdict | None:
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
            and not any(map(is_extent, case.others))
        ):
            return yes(f"{name}() sets it by value")
    return None


def stepped(case: Case) -> Verdict | None:
    """Numbers without names, and nothing else behind an object, in what gets one thing after another."""
    parameters = case.signature.parameters
    run = [p for p in parameters[1:] if may_be_output(p)]
    first = parameters and is_object(parameters[0])
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not is_strict(case)
    if (
        first
        and whole
        and evidence.is_unnamed(case.name)
        and len(run) > 1
        and run == list(parameters[len(parameters) - len(run) :])
        and len(parameters) - len(run) <= _BEFORE
        and evidence.goes_through(case.function)
        and not evidence.is_plural_noun(case.function)
    ):
        return yes("a function of this name asks for numbers that belong together")
    return None


def got(case: Case) -> Verdict | None:
    """What a function gets: one number by its name."""
    if not evidence.gets(case.function):
        return None
    name = case.name
    if evidence.is_many_of_something(name):
        return no("it may be an array")
    if counts(case):
        if counts_a_list(case) and not _is_beside_single(case):
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
    if _is_one_of_few(case, numbers):
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
    if is_strict(case) and (any(map(is_extent, case.others)) or not one):
        return no("it may be an array")
    if _by_value(case):
        return yes("another function takes the same by value")
    if evidence.is_vector(name, is_float(case.target)) or (
        name in case.around.rows and case.target in case.around.rows[name]
    ):
        return no("it may be an array")
    return yes("a function of this name asks for it")


def _is_beside_single(case: Case) -> bool:
    """Whether it says what it counts, ``block_size``, and beside it stand single numbers: nothing that it counts."""
    near = case.signature.parameters[max(case.index - 1, 1) : case.index + 2]
    places = [
        p for p in near if p is not case.parameter and isinstance(p.type, Pointer) and not p.type.const
    ]  # fmt: skip
    named = evidence.is_named_count(case.name) and vocabulary.BARE_COUNTS.fullmatch(case.name) is None
    single = all(isinstance(place(p), Scalar | Enum) and not is_many(p.name) for p in places)
    return named and single and not any(is_named_after(case.name, p.name) for p in places)


def _is_one_of_few(case: Case, numbers: list[Parameter]) -> bool:
    """Whether it is one quantity by its name, or numbered as its neighbours are, ``angle1, angle2``."""
    if any(map(is_extent, case.others)) or is_many(case.name) or case.name in case.around.rows:
        return False
    if _is_set_by_pointer(case) or evidence.is_unnamed(case.name):
        return False
    real = is_float(case.target)
    small = not real and evidence.is_octet_name(case.name) and not evidence.is_both(case.name)
    if evidence.is_quantity_name(case.name, real) or small:
        return True
    names = [p.name.rstrip("0123456789") for p in numbers]
    numbered = case.name[-1:].isdigit() and len({p.name for p in numbers}) == len(numbers) > 1
    one = evidence.is_quantity(names[0]) if real else not evidence.is_vector(names[0], False)
    return numbered and len(set(names)) == 1 and len(names[0]) > 1 and one


def _is_asked_alone(case: Case) -> bool:
    """Whether a place without a name comes last, behind objects, in a function named after one number."""
    whole = isinstance(case.target, Scalar) and case.target.kind in ("int", "uint") and not is_strict(case)
    last = case.index == len(case.signature.parameters) - 1
    return whole and last and all(map(is_object, case.others)) and evidence.asks_one(case.function)


def named_after(case: Case) -> Verdict | None:
    """A function that is named after what comes out: ``device_pace(device, pace* pace)``."""
    names = evidence.words(case.function)
    named = bool(names) and case.name.strip("_").lower() == names[-1] and any(map(is_object, case.others))
    if not named or evidence.is_both(case.name) or is_many(case.name) or len(case.alike) > 1:
        return None
    if evidence.is_vector(case.name, is_float(case.target)) or any(map(is_extent, case.others)):
        return None
    return yes("the function is named after it")


def answer(case: Case) -> Verdict | None:
    """The answer to a question, ``bool* res``; a number where what else comes out is one, ``result, abserr``."""
    named = case.name.removesuffix("p") in vocabulary.ANSWERS
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


def question(case: Case) -> Verdict | None:
    """The answer of ``feature_is_present(camera, feature, bool_t* value)``: one, and the last thing that is asked."""
    last = case.index == len(case.signature.parameters) - 1
    whole = isinstance(unqualified(case.target), Enum) or (
        isinstance(case.target, Scalar) and not is_strict(case)
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


def place_by_name(case: Case) -> Verdict | None:
    """``int* typep``: a place by its name, of one whole number, where nothing is counted."""
    whole = not is_strict(case) and len(case.alike) == 1 and not is_many(case.name)
    counted = any(map(is_extent, case.others)) or case.name in case.around.rows
    if (
        whole
        and not counted
        and tells(case.signature)
        and evidence.is_place_p(case.name)
        and any(map(is_object, case.others))
    ):
        return yes(f"its name, {case.name!r}")
    return None


def enumerator_by_value(case: Case) -> Verdict | None:
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
