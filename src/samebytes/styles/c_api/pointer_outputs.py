"""Which places of addresses, ``T**``, are outputs: each rule answers or passes on, the first answer counts."""

from __future__ import annotations

import re

from ...types import CHAR, VOID, Enum, Named, Pointer, Scalar, Struct, Void, unqualified
from . import evidence, quantities, vocabulary
from .arrays import is_named_after, is_plural
from .cases import (
    Case,
    Rule,
    Verdict,
    free_counts,
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
from .documents import IN, INOUT, OUT


def _place_error(case: Case) -> Verdict | None:
    """An error's place starts empty, whatever the function does."""
    if evidence.is_error(case.name) and len(case.alike) == 1 and not case.told.many:
        return yes(f"its name, {case.name!r}")
    return None


def _place_returned(case: Case) -> Verdict | None:
    """``typedef void* codec_t``: what the library returns as ``codec_t*`` is a handle, which goes in."""
    if unqualified(case.inner) == VOID and case.parameter.spelling in case.around.returned:
        return no("the library returns such handles")
    return None


def _place_end(case: Case) -> Verdict | None:
    """Where reading ended: in a text of the same kind that goes in."""
    texts = (p for p in case.others if isinstance(p.type, Pointer) and p.type.const)
    same = any(
        unqualified(p.type.target) == unqualified(case.inner) for p in texts if isinstance(p.type, Pointer)
    )
    if same and is_char(case.target) and evidence.is_end(case.name):
        return yes(f"its name, {case.name!r}")
    return None


def _place_listed(case: Case) -> Verdict | None:
    """A plural, or what stands behind the place of its count, is a list that the caller brings."""
    before = case.signature.parameters[case.index - 1] if case.index else None
    if case.told.way == OUT and (
        (case.told.sure and not case.told.many) or case.told.allocated or _is_one_array(case)
    ):
        return None
    if before is not None and is_length_place(before) and not _is_claimed(case):
        return no("the place of a count stands before it: it may be a list")
    if not isinstance(case.inner, Pointer) and is_plural(case.name) and not _is_marked(case):
        return no("its name is a plural")
    one = _makes_array(case) or _is_list_object(case)
    one = one or (_is_handle(case) and evidence.makes_anew(case.function))
    if (
        evidence.is_list_name(case.name)
        and not isinstance(case.inner, Pointer)
        and not one
        and not _is_marked(case)
    ):
        return no("its name is that of a list")
    return None


def _is_marked(case: Case) -> bool:
    """Whether its name has the library's mark of outputs, ``ret_users``, and no number says how many may be."""
    return evidence.is_marked_out(case.name) and not any(map(is_number_of, case.others))


def _is_claimed(case: Case) -> bool:
    """Whether the count before it is of what stands before that: ``char** key, size_t* key_size, char** text``."""
    parameters, i = case.signature.parameters, case.index
    return i > 1 and is_named_after(parameters[i - 1].name, parameters[i - 2].name)


def _makes_array(case: Case) -> bool:
    """Whether one array of bytes or text comes out, with its length beside it."""
    inner = unqualified(case.inner)
    return (is_char(case.target) or inner == VOID) and any(is_length_place(p) for p in case.others)


def _is_list_object(case: Case) -> bool:
    """Whether it is the place of one object that is a list: ``camera_list** list``."""
    inner = unqualified(case.inner)
    return (
        isinstance(inner, Named)
        and "list" in inner.name.lower()
        and case.name.lower().strip("_").endswith("list")
    )


def _place_unnamed(case: Case) -> Verdict | None:
    """Of parameters without names only the last place is one, and none behind a number that may count it."""
    if not evidence.is_unnamed(case.name):
        return None
    parameters, i = case.signature.parameters, case.index
    last = not any(isinstance(place(p), Pointer) for p in parameters[i + 1 :])
    steps = evidence.goes_through(case.function) and all(map(may_be_output, parameters[i:]))
    alone = len(case.alike) == 1 or evidence.creates(case.function)
    before = parameters[i - 1] if i else None
    counted = before is not None and is_whole(before) and not evidence.creates(case.function)
    if before is not None and counted and not evidence.is_unnamed(before.name):
        counted = evidence.is_capacity(before.name) or not evidence.gets(case.function)
    last = (last or steps) and not (_is_handle(case) and evidence.is_many_noun(case.function))
    if not last or not alone or counted:
        return no("it has no name, and may be a list")
    return None


def _place_documented(case: Case) -> Verdict | None:
    many = case.told.many and not _is_said_of_text(case)
    if many and not case.told.allocated and not _is_one_array(case) and not _is_made(case):
        return no(f"{case.told.source} speaks of several")
    if evidence.is_iterator(case.name) and not case.told.tagged and not evidence.makes_anew(case.function):
        return no("its name is that of a place from where the next call goes on")
    if (
        case.told.way == OUT
        and case.told.sure
        and not evidence.takes(case.function)
        and not _counted_beside(case)
    ):
        return yes(f"{case.told.source} says that it comes out")
    return None


def _is_said_of_text(case: Case) -> bool:
    """Whether what is called a buffer is a text whose address is put there: ``char** type``, "a buffer to store it"."""
    text = (
        unqualified(case.inner) == CHAR and case.told.sure and vocabulary.SAID_TO_STORE.search(case.told.text)
    )
    return bool(text) and not vocabulary.SAID_MANY.search(re.sub(r"(?i)\bbuffer\b", "", case.told.text))


def _is_one_array(case: Case) -> bool:
    """Whether documents speak of an array of numbers, whose address comes out: ``[out] const unsigned** syms``."""
    number = isinstance(unqualified(case.inner), Scalar) and case.told.tagged and case.told.way == OUT
    return number and not any(map(is_number_of, case.others))


def _is_made(case: Case) -> bool:
    """Whether a function makes the one thing whose handle it is, whatever a sentence says of several."""
    return _is_handle(case) and evidence.makes_anew(case.function) and not case.told.sure


def _place_text_got(case: Case) -> Verdict | None:
    """A text that is asked for, whatever it is of: ``get_cursor(journal, char** cursor)``."""
    inner = unqualified(case.inner)
    text = inner == CHAR and len(case.alike) == 1
    plain = not is_plural(case.name) and not evidence.is_moved_text(case.name)
    if text and _returns_handle(case):
        return no("the function is asked for what it returns")
    if text and plain and evidence.fetches(case.function) and not any(map(is_number_of, case.others)):
        return yes("a function of this name asks for a text")
    return None


def _returns_handle(case: Case) -> bool:
    """Whether a function that gets something returns it: ``item* get_named(map*, const char** name)``."""
    result = unqualified(case.signature.result)
    handle = isinstance(result, Pointer) and isinstance(result.target, Named | Struct)
    return handle and not evidence.is_place_name(case.name) and case.told.way != OUT


def _place_taken(case: Case) -> Verdict | None:
    if evidence.takes(case.function) and not (_is_out(case) and _is_handle(case)):
        return no("a function of this name takes what lies there")
    if evidence.is_text_name(case.name) and (_is_constant(case) or evidence.makes_anew(case.function)):
        return None
    got = evidence.may_be_got(case.name) and (evidence.gets(case.function) or evidence.owns(case.function))
    if evidence.is_both(case.name) and not evidence.creates(case.function) and not got:
        return no("its name is that of something that goes in, too")
    return None


def _is_constant(case: Case) -> bool:
    """Whether it is ``const T**``: a function that reads on in a text has no ``const char**`` alone to go on from."""
    type_ = case.parameter.type
    place = unqualified(type_.pointee) if isinstance(type_, Pointer) else VOID
    asks = evidence.gets(case.function) or evidence.makes(case.function)
    return isinstance(place, Pointer) and place.const and asks


def _is_out(case: Case) -> bool:
    # "handle" names what comes out of a function that makes it, and what goes into one that ends it.
    named = evidence.is_place_name(case.name) and not evidence.frees(case.function)
    return named and not free_counts(case.signature, case.index)


def _is_handle(case: Case) -> bool:
    return isinstance(unqualified(case.inner), Named | Struct)


def _counted_beside(case: Case) -> bool:
    """Whether a count by value stands right beside it."""
    near = [
        case.signature.parameters[i]
        for i in (case.index - 1, case.index + 1)
        if 0 <= i < len(case.signature.parameters)
    ]
    free = free_counts(case.signature, case.index)
    return any(p in free for p in near)


def _place_counted(case: Case) -> Verdict | None:
    """A list of pointers has a count beside it, but for what makes one thing."""
    counts = [p for p in case.others if is_number_of(p)]
    one = case.index and _is_handle(case) and not is_plural(case.name)
    if one and evidence.is_marked_out(case.name) and not evidence.takes(case.function):
        return None
    if one and not free_counts(case.signature, case.index):
        return None
    if not counts or (_is_handle(case) and _is_out(case)):
        return None
    if evidence.creates(case.function) or evidence.allocates(case.function) or evidence.owns(case.function):
        returns = isinstance(unqualified(case.signature.result), Pointer)
        made = (
            evidence.creates(case.function)
            and not returns
            and case.name not in ("data", "args", "list", "array")
        )
        if (
            made
            or not free_counts(case.signature, case.index)
            or (evidence.owns(case.function) and not returns and not _counted_beside(case))
        ):
            return None
    return no("a count by value stands beside it: it may be a list")


def _place_of_numbers(case: Case) -> Verdict | None:
    """Rows of a matrix, unless the function makes an array."""
    inner = unqualified(case.inner)
    number = isinstance(inner, Scalar | Enum) and inner != CHAR
    length = any(is_length_place(p) for p in case.others)
    if number and case.told.many and not case.told.allocated and not _is_one_array(case):
        return no(f"{case.told.source} speaks of several")
    if number and case.told.way == OUT and (case.told.sure or case.told.tagged):
        return None
    if number and (_is_array_asked(case) or _is_marked(case)):
        return None
    if case.told.allocated or evidence.gives_pointer(case.function):
        return None
    if number and not length and not (evidence.allocates(case.function) and len(case.alike) == 1):
        return no("rows of numbers may go in")
    return None


def _is_array_asked(case: Case) -> bool:
    """Whether all that a function gives of an object is an array of numbers: ``list_types(h, int** types)``."""
    alone = len(case.alike) == 1 and not any(map(is_whole, case.others)) and any(map(is_object, case.others))
    type_ = unqualified(case.parameter.type.pointee) if isinstance(case.parameter.type, Pointer) else VOID
    constant = isinstance(type_, Pointer) and type_.const
    asks = evidence.fetches(case.function) or evidence.lists(case.function)
    return alone and (asks or (constant and evidence.goes_through(case.function)))


def _place_constant(case: Case) -> Verdict | None:
    """``const T**`` is a list that goes in, unless the function asks for something."""
    type_ = case.parameter.type
    assert isinstance(type_, Pointer)
    target = unqualified(type_.pointee)
    const = isinstance(target, Pointer) and target.const
    length = any(is_length_place(p) for p in case.others)
    asks = evidence.gets(case.function) or evidence.makes(case.function) or evidence.is_place_name(case.name)
    if const and not asks and not length and case.told.way != OUT:
        return no("const T** may be a list that goes in")
    return None


def _place_named(case: Case) -> Verdict | None:
    if evidence.is_place_name(case.name):
        return yes(f"its name, {case.name!r}")
    return None


def _place_mentioned(case: Case) -> Verdict | None:
    if case.told.way == OUT and not _counted_beside(case):
        return yes(f"{case.told.source} says that it comes out")
    return None


def _place_converted(case: Case) -> Verdict | None:
    """``str2dn(str, dn)``, ``dn_to_str(dn, str)``: the one comes out that the name has last."""
    from_, to = evidence.converts(case.function)
    if to and case.name.strip("_") in (to, f"p{to}"):
        return yes("the function is named after what it makes")
    if from_ and case.name.strip("_") in (from_, f"p{from_}"):
        return no("the function is named after what goes in")
    return None


def _place_made(case: Case) -> Verdict | None:
    own = case.index == 0 and not any(map(is_object, case.others))
    if own and evidence.goes_on(case.function):
        return no("a function of this name may go on with what it is given")
    if evidence.makes(case.function):
        return yes("a function of this name makes or finds what comes out")
    return None


def _place_measured(case: Case) -> Verdict | None:
    length = any(is_length_place(p) for p in case.others)
    if length and not evidence.is_both(case.name) and not _is_handle(case):
        return yes("the place of its length stands beside it")
    return None


def _place_ended(case: Case) -> Verdict | None:
    inner, parameters = unqualified(case.inner), case.signature.parameters
    ended = isinstance(inner, Named | Struct) and inner.name in case.around.ends
    edge = case.index == len(parameters) - 1 and len(case.alike) == 1 and any(map(is_object, case.others))
    rows = any(isinstance(place(p), Pointer) for p in case.others) or any(is_whole(p) for p in case.others)
    if ended and edge and not rows and tells(case.signature):
        return yes("the library has a function that ends what it gets")
    return None


def _place_behind(case: Case) -> Verdict | None:
    """The place of one handle behind what goes in, of a function that tells: ``read(const char*, config** config)``."""
    plain = not evidence.is_unnamed(case.name) and not evidence.is_both(case.name)
    tells_ = not isinstance(unqualified(case.signature.result), Void)
    # A function that returns what it also puts there may go on with what lies there.
    again = unqualified(case.signature.result) == case.target
    if (
        case.index
        and plain
        and tells_
        and not again
        and _is_handle(case)
        and not free_counts(case.signature, case.index)
    ):
        return yes("the place of one handle stands behind what goes in")
    return None


RULES: tuple[Rule, ...] = (
    _place_returned, _place_error, _place_end, _place_listed, _place_unnamed, _place_of_numbers,
    _place_text_got, quantities.before, _place_documented,
    _place_converted, _place_taken, _place_counted,
    _place_constant, _place_named, _place_mentioned, _place_made, _place_measured, _place_ended, _place_behind,
)  # fmt: skip


def comes_out(case: Case) -> bool:
    """Whether a place is an output, as far as these rules say."""
    if case.told.way in (INOUT, IN):
        return False
    answers = (rule(case) for rule in RULES)
    return any(answer.output for answer in [next((a for a in answers if a is not None), None)] if answer)
