"""Which overload a call means: exact matches before lossless ones before the rest; a tie is no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _native
from ..arrays import protocols
from ..errors import COPIED, POINTS_TO_CONST, Mismatch, ProtocolError
from ..frozen import frozen
from ..model.signature import Parameter
from ..model.slots import storage_type
from ..types import (
    SCALARS,
    VOID,
    WIDE,
    Array,
    Container,
    Enum,
    Function,
    Named,
    Pointer,
    Scalar,
    Type,
    unqualified,
)
from ..values.conversion import enums, numbers
from ..values.conversion.base import runs_out
from . import ranking
from .candidate import NONE_UNBOUND, Unbound
from .frame import convert_argument

BEST, EXACT, LOSSLESS, CONVERTED, LAST = range(-1, 4)
USER = 6  # by a constructor or a conversion operator of C++'s: after everything else but the next
ELLIPSIS = 7  # (ISO C++ [over.ics.rank])


@frozen
class Fit:
    """How well an argument fits a parameter; of two of one rank, what it is taken as decides.

    Attributes
    ----------
    rank : float
        BEST, EXACT, LOSSLESS, CONVERTED, LAST, USER, ELLIPSIS or between them: the smaller, the better.
    cls : type or None
        The class that an object is taken as: its own is nearer than a base, a base nearer than that one's own
        bases, and two bases of which neither is the other's are equally near (ISO C++ [over.ics.rank] 4.4).
    const : bool or None
        Of a reference or a pointer whether C++ may not write to it: behind the same class without const. None: C++
        gets a copy, which is no better and no worse than either.
    by : object
        The function by which C++ converts it; of a Pointer, what the parameter points to.
    step : int
        How far what that gives is from the parameter: of one function's results the nearest is best, those of several
        are equally good (ISO C++ [over.ics.rank] 3.3).
    binds : bool or None
        Of a reference to a temporary: whether it is a ``T&&``, which is better. None: C++ gets a copy, which is
        no better and no worse than either.
    onto : object
        The class that this temporary has; None: it is a number.
    """

    rank: float
    cls: type | None = None
    const: bool | None = None
    by: object = None
    step: int = 0
    binds: bool | None = None
    onto: object = None

    def __le__(self, other: Fit) -> bool:
        if self.by is not None and self.by == other.by:
            return self.step < other.step or (self.step == other.step and self._binds(other))
        if self.rank != other.rank:
            return self.rank < other.rank
        if self.cls is None or other.cls is None:
            return self._binds(other)
        if issubclass(self.cls, other.cls):
            alike = None in (self.const, other.const) or self.const <= other.const  # type: ignore[operator]
            return alike or not issubclass(other.cls, self.cls)
        return False

    def _binds(self, other: Fit) -> bool:
        """Whether a reference to a temporary is as good as another one."""
        if None in (self.binds, other.binds) or self.onto != other.onto:
            return True
        return bool(self.binds) or not other.binds


# How well an argument that does not fit as it is fits when C++ has converted it; None: C++ does not convert it.
Convertible = Callable[[Parameter, Any, str], Fit | None]

# Python int: the smallest of int, long, long long that holds it (design, "Overloads").
_INT_ORDER = {"int": 0, "long": 1, "long long": 2}


def _rank_bool(type_: Type, value: Any, parameter: Parameter) -> int:
    return EXACT


def _rank_int(type_: Type, value: int, parameter: Parameter) -> int:
    if not isinstance(type_, Scalar) or type_.kind not in ("int", "uint"):
        return USER if _is_complex(type_) else LAST
    spelled = parameter.spelling.removeprefix("const ").rstrip(" &")
    return _INT_ORDER.get(spelled, CONVERTED) if type_.kind == "int" else CONVERTED


def _rank_derived_int(type_: Type, value: int, parameter: Parameter) -> float:
    """An enumerator or another int of a class of its own: its enumeration, else what an int is."""
    if isinstance(type_, Enum):
        return _rank_other(type_, value, parameter)
    found = _rank_int(type_, value, parameter)
    return found + 0.5 if found < LAST else found  # behind a parameter of its own class


def _rank_float(type_: Type, value: float, parameter: Parameter) -> int:
    if type_ == SCALARS["float64"]:
        return EXACT
    if _is_complex(type_):
        return USER
    return CONVERTED if isinstance(type_, Scalar) and type_.kind == "float" else LAST


def _is_complex(type_: Type) -> bool:
    """Whether C++ makes it of a real number by a constructor, which any standard conversion comes before."""
    return isinstance(type_, Scalar) and type_.kind == "complex"


def _rank_text(type_: Type, value: str | bytes, parameter: Parameter) -> int:
    """Text is text, however long: a character is what it is where nothing takes text; so is text of wide ones."""
    if isinstance(value, str) and isinstance(type_, Pointer) and type_.character:
        return USER
    return LAST if isinstance(type_, Scalar) else _rank_other(type_, value, parameter)


def _rank_complex(type_: Type, value: complex, parameter: Parameter) -> int:
    return EXACT if type_ == SCALARS["complex128"] else CONVERTED


def _rank_numpy_scalar(type_: Type, value: Any, parameter: Parameter) -> int:
    if not isinstance(type_, Scalar):
        return LAST
    if type_.dtype == value.dtype:
        return EXACT
    if not np.can_cast(value.dtype, type_.dtype):
        return LAST
    return LOSSLESS if type_ == _PROMOTED.get(type_.kind) else CONVERTED


# What C++ promotes smaller numbers to (ISO C++ [conv.prom], [conv.fpprom]).
_PROMOTED = {"int": SCALARS["int32"], "float": SCALARS["float64"]}


def _rank_instance(type_: Type, value: Any, parameter: Parameter) -> Fit:
    aimed = isinstance(type_, Pointer) and parameter.passing == "value"
    target = type_.target if isinstance(type_, Pointer) else type_
    cls = _taken_as(type(value), target)
    rank = (EXACT if cls else CONVERTED) + (BY_ADDRESS if aimed else 0)
    if isinstance(type_, Pointer) and aimed:
        return Fit(rank, cls, type_.const)
    # As for an lvalue in C++: T& before const T&.
    return Fit(rank, cls, None if parameter.passing == "value" else not parameter.may_write)


# An object means itself, T& and its like, before its address, as C++ has an operator for that.
BY_ADDRESS = 2.5


def _taken_as(cls: type, target: Type) -> type | None:
    """The class, an object's own or a base that is there once, that a parameter takes it as."""
    described = ((c, getattr(c, "__samebytes_type__", None)) for c in cls.__mro__)
    name = getattr(target, "name", "")
    if name in getattr(getattr(cls, "__samebytes_type__", None), "twice", ()):
        return None
    found = next((c for c, d in described if d == target or (name and getattr(d, "name", "") == name)), None)
    python: type | None = getattr(target, "python", None)
    beside = python is not None and issubclass(cls, python)  # a base that is not in the order of Python's
    return found or (python if beside else None)


