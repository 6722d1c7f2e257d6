"""C++'s own choice among overloads: of numbers, enumerators and objects, by the rules of ISO C++ [over.match].

What Python gives is a value of a C++ type. A function that C++ would call counts even where samebytes refuses to
convert the value: that call is refused then, and no other overload answers. What is not decided here, the ranks of
:mod:`.overloads` decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _native
from ..frozen import frozen
from ..model.signature import Parameter
from ..types import (
    BOOL,
    SCALARS,
    VOID,
    WIDE,
    Array,
    CArray,
    Enum,
    Function,
    Named,
    Pointer,
    Scalar,
    Span,
    Struct,
    Target,
    Text,
    Type,
    scalar_for,
    unqualified,
)
from ..types.scalar import STORED
from ..values.conversion.numbers import limits
from ..values.later_type import complete
from .candidate import NONE_UNBOUND, Unbound
from .class_conversions import conversions_of, has_lost
from .conversion_sequences import (
    AMBIGUOUS,
    ANY,
    CONVERTED,
    DOUBLE,
    ELLIPSIS,
    EXACT,
    INT,
    KINDS,
    USER,
    Ics,
    Source,
    UndecidedError,
    best,
    compare,
    order,
    standard,
)
from .standard_classes import is_made_of

_LITERALS = (INT, SCALARS["int64"], SCALARS["uint64"])


def source_of(value: Any) -> Source | None:
    """What a value of Python's is in C++; None where that is not one of these types."""
    kind = type(value)
    if kind is bool or kind is np.bool_:
        return Source(BOOL)
    if kind is int:
        found = next((t for t in _LITERALS if _holds(t, value)), None)
        return Source(found) if found else None
    if kind is float:
        return Source(DOUBLE)
    if (enumeration := _enumeration(kind)) is not None:
        return Source(enumeration)
    described = getattr(kind, "__samebytes_type__", None)
    if isinstance(value, _native.Record) and isinstance(described, Struct):
        return Source(kind, _native.is_const(value))
    known = scalar_for(kind) if issubclass(kind, np.generic) else None
    if kind is np.longdouble and known is None:
        return Source(WIDE["long double"])
    return Source(known) if known is not None and known.kind in KINDS and known.name not in STORED else None


def _holds(type_: Scalar, value: int) -> bool:
    low, high = limits(type_)
    return low <= value <= high


@frozen
class Resolution:
    """What C++ makes of overloads and arguments.

    Attributes
    ----------
    winner : int or None
        The candidate that C++ calls; None where it is not known here, or there is none.
    leaning : int or None
        The same by the rules of GCC, which also decides some ties.
    viable : tuple of int
        The candidates that C++ can call, or may be able to; empty where that is not known here.
    tied : tuple of int
        All that C++ takes where it finds none better, of arguments that have C++ types: Python's int has no size.
    rivals : tuple of (int, int)
        Candidates, each with one that is not bound, and that C++ does not take after it.
    """

    winner: int | None = None
    leaning: int | None = None
    viable: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    rivals: tuple[tuple[int, int], ...] = ()


def resolve(
    parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]], own: int = 0,
    static: frozenset[int] = frozenset(), unbound: Unbound = NONE_UNBOUND,
) -> Resolution:  # fmt: skip
    """What C++ makes of a call.

    Parameters
    ----------
    parameters, values, own : mapping, mapping, int
        As of :func:`samebytes.call.overloads.choose`.
    static : frozenset of int
        The candidates whose object C++ does not look at.
    """
    every = {i: [source_of(value) for value in values[i]] for i in parameters}
    if not any(source for given in every.values() for source in given):
        return Resolution()
    alike = _alike(parameters, values)
    viable: dict[int, list[Ics]] = {}
    for i, declared in parameters.items():
        given = every[i]
        if any(source is None and n not in alike for n, source in enumerate(given)):
            return Resolution()
        free = {*alike, *range(own if i in static else 0)}
        sources = [None if n in free else source for n, source in enumerate(given)]
        if (found := sequences(sources, declared, own)) is not None:
            viable[i] = found
    templates = unbound.templates
    leaning = _certain(viable, pedantic=False, templates=templates)
    sure = all(one.certain for found in viable.values() for one in found)
    tied = sure and leaning is None and len(viable) > 1 and _have_types(viable, parameters, values)
    winner = _certain(viable, templates=templates)
    if winner is None and (likely := best(viable, templates=templates)) in unbound.every:
        winner = likely  # what C++ makes of its parameters is not known; no other one answers
    return Resolution(
        winner, leaning, tuple(viable), tuple(viable) if tied else (),
        tuple(_rivals(viable, unbound)) if unbound.every else (),
    )  # fmt: skip


