"""The conversion operators that C++ finds for the objects of a class: its own, and its bases' that no class hides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..types import Struct, unqualified
from ..values.later_type import complete

BECOMES = "__samebytes_becomes__"  # in a class: its own (:class:`.implicit.Becomes`)


# In a class: by the name of another class, its own conversion to that which is explicit, as C++ calls and declares it.
EXPLICIT = "__samebytes_explicit__"


def explicit_conversion(cls: type, target: str) -> tuple[str, str] | None:
    """The name and the declaration of the explicit conversion to a class that C++ finds; None: there is none."""
    found: dict[str, tuple[str, str]] = next(
        (vars(c)[EXPLICIT] for c in cls.__mro__ if EXPLICIT in vars(c)), {}
    )
    return found.get(target)


def conversions_of(cls: type) -> list[Any]:
    """The conversions (:class:`.implicit.Becomes`) that C++ finds."""
    complete(cls)
    return bound_conversions(cls)


def bound_conversions(cls: type) -> list[Any]:
    """Those that are there already: a class that waits for its members has none yet, and is not asked for them."""
    found: list[tuple[type, Any]] = []
    for owner in cls.__mro__:
        for becomes in vars(owner).get(BECOMES, ()):
            type_ = str(unqualified(becomes.result))
            if not any(_hides(o, owner, b, type_) for o, b in found) and not _is_lost(cls, owner, becomes):
                found.append((owner, becomes))
    return [becomes for _, becomes in found]


def _hides(derived: type, owner: type, becomes: Any, type_: str) -> bool:
    """Whether a class hides a conversion of its base: it has one to the same type (ISO C++ [class.conv.fct])."""
    return derived is not owner and issubclass(derived, owner) and str(unqualified(becomes.result)) == type_


def _is_lost(cls: type, owner: Any, becomes: Any) -> bool:
    """Whether a class on the way hides it otherwise, C++ finds another one, or which base is meant is open."""
    if owner is cls:
        return False
    name, home = bare(becomes.name), owner.__samebytes_type__.name
    for struct in _structs_below(cls, owner):
        homes = {bare(n): h for n, h in struct.found}
        if home in struct.twice or homes.get(name, home) != home or name in map(bare, struct.hidden):
            return True
    return False


def _structs_below(cls: type, owner: type) -> Iterator[Struct]:
    for one in cls.__mro__:
        struct: Any = vars(one).get("__samebytes_type__")
        derived = isinstance(struct, Struct) and one is not owner and issubclass(one, owner)
        if derived and (struct.hidden or struct.found or struct.twice):
            yield struct


UNBOUND = "__samebytes_unbound_conversions__"  # in a class: its own to numbers that are not bound
LOST = "__samebytes_lost__"  # in a class: the conversions that C++ finds, and lets nobody use


def has_lost(cls: type) -> bool:
    """Whether C++ finds conversions of a class that it lets nobody use: one of them may be the nearest."""
    return bool(getattr(cls, "__samebytes_lost__", ()))


def lost_conversions(cls: type) -> tuple[str, ...]:
    """The conversions, but for those to texts, that are not public or not bound, or of which C++ finds several."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    for one in cls.__mro__:
        struct: Any = vars(one).get("__samebytes_type__")
        if isinstance(struct, Struct):
            seen |= {bare(becomes.name) for becomes in vars(one).get(BECOMES, ())}
            every = (*struct.hidden, *vars(one).get(UNBOUND, ()))
            names = (n for n in every if n.startswith("operator ") and bare(n) not in seen)
            found.update((name, None) for name in names if not ("string" in name or name.endswith("*")))
    return tuple(found)


def bare(name: str) -> str:
    """A conversion's name without namespaces and template arguments, as clang names what a class hides."""
    return f"operator {name.removeprefix('operator ').partition('<')[0].rpartition('::')[2]}"
