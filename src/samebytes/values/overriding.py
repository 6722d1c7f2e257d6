"""Classes of Python's that override virtual functions of C++'s: which functions, and through which class of C++'s."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import _native
from ..frozen import frozen
from ..types import Handle, Virtual
from ..types.operators import COMPARED

_WITHOUT = "class {} overrides {}, which is virtual, and C++ would not call Python's {}: {}"


def is_own(cls: type) -> bool:
    """Whether a class is a library's own, and none that Python derived from it."""
    return "__samebytes_type__" in vars(cls)


def is_way(cls: type) -> bool:
    """Whether a class is the one of C++'s by which C++ asks Python, beneath a library's own."""
    return "__samebytes_way__" in vars(cls)


class Overridden:
    """Stands for the method of a name of the object that is given first: of its class, whatever that is then.

    Parameters
    ----------
    name : str
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, instance: Any, *args: Any) -> Any:
        return getattr(instance, self.name)(*args)


@frozen
class Way:
    """How C++ comes to ask Python: a class of C++'s that overrides every virtual function, and its table.

    Attributes
    ----------
    base : type
        That class, from which Python's derive.
    table : type
        The class of tables; one table for each class of Python's.
    places : tuple of (str, str, Virtual)
        The members of the table, the methods that they stand for, and the functions.
    refused : mapping of str to str
        Of members that the table lacks: why.
    """

    base: Any
    table: Any
    places: tuple[tuple[str, str, Virtual], ...]
    refused: Mapping[str, str]


@frozen
class Overriding:
    """What a class of Python's overrides.

    Attributes
    ----------
    way : Way
    methods : frozenset of str
    """

    way: Way
    methods: frozenset[str]


def overridable(order: Sequence[type]) -> dict[str, str]:
    """The virtual functions of the classes in such an order, by their Python names."""
    found: dict[str, str] = {}
    for base in reversed(order):
        found |= vars(base).get("__samebytes_overridable__", {})
    return found


def renamed(order: Iterable[type]) -> dict[str, str]:
    """The virtual functions of such classes that have another name in Python, each of the two names by the other."""
    found: dict[str, str] = {}
    for base in order:
        found |= vars(base).get("__samebytes_renamed__", {})
    return found


def derived(
    name: str, bases: tuple[type, ...], members: Mapping[str, Any]
) -> tuple[tuple[type, ...], Overriding | None]:
    """The bases that a class of Python's gets in truth, and what it overrides.

    Raises
    ------
    TypeError
        If it overrides what C++ does not let it, or what would not reach Python.
    """
    order: list[type] = functools._c3_merge([*(list(b.__mro__) for b in bases), [*bases]])  # type: ignore[attr-defined]
    known = overridable(order)
    spaces: list[tuple[bool, Mapping[str, Any]]] = [(False, members), *((is_own(c), vars(c)) for c in order)]
    methods = {method: spaces[at][1][method] for method in known if (at := _overrides(spaces, method)) >= 0}
    own: Any = next((c for c in order if is_own(c) and not is_way(c)), None)
    if not methods:
        return _constructed(bases, own)
    said = {method: (name, known[method], method) for method in methods}
    named: dict[str, list[Virtual]] = {}
    for virtual in own.__samebytes_type__.virtuals:
        if virtual.method in methods:
            named.setdefault(virtual.method, []).append(virtual)
    for method, value in methods.items():
        _check(said[method], value, named.get(method, []))
    # That of a class which is joined with others here asks for none of theirs.
    ways = (vars(c)["__samebytes_way__"] for c in order if is_way(c) and issubclass(c, own))
    way = next(ways, None)
    if way is None:
        way = own.__samebytes_overriding__(own, frozenset(v.name for vs in named.values() for v in vs))
        if way is None:
            first = next(iter(methods))
            raise TypeError(_WITHOUT.format(*said[first], _INSTEAD))
        stale = [c for c in order[: order.index(own)] if is_way(c)]
        bases = _with(bases, own, _before(stale, way.base) if stale else way.base)
    reached = {method for _, method, _ in way.places}
    for method in methods:
        refused = (way.refused[p] for p, m, _ in way.places if m == method and p in way.refused)
        lost = next((f"{why}; {_INSTEAD}" for why in refused), None)
        if method not in reached:
            lost = f"it is private: derive a class that overrides it from {own.__name__} itself"
        if lost:
            raise TypeError(_WITHOUT.format(*said[method], lost))
    return bases, Overriding(way, frozenset(methods))


# C++ knows on which side of a comparison its object stands, so what it asks is the method without the check of both.
_BEFORE = "__samebytes_asked"
_ASKED = {method: _BEFORE + method for method in (f"__{name}__" for name in COMPARED.values())}


def _asking(method: str) -> Any:
    def ask(self: Any, other: Any) -> Any:
        function = getattr(type(self), method)
        return getattr(function, "__wrapped__", function)(self, other)

    return ask


def said_name(asked: str) -> str:
    """The method that Python's class has, of what C++ asks for by a name."""
    return asked.removeprefix(_BEFORE)