def _rivals(viable: Mapping[int, Sequence[Ics]], unbound: Unbound) -> Iterator[tuple[int, int]]:
    """Each candidate with those that are not bound, and that C++ may take in its place, or find as good."""
    for i, one in viable.items():
        for j in viable.keys() & unbound.every - {i}:
            if order(one, viable[j], -(j in unbound.templates)) >= 0:
                yield i, j


def _have_types(
    viable: Iterable[int], parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]]
) -> bool:
    """Whether what tells candidates apart has a C++ type: an object, an enumerator, a number but for Python's own.

    Python's float has no size where the parameters' types differ, and goes to the one that is floating-point.
    """
    first, *others = viable
    if any(
        type(value) is float and n < len(parameters[i]) and parameters[i][n].value_type != one.value_type
        for n, (one, value) in enumerate(zip(parameters[first], values[first], strict=True))
        for i in others
    ):
        return False
    kinds = {
        type(value)
        for n, (one, value) in enumerate(zip(parameters[first], values[first], strict=True))
        if type(value) is not int
        or not all(_is_same(parameters[i], values[i], n, one, value) for i in others)
    }
    typed = any(
        issubclass(kind, np.generic | _native.Record | bool | float) or _enumeration(kind) is not None
        for kind in kinds
    )
    return typed and int not in kinds


def _is_same(
    parameters: Sequence[Parameter], values: Sequence[Any], n: int, parameter: Parameter, value: Any
) -> bool:
    """Whether the argument of a position is the same, and its parameter has the same type."""
    same = n < len(values) and values[n] is value
    return same and (parameters[n].type, parameters[n].passing) == (parameter.type, parameter.passing)


def _enumeration(kind: type) -> Enum | None:
    described = getattr(kind, "__samebytes_type__", None)
    return described if isinstance(described, Enum) else None


def _alike(parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]]) -> set[int]:
    """The positions of arguments without a type in C++ that every candidate takes in the same way."""
    first, *others = parameters
    return {
        n
        for n, (one, value) in enumerate(zip(parameters[first], values[first], strict=True))
        if source_of(value) is None and all(_is_same(parameters[i], values[i], n, one, value) for i in others)
    }


def sequences(
    sources: Sequence[Source | None], parameters: Sequence[Parameter], own: int = 0
) -> list[Ics] | None:
    """How C++ brings each argument to its parameter; None where it cannot bring one.

    Parameters
    ----------
    sources : sequence
        None for an argument that counts alike for all candidates.
    own : int
        The number of first arguments that C++ does not convert: the object of a member.
    """
    found: list[Ics] = []
    for position, (source, parameter) in enumerate(zip(sources, parameters, strict=True)):
        one = ANY if source is None else _possible(source, parameter, position >= own)
        if one is None:
            return None
        found.append(one)
    return found


def _possible(source: Source, parameter: Parameter, converts: bool = True) -> Ics | None:
    try:
        return sequence(source, parameter, converts=converts)
    except UndecidedError as error:
        return Ics(error.rank, by=object(), certain=False)


def _certain(
    viable: Mapping[Any, Sequence[Ics]], *, pedantic: bool = True, templates: frozenset[int] = frozenset()
) -> Any:
    """The best candidate if C++ can certainly call it: it is better than the others, whatever C++ makes of them."""
    found = best(viable, pedantic=pedantic, templates=templates)
    return found if found is not None and all(one.certain for one in viable[found]) else None


def sequence(source: Source, parameter: Parameter, *, converts: bool = True) -> Ics | None:
    """How C++ brings an argument to a parameter; None: not at all.

    Raises
    ------
    UndecidedError
        If that is not known here.
    """
    found = _sequence(source, parameter, converts)
    if found is None or found.cls is not None or parameter.passing == "value":
        return found
    # A reference to a temporary.
    moves = parameter.passing == "rvalue_ref"
    return replace(found, const=not parameter.may_write, binds=moves, onto=bare(parameter.spelling))


def _sequence(source: Source, parameter: Parameter, converts: bool) -> Ics | None:
    type_ = unqualified(parameter.value_type)
    converts = converts and parameter.converts
    writes = parameter.passing == "lvalue_ref" and parameter.may_write
    if parameter.is_ellipsis:
        return Ics(ELLIPSIS)
    if type_ == VOID:
        return _of_unknown(source, parameter)
    if isinstance(type_, Named):  # a class of which nothing is known, a base of the object's at best
        raise UndecidedError(CONVERTED if isinstance(source.type, type) else USER)
    if isinstance(source.type, type):
        return _of_object(source, parameter, type_, writes, converts)
    if isinstance(type_, Scalar | Enum) and not _is_class(type_):
        if writes:
            raise UndecidedError
        return standard(source.type, type_, bare(parameter.spelling))
    if isinstance(type_, _ADDRESSES) and not _is_class(type_):
        return None
    return _by_user(source, type_, parameter.passing) if converts and not writes else None


