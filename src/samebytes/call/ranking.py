"""C++'s own choice among overloads: of numbers, enumerators and objects, by the rules of ISO C++ [over.match].

What Python gives is a value of a C++ type. A function that C++ would call counts even where samebytes refuses to
convert the value: that call is refused then, and no other overload answers. What is not decided here, the ranks of
:mod:`.overloads` decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _native
from ..frozen import frozen
from ..model.signature import Parameter
from ..types import BOOL, CHAR, SCALARS, Enum, Pointer, Scalar, Struct, Text, Type, scalar_for, unqualified
from ..types.scalar import STORED
from ..values.conversion.numbers import limits
from ..values.later_type import complete

EXACT, PROMOTED, CONVERTED, USER = range(4)
_INT, _DOUBLE = SCALARS["int32"], SCALARS["float64"]
_KINDS = frozenset({"bool", "int", "uint", "float"})
# Types of their own that have the format of another one.
_DISTINCT = frozenset({"long long", "unsigned long long", "wchar_t", "char8_t", "char16_t", "char32_t"})
_LITERALS = (_INT, SCALARS["int64"], SCALARS["uint64"])


class UndecidedError(Exception):
    """C++'s rank of a conversion is not known here."""


@frozen
class Source:
    """What an argument is in C++.

    Attributes
    ----------
    type : Scalar, Enum or type
        Of an object its Python class.
    const : bool
        Whether C++ may only read it.
    """

    type: Any
    const: bool = False


@frozen
class Ics:
    """How C++ brings an argument to a parameter (ISO C++ [over.best.ics]).

    Attributes
    ----------
    rank : int
        EXACT, PROMOTED, CONVERTED or USER.
    cls : type or None
        The class that an object is taken as.
    const : bool or None
        Of a reference: whether it is one to const.
    step : int
        Of two conversions of one rank, the nearer one.
    by : object
        What converts it, of a class.
    then : int
        The rank of what follows that.
    """

    rank: int
    cls: Any = None
    const: bool | None = None
    step: int = 0
    by: Any = None
    then: int = 0


ANY = Ics(-1)  # a static function takes any object, and no better or worse


def source_of(value: Any) -> Source | None:
    """What a value of Python's is in C++; None where that is not one of these types."""
    kind = type(value)
    if kind is bool or kind is np.bool_:
        return Source(BOOL)
    if kind is int:
        found = next((t for t in _LITERALS if _holds(t, value)), None)
        return Source(found) if found else None
    if kind is float:
        return Source(_DOUBLE)
    described = getattr(kind, "__samebytes_type__", None)
    if isinstance(described, Enum):
        return Source(described)
    if isinstance(value, _native.Record) and isinstance(described, Struct):
        # C++ gave it as const, or what Python has is a copy that nobody may change.
        return Source(kind, _native.is_const(value) or _native.is_copy(value))
    known = scalar_for(kind) if issubclass(kind, np.generic) else None
    return Source(known) if known is not None and known.kind in _KINDS and known.name not in STORED else None


def _holds(type_: Scalar, value: int) -> bool:
    low, high = limits(type_)
    return low <= value <= high


def winner(
    parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]], own: int = 0,
    static: frozenset[int] = frozenset(),
) -> tuple[int | None, int | None]:  # fmt: skip
    """The candidate that C++ calls, and the one that GCC would call; None where it is not known here, or there is none.

    Parameters
    ----------
    parameters, values, own : mapping, mapping, int
        As of :func:`samebytes.call.overloads.choose`.
    static : frozenset of int
        The candidates whose object C++ does not look at.
    """
    every = {i: [source_of(v) for v in values[i]] for i in parameters}
    if any(s is None for sources in every.values() for s in sources):
        return None, None
    try:
        found = {i: _sequences(parameters[i], every[i], own, i in static) for i in parameters}
    except UndecidedError:
        return None, None
    viable = {i: s for i, s in found.items() if s is not None}
    return best(viable), best(viable, pedantic=False)


def _sequences(
    parameters: Sequence[Parameter], sources: Sequence[Any], own: int, static: bool
) -> list[Ics] | None:
    found: list[Ics] = []
    for position, (parameter, source) in enumerate(zip(parameters, sources, strict=True)):
        is_object = position < own
        one = ANY if is_object and static else sequence(source, parameter, converts=not is_object)
        if one is None:
            return None
        found.append(one)
    return found


def best(found: Mapping[Any, Sequence[Ics]], *, pedantic: bool = True) -> Any:
    """The only candidate that is better than each other one; None if there is none."""
    for i, one in found.items():
        if all(i == j or order(one, other, pedantic=pedantic) < 0 for j, other in found.items()):
            return i
    return None


def order(one: Sequence[Ics], other: Sequence[Ics], tie: int = 0, *, pedantic: bool = True) -> int:
    """Below zero: the first candidate is better; ``tie`` decides where no argument does.

    Of two that ISO C++ calls ambiguous GCC takes the one whose worst conversion is better, and only warns.
    """
    orders = [compare(a, b) for a, b in zip(one, other, strict=True)]
    if all(o <= 0 for o in orders) or all(o >= 0 for o in orders):
        return sum(orders) or tie
    return 0 if pedantic else max(a.rank for a in one) - max(b.rank for b in other) or tie


def compare(a: Ics, b: Ics) -> int:
    """Below zero: the first conversion is better (ISO C++ [over.ics.rank])."""
    if ANY in (a, b):
        return 0
    if a.rank != b.rank:
        return a.rank - b.rank
    if a.rank == USER:
        return a.then - b.then if a.by == b.by else 0
    if a.cls is not None and b.cls is not None and a.cls is not b.cls:
        return -1 if issubclass(a.cls, b.cls) else 1 if issubclass(b.cls, a.cls) else 0
    if a.const is not None and b.const is not None and a.const != b.const:
        return -1 if b.const else 1
    return a.step - b.step


