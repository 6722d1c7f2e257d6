"""C++'s implicit conversion sequences: their ranks, which one is better, and standard conversions of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from ..frozen import frozen
from ..types import BOOL, CHAR, SCALARS, Enum, Scalar, Type
from ..types.scalar import PROMOTED as PROMOTIONS
from ..types.scalar import cxx_name
from ..values.conversion.numbers import limits

EXACT, PROMOTED, CONVERTED, USER, ELLIPSIS = range(5)
INT, DOUBLE = SCALARS["int32"], SCALARS["float64"]
KINDS = frozenset({"bool", "int", "uint", "float"})


class UndecidedError(Exception):
    """C++'s rank of a conversion is not known here.

    Parameters
    ----------
    rank : int
        The best that it can be: EXACT, PROMOTED, CONVERTED or USER.
    """

    def __init__(self, rank: int = 0) -> None:
        super().__init__()
        self.rank = rank


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
        EXACT, PROMOTED, CONVERTED, USER or ELLIPSIS.
    cls : type or None
        The class that an object is taken as.
    const : bool or None
        Of a reference: whether it is one to const.
    binds : bool or None
        Of a reference: whether it is a ``T&&``, which a temporary prefers; None: no reference.
    onto : object
        The type of the temporary that it refers to: const counts between references to one type.
    step : int
        Of two conversions of one rank, the nearer one.
    by : object
        What converts it, of a class.
    then : int
        The rank of what follows that.
    certain : bool
        False: C++ may have no such conversion, or a worse one.
    """

    rank: int
    cls: Any = None
    const: bool | None = None
    step: int = 0
    by: Any = None
    then: int = 0
    certain: bool = True
    binds: bool | None = None
    onto: Any = None


AMBIGUOUS = (
    object()
)  # what converts an object where C++ finds several ways, and refuses the call that needs one
ANY = Ics(-1)  # a static function takes any object, and no better or worse


def best(
    found: Mapping[Any, Sequence[Ics]], *, pedantic: bool = True, templates: Set[Any] = frozenset()
) -> Any:
    """The only candidate that is better than each other one; None if there is none.

    Parameters
    ----------
    templates : set
        The candidates that come after others that are as good.
    """
    for i, one in found.items():
        if all(
            i == j or order(one, other, (i in templates) - (j in templates), pedantic=pedantic) < 0
            for j, other in found.items()
        ):
            return i
    return None


def order(one: Sequence[Ics], other: Sequence[Ics], tie: int = 0, *, pedantic: bool = True) -> int:
    """Below zero: the first candidate is better; ``tie`` decides where no argument does.

    Of two that ISO C++ calls ambiguous GCC takes the one whose worst conversion is better, and only warns.
    """
    orders = [compare(a, b) for a, b in zip(one, other, strict=True)]
    if all(o <= 0 for o in orders) or all(o >= 0 for o in orders):
        return sum(orders) or tie
    return 0 if pedantic else max(a.rank for a in one) - max(b.rank for b in other)


def compare(a: Ics, b: Ics) -> int:
    """Below zero: the first conversion is better (ISO C++ [over.ics.rank])."""
    if ANY in (a, b):
        return 0
    if a.rank != b.rank:
        return a.rank - b.rank
    if a.rank == USER and (a.by != b.by or a.then != b.then):
        return a.then - b.then if a.by == b.by else 0
    if a.cls is not None and b.cls is not None and a.cls is not b.cls:
        return -1 if issubclass(a.cls, b.cls) else 1 if issubclass(b.cls, a.cls) else 0
    if a.binds is not None and b.binds is not None and a.binds != b.binds:
        return -1 if a.binds else 1
    if a.const is not None and b.const is not None and a.const != b.const and a.onto == b.onto:
        return -1 if b.const else 1
    return a.step - b.step


def standard(source: Scalar | Enum, target: Scalar | Enum, spelled: str = "", given: str = "") -> Ics | None:
    """A standard conversion (ISO C++ [conv]) of a number or an enumerator.

    Parameters
    ----------
    spelled, given : str
        What C++ calls the target, and the source.
    """
    if isinstance(target, Enum):
        return Ics(EXACT) if isinstance(source, Enum) and source.name == target.name else None
    name = cxx_name(target, spelled)
    if isinstance(source, Enum):
        return None if source.scoped else _of_enum(source, name)
    own = cxx_name(source, given)
    return Ics(EXACT if own == name else PROMOTED if PROMOTIONS.get(own) == name else CONVERTED)


def _of_enum(source: Enum, name: str) -> Ics:
    """A conversion of an enumerator to a number."""
    if not source.promotions:  # of another version's package
        raise UndecidedError(PROMOTED)
    if name not in source.promotions:
        return Ics(CONVERTED)
    return Ics(PROMOTED, step=source.promotions.index(name))


def promoted(type_: Scalar) -> Scalar:
    """ISO C++ [conv.prom], [conv.fpprom]."""
    if type_.kind == "float":
        return DOUBLE
    return INT if type_.size < INT.size or type_ == CHAR else type_


def narrows(source: Any, target: Type) -> bool:
    """Whether a number may become another one (ISO C++ [dcl.init.list])."""
    given = source.underlying if isinstance(source, Enum) else source
    if not isinstance(given, Scalar) or not isinstance(target, Scalar) or target.kind not in KINDS:
        return False
    if target == BOOL or given == BOOL:
        return given != target and target.kind not in ("int", "uint")
    if "float" in (given.kind, target.kind):
        return given.kind != target.kind or target.size < given.size
    (low, high), (least, most) = limits(given), limits(target)
    return low < least or high > most