_ADDRESSES = (Pointer, Text, Target, CArray, Array)


def _is_class(type_: Type) -> bool:
    """Whether a type of one of these kinds is a class of the standard library: std::complex, std::span."""
    return isinstance(type_, Span) or (isinstance(type_, Scalar) and type_.kind not in KINDS)


def _by_user(source: Source, type_: Type, passing: str) -> Ics | None:
    """A conversion to a class, by a function of it or of the object's class.

    Raises
    ------
    UndecidedError
        Its rank is that of such a conversion.
    """
    try:
        if isinstance(type_, Struct):
            return _by_class(source, type_, passing)
        if _converts_to(source, type_):
            return Ics(USER, by=object())
        taken = is_made_of(source, type_, lambda t: sequence(source, Parameter("", t, str(t))))
        return Ics(USER, by=type_) if taken else None
    except UndecidedError:
        raise UndecidedError(USER) from None


def _converts_to(source: Source, type_: Type) -> bool:
    """Whether an object's class has a conversion operator to a class of the standard library."""
    if not isinstance(source.type, type):
        return False
    if has_lost(source.type):
        raise UndecidedError
    known = conversions_of(source.type)
    return any(unqualified(b.result) == type_ and not (b.writes and source.const) for b in known)


def bare(spelling: str) -> str:
    """The spelling of a parameter's type without ``const`` and reference."""
    return spelling.removeprefix("const ").rstrip(" &").removesuffix(" const")


def _of_object(source: Source, parameter: Parameter, type_: Type, writes: bool, converts: bool) -> Ics | None:
    if isinstance(type_, Struct) and (cls := taken_as(source.type, type_)) is not None:
        if parameter.passing == "rvalue_ref" or (writes and source.const):
            return None
        own = next(c for c in source.type.__mro__ if "__samebytes_type__" in vars(c))
        const = None if parameter.passing == "value" else not writes
        return Ics(EXACT if cls is own else CONVERTED, cls, const)
    if writes or not converts:
        return None
    if isinstance(type_, Scalar | Enum) and not _is_class(type_):
        return by_conversion(source, type_, bare(parameter.spelling))
    if isinstance(type_, _ADDRESSES) and not _is_class(type_):
        return _to_address(source, type_)
    return _by_user(source, type_, parameter.passing)


def _of_unknown(source: Source, parameter: Parameter) -> Ics:
    """Of what is not bound: a type that a template deduces, or that nobody knows here, at best the very one."""
    if not isinstance(source.type, type):
        return Ics(EXACT, certain=False)
    own = next(c for c in source.type.__mro__ if "__samebytes_type__" in vars(c))
    reads = source.const or (parameter.passing == "lvalue_ref" and not parameter.may_write)
    return Ics(EXACT, own, None if parameter.passing == "value" else reads, certain=False)


def _to_address(source: Source, type_: Type) -> Ics | None:
    """A conversion of an object to a pointer, by an operator of its class; its own address is another argument."""
    known = [b for b in conversions_of(source.type) if _is_text(b) and not (b.writes and source.const)]
    if isinstance(type_, Pointer) and isinstance(type_.target, Function):
        raise UndecidedError(USER)
    if not known:
        return None
    if not isinstance(type_, Pointer):
        raise UndecidedError(USER)
    ways = [(b, rank) for b in known if (rank := _of_pointers(unqualified(b.result), type_)) is not None]
    if len(ways) != 1:
        return Ics(USER, by=object()) if ways else None
    return Ics(USER, by=ways[0][0], then=ways[0][1])


def _of_pointers(given: Type, type_: Pointer) -> int | None:
    """The rank of a conversion of pointers; None: there is none."""
    if not isinstance(given, Pointer):
        if isinstance(given, Text) and given.spelling.startswith("std"):
            return None
        raise UndecidedError(USER)
    if given.const and not type_.const:
        return None
    one, other = unqualified(given.target), unqualified(type_.target)
    if isinstance(one, Struct) and isinstance(other, Struct) and one.name != other.name:
        raise UndecidedError(USER)
    return EXACT if one == other else CONVERTED if other == VOID else None


def _is_text(becomes: Any) -> bool:
    return isinstance(unqualified(becomes.result), Text | Pointer)


def taken_as(cls: type, target: Struct) -> type | None:
    """The class, an object's own or a base that is there once, that a parameter takes it as."""
    known = getattr(cls, "__samebytes_type__", None)
    if not isinstance(known, Struct) or target.name in known.twice:
        return None
    described = ((c, vars(c).get("__samebytes_type__")) for c in cls.__mro__)
    found = next((c for c, d in described if isinstance(d, Struct) and d.name == target.name), None)
    python: Any = getattr(target, "python", None)
    return found or (python if python is not None and issubclass(cls, python) else None)


