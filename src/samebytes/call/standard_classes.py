"""Which classes of the standard library C++ makes of a number, an enumerator or an object, by their constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..types import (
    SCALARS,
    Bits,
    Callback,
    Choice,
    Converted,
    Enum,
    Matrix,
    Maybe,
    NdArray,
    Object,
    Owner,
    Product,
    Scalar,
    Span,
    Sparse,
    Type,
    unqualified,
)
from .conversion_sequences import DOUBLE, EXACT, USER, Ics, Source, UndecidedError, best, narrows, standard

# How C++ brings the argument to a value inside of the class: a constructor converts it anew.
Reach = Callable[[Type], Ics | None]
Rule = Callable[[Source, Any, Reach], bool]


def is_made_of(source: Source, type_: Type, reach: Reach) -> bool:
    """Whether a constructor that is not explicit takes an argument.

    Raises
    ------
    UndecidedError
        If that is not known here.
    """
    rule = next((rule for kinds, rule in _CLASSES if isinstance(type_, kinds)), _is_undecided)
    return rule(source, type_, reach)


def _is_undecided(source: Source, type_: Type, reach: Reach) -> bool:
    raise UndecidedError


def _is_never(source: Source, type_: Type, reach: Reach) -> bool:
    return False


def _is_value(source: Source, type_: Any, reach: Reach) -> bool:
    """A std::optional takes what its value takes."""
    return reach(type_.value) is not None


def _is_alternative(source: Source, type_: Any, reach: Reach) -> bool:
    """A std::variant takes what one of its alternatives takes best, without narrowing (ISO C++ [variant.ctor])."""
    ways: dict[int, list[Ics]] = {}
    doubtful = False
    for number, element in enumerate(type_.elements):
        try:
            one = reach(element)
        except UndecidedError:
            doubtful = True
            continue
        loses = narrows(source.type, unqualified(element))
        fixed = not isinstance(source.type, Enum) or getattr(unqualified(element), "kind", "") == "float"
        if one is None or (loses and fixed):
            continue
        # Whether an enumeration's values fit, or what an object is converted to, is not known here.
        if not loses and not (one.rank == USER and one.then != EXACT):
            ways[number] = [one]
        else:
            doubtful = True
    if doubtful and all(one.rank != EXACT for (one,) in ways.values()):
        raise UndecidedError
    return best(ways) is not None


def _is_only_element(source: Source, type_: Any, reach: Reach) -> bool:
    """A std::tuple of one element takes what that takes; others take several arguments."""
    if len(type_.elements) != 1 or not type_.spelling.startswith("std::tuple<"):
        return False
    return reach(type_.elements[0]) is not None


def _is_whole(source: Source, type_: Type, reach: Reach) -> bool:
    """A std::bitset takes a number."""
    return not isinstance(source.type, type) and standard(source.type, SCALARS["uint64"]) is not None


def _is_number(source: Source, type_: Type, reach: Reach) -> bool:
    """A std::complex takes a number."""
    return not isinstance(source.type, type) and standard(source.type, DOUBLE) is not None


def _is_target(source: Source, type_: Any, reach: Reach) -> bool:
    if type_.refers:
        return _is_object(source, type_, reach)
    return reach(type_.target) is not None


def _is_object(source: Source, type_: Type, reach: Reach) -> bool:
    """Numbers are none; of objects nothing is known here."""
    if isinstance(source.type, type):
        raise UndecidedError
    return False


def _is_owner(source: Source, type_: Any, reach: Reach) -> bool:
    """An object of Python's may be one that C++ has in a smart pointer, and then it stands for that, too."""
    one = reach(type_.target) if isinstance(source.type, type) else None
    if one is not None and one.rank != USER:
        raise UndecidedError
    return False


# Which classes of the standard library take a number, an enumerator or an object by a constructor that is not explicit.
# Of all others that are converted none does; the first row that fits counts.
_CLASSES: tuple[tuple[Any, Rule], ...] = (
    (Scalar, _is_number),
    (Maybe, _is_value),
    (Choice, _is_alternative),
    (Product, _is_only_element),
    (Bits, _is_whole),
    (Object, _is_target),
    (Owner, _is_owner),
    (Callback | Span, _is_object),
    (Matrix | NdArray | Sparse, _is_undecided),
    (Converted, _is_never),
)