def sequence(source: Source, parameter: Parameter, *, converts: bool = True) -> Ics | None:
    """How C++ brings an argument to a parameter; None: not at all.

    Raises
    ------
    UndecidedError
        If that is not known here.
    """
    type_ = unqualified(parameter.value_type)
    writes = parameter.passing == "lvalue_ref" and parameter.may_write
    if isinstance(source.type, type):
        return _of_object(source, parameter, type_, writes, converts)
    if isinstance(type_, Scalar) and type_.kind not in _KINDS:
        return Ics(USER, by=type_)  # std::complex
    if isinstance(type_, Scalar | Enum):
        if writes:
            raise UndecidedError
        return standard(source.type, type_, _bare(parameter.spelling))
    if isinstance(type_, Struct):
        return _by_class(source, type_) if converts and not writes else None
    if isinstance(type_, Pointer | Text):
        return None
    raise UndecidedError


def _bare(spelling: str) -> str:
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
    if isinstance(type_, Struct):
        return _by_class(source, type_)
    if isinstance(type_, Scalar | Enum):
        return by_conversion(source, type_, _bare(parameter.spelling))
    if isinstance(type_, Text) and not any(map(_is_text, conversions_of(source.type))):
        return None
    raise UndecidedError


def _is_text(becomes: Any) -> bool:
    return isinstance(unqualified(becomes.result), Text | Pointer)


def taken_as(cls: type, target: Struct) -> type | None:
    """The class, an object's own or a base, that a parameter takes it as."""
    described = ((c, vars(c).get("__samebytes_type__")) for c in cls.__mro__)
    found = next((c for c, d in described if isinstance(d, Struct) and d.name == target.name), None)
    python: Any = getattr(target, "python", None)
    return found or (python if python is not None and issubclass(cls, python) else None)


def standard(source: Scalar | Enum, target: Scalar | Enum, spelled: str = "") -> Ics | None:
    """A standard conversion (ISO C++ [conv]) of a number or an enumerator."""
    if isinstance(target, Enum):
        return Ics(EXACT) if isinstance(source, Enum) and source.name == target.name else None
    if isinstance(source, Enum):
        return None if source.scoped else _of_enum(source.underlying, target)
    if source == target and spelled not in _DISTINCT:
        return Ics(EXACT)
    return Ics(PROMOTED if promoted(source) == target and spelled not in _DISTINCT else CONVERTED)


def _of_enum(underlying: Scalar, target: Scalar) -> Ics:
    """GCC's enumerations without a type of their own are unsigned, and promoted to int all the same."""
    if underlying == SCALARS["uint32"]:
        if target == underlying:
            raise UndecidedError
        return Ics(PROMOTED if target == _INT else CONVERTED)
    if target == underlying:
        return Ics(PROMOTED)
    return Ics(PROMOTED if target == promoted(underlying) else CONVERTED, step=1)


def promoted(type_: Scalar) -> Scalar:
    """ISO C++ [conv.prom], [conv.fpprom]."""
    if type_.kind == "float":
        return _DOUBLE
    return _INT if type_.size < _INT.size or type_ == CHAR else type_


def _by_class(source: Source, type_: Struct) -> Ics | None:
    """A conversion to a class, by one of its constructors or an operator of the object's class."""
    python: Any = type_.python
    if python is None:
        raise UndecidedError
    ways: dict[Any, list[Ics]] = {}
    for maker in _constructors(python):
        if (one := sequence(source, maker.parameter, converts=False)) is not None:
            ways[maker.text] = [one]
    for becomes in conversions_of(source.type) if isinstance(source.type, type) else ():
        given = unqualified(becomes.result)
        if isinstance(given, Struct) and (given.name == type_.name or _derives(given, type_)):
            ways[becomes.text] = [_of_operator(source, becomes.writes)]
    if not ways:
        return None
    chosen = best(ways)
    return Ics(USER, by=chosen if chosen is not None else object())


def _derives(given: Struct, type_: Struct) -> bool:
    return type_.name in getattr(given.python, "__samebytes_bases__", {})


def _of_operator(source: Source, writes: bool) -> Ics:
    return Ics(EXACT, source.type, not writes)


def by_conversion(source: Source, type_: Scalar | Enum, spelled: str) -> Ics | None:
    """A conversion of an object to a number, by an operator of its class, and what C++ makes of that."""
    ways: dict[Any, tuple[Ics, Ics]] = {}
    known = conversions_of(source.type)
    for number, becomes in enumerate(known):
        given = unqualified(becomes.result)
        if not isinstance(given, Scalar | Enum) or (becomes.writes and source.const):
            continue
        if (then := standard(given, type_, spelled)) is not None:
            ways[number] = _of_operator(source, becomes.writes), then
    if not ways:
        return None
    chosen = next(
        (i for i, way in ways.items() if all(i == j or _nearer(way, o) for j, o in ways.items())), None
    )
    if chosen is None:
        return Ics(USER, by=object())
    return Ics(USER, by=known[chosen], then=ways[chosen][1].rank)


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


def conversions_of(cls: type) -> list[Any]:
    """The conversions (:class:`.implicit.Becomes`) that C++ finds: a class hides its bases' to the same type."""
    complete(cls)
    found: list[tuple[type, Any]] = []
    for owner in cls.__mro__:
        for becomes in vars(owner).get("__samebytes_becomes__", ()):
            type_ = str(unqualified(becomes.result))
            if not any(
                issubclass(o, owner) and o is not owner and str(unqualified(b.result)) == type_
                for o, b in found
            ):
                found.append((owner, becomes))
    return [becomes for _, becomes in found]