def _by_class(source: Source, type_: Struct, passing: str) -> Ics | None:
    """A conversion to a class, by one of its constructors or an operator of the object's class."""
    python: Any = type_.python
    if python is None:
        raise UndecidedError
    ways: dict[Any, list[Ics]] = {}
    for maker in _constructors(python):
        if (one := sequence(source, maker.parameter, converts=False)) is not None:
            ways[maker.text] = [one]
    found, every = class_operator(source, type_, passing) if isinstance(source.type, type) else (None, [])
    if found is not None:
        ways[found.text] = [_of_operator(source, found)]
    elif every:
        return Ics(USER, by=object())
    if not ways:
        return None
    chosen = best(ways, templates={m.text for m in _constructors(python) if m.template})
    to_base = found is not None and chosen == found.text and not is_class(found, type_)
    return Ics(USER, by=chosen if chosen is not None else object(), then=CONVERTED if to_base else EXACT)


def class_operator(source: Source, type_: Struct, passing: str) -> tuple[Any, list[Any]]:
    """The conversion operator that gives an object of a class; None, and those in question, where C++ finds no one.

    A reference is bound to an object that an operator refers to before one that an operator makes
    (ISO C++ [dcl.init.ref]). GCC looks at these operators alone, be the object const or not.

    Parameters
    ----------
    passing : str
        Of the parameter that takes it.
    """
    every = [b for b in conversions_of(source.type) if is_class(b, type_) or _derives(b, type_)]
    if passing != "value":
        every = [b for b in every if b.passing == passing] or every
    usable = [b for b in every if not (b.writes and source.const)]
    ways = [(b, (_of_operator(source, b), Ics(EXACT if is_class(b, type_) else CONVERTED))) for b in usable]
    index = nearest([way for _, way in ways])
    found = None if index is None else ways[index][0]
    if found is not None and passing == "rvalue_ref" and found.passing == "lvalue_ref":
        return None, []  # what has a name is not moved from
    return found, [] if found is not None else usable


def is_class(becomes: Any, type_: Struct) -> bool:
    """Whether a conversion operator gives objects of just a class."""
    given = unqualified(becomes.result)
    return isinstance(given, Struct) and given.name == type_.name


def _derives(becomes: Any, type_: Struct) -> bool:
    given = unqualified(becomes.result)
    return isinstance(given, Struct) and type_.name in getattr(given.python, "__samebytes_bases__", {})


def _of_operator(source: Source, becomes: Any) -> Ics:
    """How C++ brings an object to a conversion operator; one that is not const to its own, where there is one."""
    return Ics(EXACT, source.type, source.const or not becomes.own)


def by_conversion(source: Source, type_: Scalar | Enum, spelled: str) -> Ics | None:
    """A conversion of an object to a number, by an operator of its class, and what C++ makes of that."""
    ways: dict[Any, tuple[Ics, Ics]] = {}
    known = conversions_of(source.type)
    for number, becomes in enumerate(known):
        given = unqualified(becomes.result)
        if not isinstance(given, Scalar | Enum) or (becomes.writes and source.const):
            continue
        own = bare(becomes.name.removeprefix("operator "))
        if (then := standard(given, type_, spelled, own)) is not None:
            ways[number] = _of_operator(source, becomes), then
    if not ways:
        return None
    index = nearest([*ways.values()])
    chosen = None if index is None else [*ways][index]
    if has_lost(source.type) and (chosen is None or ways[chosen][1].rank):
        return Ics(USER, by=object())  # one that C++ would refuse may be nearer
    if chosen is None:
        return Ics(USER, by=AMBIGUOUS)
    return Ics(USER, by=known[chosen], then=ways[chosen][1].rank)


def nearest(ways: Sequence[tuple[Ics, Ics]]) -> int | None:
    """Which conversion operator is better than each other one; None where there is none."""
    return next(
        (i for i, way in enumerate(ways) if all(i == j or _nearer(way, o) for j, o in enumerate(ways))), None
    )


def _nearer(one: tuple[Ics, Ics], other: tuple[Ics, Ics]) -> bool:
    """Whether a conversion operator is better: by its object, else by what follows (ISO C++ [over.match.best])."""
    return (compare(one[0], other[0]) or compare(one[1], other[1])) < 0


def _constructors(python: Any) -> tuple[Any, ...]:
    """The constructors that C++ calls by itself (:class:`.implicit.Maker`)."""
    complete(python)
    if hasattr(python.__dict__.get("__samebytes_new__"), "__samebytes_deduces__"):
        raise UndecidedError  # templates
    makers: tuple[Any, ...] = python.__dict__.get("__samebytes_makers__", ())
    return makers
