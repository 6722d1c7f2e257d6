"""Which pointers to numbers are arrays, in any C API: told by counts beside them and by their names.

An array that is taken for one output is written behind its end; an output that is taken for an array is only a place
that the caller has to bring. So what is in doubt goes in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...model.signature import Parameter, Signature
from ...types import CArray, Enum, Named, Pointer, Scalar, Struct, Type, unqualified
from . import vocabulary

_UNNAMED = re.compile(r"arg\d+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SEVERAL = 4  # so many outputs alone, and nothing that goes in, are known


def arrays(signature: Signature) -> set[int]:
    """The indices of pointers to numbers, not const, that point to more than one, or may.

    They are those right before or behind a count by value, with their neighbours of the same kind; all others of the
    numbers that are counted there; what is many by its name; what nothing has a name for and a number stands right
    behind; and all in functions that take everything by address, as Fortran does.
    """
    parameters = signature.parameters
    if _is_all_numbers(parameters):
        return {i for i, p in enumerate(parameters) if _may_fill(p)}
    if _is_fortran(signature) or _takes_parts(parameters):
        return {i for i, p in enumerate(parameters) if _may_fill(p) and not _is_one(p)}
    counted = set(_counted(parameters))
    found = {i for i in counted if _may_fill(parameters[i])}
    kinds = {_element(parameters[i]) for i in counted}
    for i, p in enumerate(parameters):
        if _may_fill(p) and not _is_one(p) and (is_many(p.name) or _element(p) in kinds):
            found.add(i)
    return found | _unknowns(parameters)


def _unknowns(parameters: tuple[Parameter, ...]) -> set[int]:
    """An ``x`` without a ``y`` is a vector: ``nlopt_optimize(opt, double* x, double* opt_f)``."""
    names = [p.name for p in parameters]
    alone = [i for i, p in enumerate(parameters) if p.name == "x" and _may_fill(p)]
    return {i for i in alone if "y" not in names and getattr(_element(parameters[i]), "kind", "") == "float"}


def _is_all_numbers(parameters: tuple[Parameter, ...]) -> bool:
    """Whether all are numbers that go by address: ``METIS_PartGraphKway(idx_t* nvtxs, idx_t* ncon, …)``."""
    return len(parameters) > _SEVERAL and all(_may_fill(p) or _fills_numbers(p) for p in parameters)


def lists(signature: Signature) -> set[int]:
    """The indices of places of pointers, ``T**``, that are lists: many by name with a count beside them.

    Where a declaration gives no names, one count behind a pointer is enough for all places of its function, and for all
    numbers behind pointers: ``XInternAtoms(Display*, char**, int, Bool, Atom*)``.
    """
    parameters = signature.parameters
    places = [i for i, p in enumerate(parameters) if _is_pointer(p) and isinstance(_element(p), Pointer)]
    if all(_UNNAMED.fullmatch(p.name) for p in parameters):
        filled = {i for i, p in enumerate(parameters) if _may_fill(p)}
        counted = any(i in places or i in filled for _, i in _behind(parameters))
        return {*places, *filled} if places and counted else set()
    counted = any(_is_whole(p) and _is_count(p.name) for p in parameters)
    return {i for i in places if counted and is_plural(parameters[i].name)}


def counted_by_place(signature: Signature) -> set[int]:
    """The indices of what comes in two calls: a count by pointer, and the many right behind it, as Vulkan asks."""
    places = [i for i, p in enumerate(signature.parameters) if _is_pointer(p)]
    found: set[int] = set()
    for i in places:
        count = signature.parameters[i]
        if i + 1 in places and _may_fill(count) and vocabulary.COUNT_PLACES.fullmatch(count.name):
            many = signature.parameters[i + 1]
            if isinstance(many.type, Pointer) and not many.type.const and is_plural(many.name):
                found |= {i, i + 1}
    return found


def _counted(parameters: tuple[Parameter, ...]) -> Iterator[int]:
    """The pointers to numbers that have a count by value: named after them, right behind them, or else right before."""
    claimed = dict(_by_name(parameters))
    yield from (i for i in claimed.values() if _holds_numbers(parameters[i]))
    for j, i in _behind(parameters):
        if j not in claimed and _may_claim(parameters[i]) and _counts(parameters, j, i):
            claimed[j] = i
            if _holds_numbers(parameters[i]):
                yield i
                yield from _run(parameters, range(i - 1, -1, -1))
    for j, p in enumerate(parameters):
        counts_bytes = j in claimed and not _holds_numbers(parameters[claimed[j]])
        if not counts_bytes and _is_whole(p) and _is_count(p.name):
            yield from _run(parameters, range(j + 1, len(parameters)))


def _run(parameters: tuple[Parameter, ...], places: Iterable[int]) -> Iterator[int]:
    """The pointers to numbers among neighbours, up to what is something else."""
    for i in places:
        if not _holds_numbers(parameters[i]):
            return
        if not _is_one(parameters[i]):
            yield i


def is_named_after(count: str, data: str) -> bool:
    """Whether a number is named after what it counts: ``numOptions`` after ``options``, ``n_ids`` after ``ids``."""
    name = re.escape(data.strip("_").lower().removeprefix("p_").removesuffix("s"))
    plain = re.sub(r"(?<=[^aeiou])ies$", "y", count.strip("_").lower())
    return (
        re.fullmatch(
            rf"p?(num|n|nb|len|size|count)_?(of_?)?{name}s?|p?{name}s?_?(size|count|cnt|len|length|num|n)",
            plain,
        )
        is not None
    )


def _by_name(parameters: tuple[Parameter, ...]) -> Iterator[tuple[int, int]]:
    """Counts by value, and the pointers that they are named after: ``uint32_t cuMaskSize, uint32_t* cuMask``."""
    for i, p in enumerate(parameters):
        if not _is_pointer(p) or _UNNAMED.fullmatch(p.name):
            continue
        name = re.escape(p.name.strip("_"))
        measure = re.compile(
            rf"(?i)_?((num|n|nb|len|size)_?{name}|{name}_?(size|count|len|length|num|n|nelems?|bytes|dim))"
        )
        for j, number in enumerate(parameters):
            if _is_whole(number) and measure.fullmatch(number.name):
                yield j, i


def _behind(parameters: tuple[Parameter, ...]) -> Iterator[tuple[int, int]]:
    """Numbers by value, and the pointers right before them."""
    for i, p in enumerate(parameters[:-1]):
        if _is_pointer(p) and _is_whole(parameters[i + 1]):
            yield i + 1, i


def _counts(parameters: tuple[Parameter, ...], j: int, i: int) -> bool:
    """Whether a number by value behind a pointer counts what that points to."""
    name = parameters[j].name
    if vocabulary.NEVER_ARRAYS.fullmatch(parameters[i].name):
        return False
    if _is_count(name) or _UNNAMED.fullmatch(name):
        return True
    extents = is_many(name) or any(vocabulary.EXTENTS.fullmatch(word) for word in _words(name))
    return not _is_one(parameters[i]) and extents


def _may_claim(parameter: Parameter) -> bool:
    """Whether a number behind a pointer may be its length: of objects only where there are many."""
    return not isinstance(_element(parameter), Named | Struct) or is_many(parameter.name)


def _is_count(name: str) -> bool:
    words = _words(name)
    if not words or vocabulary.NO_COUNTS.fullmatch(name.lower()):
        return False
    return vocabulary.SHORT_COUNTS.fullmatch(name) is not None or any(
        vocabulary.COUNTING_WORDS.fullmatch(w) for w in (words[0], words[-1])
    )


def is_many(name: str) -> bool:
    """Whether a name says that there are many: a plural, ``data``."""
    words = _words(name)
    return is_plural(name) or (bool(words) and vocabulary.MANY.fullmatch(words[-1]) is not None)


def is_plural(name: str) -> bool:
    words = _words(name)
    if re.fullmatch(r"(?i)n\w*ids?p?v?", name) and not re.fullmatch(r"(?i)n_?ids?|n\w*idp?", name):
        return True
    if vocabulary.NUMBERS_OF.fullmatch(vocabulary.OUT_MARK.sub("", name)) or not words:
        return False
    last = words[-1].removesuffix("p") if words[-1].endswith("sp") else words[-1]
    if last in ("children", "people", "vertices", "indices", "matrices"):
        return True
    return len(last) > 2 and last.endswith("s") and not vocabulary.ONE_WITH_S.fullmatch(last)


def _is_one(parameter: Parameter) -> bool:
    words = _words(parameter.name)
    return bool(words) and vocabulary.ONE_BESIDE_ARRAYS.fullmatch(words[-1]) is not None


def _words(name: str) -> list[str]:
    return [part.lower() for part in _PARTS.findall(name)]


def _fills_numbers(parameter: Parameter) -> bool:
    """Whether a parameter is the place of an array's address, ``idx_t** r_xadj``."""
    inner = _element(parameter) if _is_pointer(parameter) else None
    return isinstance(inner, Pointer) and isinstance(inner.target, Scalar)