def _rank_array(type_: Type, value: Any, parameter: Parameter) -> int:
    if isinstance(type_, Pointer) and type_.target == VOID:
        return CONVERTED
    if isinstance(type_, Array | Pointer):
        # A writable array prefers the parameter that may write, as C++ prefers T& to const T& for an lvalue.
        return LOSSLESS if type_.const and not protocols.view(value).readonly else EXACT
    return CONVERTED


def _rank_pointer(type_: Type, value: Any, parameter: Parameter) -> float | Fit:
    """An address: of parameters that point to the same, the one that is as const as it is."""
    if not isinstance(type_, Pointer):
        return _rank_other(type_, value, parameter)
    const, mutable = type_.levels
    return Fit(
        EXACT, by=type_.target, step=2 if value._const_levels & mutable else const != value._const_levels
    )


def _rank_other(type_: Type, value: Any, parameter: Parameter) -> int:
    if isinstance(type_, Pointer) and isinstance(type_.target, Function):
        return EXACT if value is None or isinstance(value, _native.Pointer) else CONVERTED
    if value is None and parameter.spelling.endswith("nullptr_t"):
        return BEST  # its very type, where for others nullptr is converted (ISO C++ [conv.ptr])
    if isinstance(type_, Array | Pointer):
        placeless = isinstance(value, str | bytes | _native.Pointer) or value is None
        if placeless:
            return EXACT
        try:
            return _rank_array(type_, value, parameter)
        except ProtocolError:  # one value, for a pointer to const
            return LAST
    return EXACT if isinstance(type_, Enum) and enums.is_class_of(type_, type(value)) else CONVERTED


_Rule = Callable[[Type, Any, Parameter], float | Fit]
_RANKS: tuple[tuple[type | tuple[type, ...], _Rule], ...] = (
    (bool, _rank_bool),
    (int, _rank_derived_int),
    (np.generic, _rank_numpy_scalar),
    (float, _rank_float),
    (complex, _rank_complex),
    ((str, bytes), _rank_text),
    ((_native.Value, _native.Record), _rank_instance),
    (_native.Pointer, _rank_pointer),
    (np.ndarray, _rank_array),
)


# An object that says a number is that number, in order: one that says an integer is one.
_SPOKEN: tuple[tuple[str, _Rule], ...] = (
    ("integer", _rank_derived_int),
    ("floating", _rank_float),
    ("complex", _rank_complex),
)