_INSTEAD = "give it another name, or let C++ take a callable (std::function)"


def _overrides(spaces: Sequence[tuple[bool, Mapping[str, Any]]], method: str) -> int:
    """Where a method of Python's stands before a virtual function of its name; -1: nowhere."""
    at = next((i for i, (_, space) in enumerate(spaces) if method in space), -1)
    if at < 0 or spaces[at][0]:
        return -1
    later = any(method in space.get("__samebytes_overridable__", ()) for _, space in spaces[at:])
    return at if later else -1


def _check(said: tuple[str, str, str], value: Any, virtuals: Sequence[Virtual]) -> None:
    name, function, method = said
    if any(v.final for v in virtuals):
        raise TypeError(f"class {name} overrides {function}, which is virtual, and which C++ declares final")
    if barred := next(
        (v.barred for v in virtuals if v.barred), "" if virtuals else "it is none that Python knows"
    ):
        raise TypeError(_WITHOUT.format(name, function, method, f"{barred}; {_INSTEAD}"))
    if not callable(value) and not hasattr(value, "__get__"):
        raise TypeError(
            f"class {name} overrides {function}, which is virtual, with what is no function: {value!r}"
        )


def _constructed(bases: tuple[type, ...], own: Any) -> tuple[tuple[type, ...], Overriding | None]:
    """The bases of a class that overrides nothing, where C++'s class between makes its objects or says when they end.

    Protected constructors need it to make them; of an object that C++ takes over, it says until when C++ has it.
    """
    if not (_is_made_between(own) or _may_be_given(own)) or any(is_way(c) for b in bases for c in b.__mro__):
        return bases, None
    try:
        way = own.__samebytes_overriding__(own, frozenset())
    except (AttributeError, TypeError):
        return bases, None  # then nothing makes them, or C++ takes none over: a call says so
    return (bases, None) if way is None else (_with(bases, own, way.base), Overriding(way, frozenset()))


def _is_made_between(own: Any) -> bool:
    return own is not None and any(m.alone for m in own.__samebytes_type__.protected)


def _may_be_given(own: Any) -> bool:
    """Whether C++ may own an object of a class, and ends it by a virtual destructor."""
    type_ = getattr(own, "__samebytes_type__", None)
    virtual = isinstance(type_, Handle) and type_.virtual and not type_.final
    return virtual and "__samebytes_given__" in vars(own)


def _before(stale: Sequence[type], through: Any) -> type:
    """A class with which one stands before those of single bases, by which Python's classes override already."""
    made: type = type.__new__(type(through), through.__name__, (through, *stale), {"__slots__": ()})
    return made


def _with(bases: tuple[type, ...], own: type, through: type) -> tuple[type, ...]:
    """The bases with a class in the place of C++'s, or behind the last that derives from that."""
    if own in bases:
        return tuple(through if base is own else base for base in bases)
    last = max(i for i, base in enumerate(bases) if own in base.__mro__)
    return (*bases[: last + 1], through, *bases[last + 1 :])


def complete(cls: Any, found: Overriding) -> None:
    """Give a class of Python's the table of what it overrides."""
    table = found.way.table()
    missing = []
    for place, method, virtual in found.way.places:
        if method in found.methods:
            setattr(table, place, Overridden(_ASKED.get(method, method)))
        elif virtual.pure:
            missing.append(str(virtual))
    type.__setattr__(cls, "__samebytes_table__", table)
    type.__setattr__(cls, "__samebytes_missing__", tuple(missing))


def open_way(way: Way, attach: Any, offsets: tuple[int, ...]) -> None:
    """Have objects of Python's classes ask their table from when C++'s constructor has made them."""

    def make(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if missing := cls.__samebytes_missing__:
            raise TypeError(
                f"{cls.__name__} makes no object: it is abstract, as it lacks {', '.join(missing)}, of which C++ has "
                "no own"
            )
        made = _native.Handle.__new__(cls, *args, **kwargs)
        if not made.__samebytes_pending__:
            open_object(made)
        return made

    def open_object(made: Any) -> None:
        attach(made, type(made).__samebytes_table__, _native.PYTHON_IS_OVER, _native.OVERRIDING_ENDED)
        _native.know_overriding(made, offsets)

    for method in {method for _, method, _ in way.places} & _ASKED.keys():
        type.__setattr__(way.base, _ASKED[method], _asking(method))
    type.__setattr__(way.base, "__samebytes_way__", way)
    type.__setattr__(way.base, "__samebytes_overridable__", {})
    type.__setattr__(way.base, "__samebytes_missing__", ("its table",))
    type.__setattr__(way.base, "__samebytes_made__", staticmethod(open_object))
    type.__setattr__(way.base, "__new__", staticmethod(make))