def _is_fortran(signature: Signature) -> bool:
    """Whether all goes by address: ``dgemm_(const char* transa, const int* m, …)``."""
    parameters = signature.parameters
    addresses = sum(map(_is_pointer, parameters))
    sizes = any(_holds_numbers(p) and not _may_fill(p) for p in parameters)
    return signature.name.endswith("_") and addresses > 1 and sizes


def _takes_parts(parameters: tuple[Parameter, ...]) -> bool:
    """Whether arrays of starts and counts say which part is meant: ``const size_t* startp, const size_t* countp``."""
    return any(
        _holds_numbers(p) and not _may_fill(p) and vocabulary.PARTS_OF_ARRAYS.fullmatch(p.name) is not None
        for p in parameters
    )


def _is_pointer(parameter: Parameter) -> bool:
    return isinstance(parameter.type, Pointer) and parameter.passing == "value"


def _element(parameter: Parameter) -> Type:
    type_ = parameter.type
    assert isinstance(type_, Pointer)
    return type_.target


def _holds_numbers(parameter: Parameter) -> bool:
    """Whether a parameter points to numbers of more than a byte, or rows of them."""
    if not _is_pointer(parameter):
        return False
    target = _element(parameter)
    target = unqualified(target.element) if isinstance(target, CArray) else target
    return isinstance(target, Enum) or (isinstance(target, Scalar) and target.size > 1)


def _may_fill(parameter: Parameter) -> bool:
    return _holds_numbers(parameter) and isinstance(parameter.type, Pointer) and not parameter.type.const


def _is_whole(parameter: Parameter) -> bool:
    type_ = unqualified(parameter.type)
    return parameter.passing == "value" and isinstance(type_, Scalar) and type_.kind in ("int", "uint")