def rank(
    parameter: Parameter, value: Any, dialect: str, convertible: Convertible | None = None
) -> Fit | None:
    """How well a value fits a parameter; None: not at all."""
    if parameter.is_ellipsis:
        return Fit(ELLIPSIS)
    type_ = unqualified(storage_type(parameter))
    if (guess := unknown_rule(parameter.value_type)) is not None:
        return guess(parameter.value_type, value, parameter)
    try:
        convert_argument(parameter, value, dialect)
    except Mismatch as mismatch:
        if mismatch.advice == POINTS_TO_CONST and isinstance(value, _native.Pointer):
            return _rank(
                type_, value, parameter
            )  # nobody knows to what it points: the others may be as wrong
        if mismatch.advice == COPIED:
            return _rank(type_, value, parameter)  # C++ calls it, and with what it has
        if runs_out(parameter.value_type, value):
            return Fit(LAST)  # it is asked for its elements once, when the overload is chosen
        return _converted(parameter, value, dialect, convertible) if convertible else None
    found = _rank(type_, value, parameter)
    # A converted value is a temporary, which C++ would not bind to T& but to const T&.
    refers = parameter.may_write and parameter.passing == "lvalue_ref" and not parameter.place
    is_object = isinstance(value, _native.Record)
    temporary = refers and not is_object
    if is_object:  # it has a name, and goes to const T& before T&&, which may empty it
        return replace(found, rank=found.rank + 1.5 * (parameter.passing == "rvalue_ref"))
    return replace(found, rank=found.rank + 0.5 * temporary, **_temporary(parameter))


def _converted(parameter: Parameter, value: Any, dialect: str, convertible: Convertible) -> Fit | None:
    """How well what C++ makes of an argument fits; None: not at all."""
    made = convertible(parameter, value, dialect)
    return None if made is None else replace(made, **_temporary(parameter))


def _temporary(parameter: Parameter) -> dict[str, Any]:
    """How a parameter refers to the temporary that is made for it."""
    if parameter.passing == "value":
        return {}
    type_ = unqualified(parameter.value_type)
    is_number = isinstance(type_, Scalar) and not _is_complex(type_)
    return {"binds": parameter.passing == "rvalue_ref", "onto": None if is_number else type_}


# What no bound function takes: how well a value fits such a parameter; None: not at all.
_Guess = Callable[[Type, Any, Parameter], Fit | None]


def unknown_rule(type_: Type) -> _Guess | None:
    """The rule of a type that only parameters of overloads have that are not bound."""
    if type_ == VOID:
        return _rank_any
    if isinstance(type_, Scalar):
        return _rank_wide if type_.name in WIDE else None
    return _rank_unread if isinstance(type_, Named) else None


def _rank_any(type_: Type, value: Any, parameter: Parameter) -> Fit:
    """A template takes what has a C++ type as it is; of another value a function's own type comes first."""
    return Fit(EXACT + 0.01 if ranking.source_of(value) is not None else LAST + 0.5)


def _rank_wide(type_: Type, value: Any, parameter: Parameter) -> Fit | None:
    source = ranking.source_of(value)
    if source is None or isinstance(source.type, type):
        return None
    whole = getattr(type_, "kind", "") != "float"
    return Fit(CONVERTED if whole == isinstance(value, int | np.integer) else LAST)


def _rank_unread(type_: Type, value: Any, parameter: Parameter) -> Fit | None:
    """C++ may convert a value to a class of which nothing is known here."""
    return None if parameter.passing == "lvalue_ref" and parameter.may_write else Fit(USER)


def _rank(type_: Type, value: Any, parameter: Parameter) -> Fit:
    if isinstance(type_, Container) and type_.listed:
        # Braces mean it before anything else (ISO C++ [over.ics.rank]); what is no list is none in C++.
        return Fit(LOSSLESS if isinstance(value, list | tuple) else LAST)
    if isinstance(type_, Container) and type_.keyed and isinstance(value, Mapping):
        return Fit(LAST)  # a std::map, which a dict is, comes first
    if isinstance(type_, Scalar) and type(value) is not int:
        value = numbers.scalar_of(value)
    found = _rule(type_, value)(type_, value, parameter)
    return found if isinstance(found, Fit) else Fit(found)


def _rule(type_: Type, value: Any) -> _Rule:
    if type(value) is int:
        return _rank_int
    spoken = _SPOKEN if isinstance(type_, Scalar) else ()
    said = next((ranked for column, ranked in spoken if numbers.speaks_number(value, column)), None)
    if said is not None:
        return said
    return next((ranked for classes, ranked in _RANKS if isinstance(value, classes)), _rank_other)


def choose(
    parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]], dialect: str,
    convertible: Convertible | None = None, own: int = 0, static: frozenset[int] = frozenset(),
    unbound: Unbound = NONE_UNBOUND,
) -> int | list[int]:  # fmt: skip
    """The best candidate's index, or the list of those that fit equally well (empty: none fits).

    Where C++ calls one of them it is that one, also where the call is refused then. Else a candidate is best if no
    argument fits another candidate better, and some argument fits it better (ISO C++ [over.match.best], our ranks).

    Parameters
    ----------
    parameters, values : mapping
        By candidate: its visible parameters, and the call's arguments in their order.
    convertible : callable, optional
        How C++ would convert an argument that does not fit as it is; without it, it does not, and a real number is
        no complex one, which takes a conversion of that class.
    own : int
        The number of first arguments that it never does that to: the object of a method.
    static : frozenset of int
        The candidates whose object C++ does not look at.
    unbound : Unbound
        The candidates that are not bound: one of them is the answer where C++ calls it, and so nobody else.
    """
    pairs = [pair for i in parameters for pair in zip(parameters[i], values[i], strict=True)]
    if any(enums.is_namesake(unqualified(p.value_type), type(v)) for p, v in pairs):
        return []  # nor is its number taken by another overload, which C++ would not choose for the enumeration
    cxx = ranking.resolve(parameters, values, own, static, unbound)
    if cxx.tied:
        return [*cxx.tied]
    meant, leaning = cxx.winner, cxx.leaning
    if meant is not None and meant in unbound.every:
        return meant
    if meant is not None and _takes(parameters[meant], values[meant], dialect):
        return meant
    if meant is not None and convertible is None:
        return []
    viable = {i: parameters[i] for i in cxx.viable or parameters}
    found = _ranked(viable if meant is None else parameters, values, dialect, convertible, own)
    if meant is not None:
        return meant if found != [] else []
    if isinstance(found, int) and leaning not in (None, found):
        return [found, leaning]
    if isinstance(found, int) and found != leaning:
        rivals = [j for i, j in cxx.rivals if i == found]
        return [found, *rivals] if rivals else found
    return found


def _ranked(
    parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]], dialect: str,
    convertible: Convertible | None, own: int,
) -> int | list[int]:  # fmt: skip
    """The best candidate by our ranks."""
    fits: dict[int, Sequence[Fit]] = {}
    open_: dict[int, list[Fit | None]] = {}  # with None for what C++ would have to convert
    for i in parameters:
        found = [rank(p, v, dialect) for p, v in zip(parameters[i], values[i], strict=True)]
        if None in found[:own] or (None in found and not convertible):
            continue
        fitting = [fit for fit in found if fit is not None and (convertible or fit.rank < USER)]
        if len(fitting) == len(parameters[i]):
            fits[i] = fitting
        elif None in found:
            open_[i] = found
    if not open_ or convertible is None:
        return best(fits)
    # What C++ knows of a class may have to be read, and built, first: who cannot win without it cannot with it.
    left = {i: f for i, f in open_.items() if not any(_beats(fit, f) for fit in fits.values())}
    for some in (left, {i: f for i, f in open_.items() if i not in left}):
        for i, found in some.items():
            whole = [
                _converted(p, v, dialect, convertible) if fit is None else fit
                for fit, p, v in zip(found, parameters[i], values[i], strict=True)
            ]
            if None not in whole:
                fits[i] = [fit for fit in whole if fit is not None]
        chosen = best(fits)
        if isinstance(chosen, int):
            return chosen
    return best({i: fits[i] for i in parameters if i in fits})


def _takes(parameters: Sequence[Parameter], values: Sequence[Any], dialect: str) -> bool:
    return all(rank(p, v, dialect) is not None for p, v in zip(parameters, values, strict=True))


def _beats(one: Sequence[Fit], other: Sequence[Fit | None]) -> bool:
    """Whether a candidate is better than one of which some arguments would have to be converted by a class of C++'s."""
    pairs = list(zip(one, other, strict=True))
    return all(a.rank < USER if b is None else a <= b for a, b in pairs)


def best(fits: Mapping[int, Sequence[Fit]]) -> int | list[int]:
    """The candidate that fits best, from how well each argument fits; the list of all if none is better than all."""
    found = [i for i, f in fits.items() if all(j == i or _better(f, other) for j, other in fits.items())]
    return found[0] if found else list(fits)


def _better(one: Sequence[Fit], other: Sequence[Fit]) -> bool:
    pairs = list(zip(one, other, strict=True))
    return all(a <= b for a, b in pairs) and not all(b <= a for a, b in pairs)
