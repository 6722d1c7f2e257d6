"""The class beneath which Python's classes override virtual functions, as its own library has it."""

from __future__ import annotations

from typing import Any

from ...emit.overriding import ATTACH, OWN, SPACE, Overriding
from ...types.naming import python_names
from ...values.overriding import Way, open_way
from ..library import Library


def way_of(library: Library, made: Overriding, own: Any) -> Way:
    """How C++ asks Python, by the library that was built for a class.

    Parameters
    ----------
    own : type
        The class from which Python's derive.
    """
    base: Any = library.__records__[f"{SPACE}::{made.object}"]
    table = library.__records__[f"{SPACE}::{made.table}"]
    attach = vars(base)[ATTACH]
    type.__delattr__(base, ATTACH)
    names = {slot.virtual.name: python_names([slot.virtual.name])[slot.virtual.name] for slot in made.slots}
    for name, python in names.items():
        if (function := vars(base).get(f"{OWN}{name}")) is not None:
            type.__delattr__(base, f"{OWN}{name}")
            type.__setattr__(base, python, function)
        else:
            type.__setattr__(base, python, _without(own.__name__, name))
    owns = {name: vars(base)[python] for name, python in names.items()}
    type.__setattr__(base, "__samebytes_owns__", owns)
    base.__name__, base.__qualname__ = own.__name__, own.__qualname__
    base.__doc__ = own.__doc__
    reasons = {s.name.rpartition("::")[2]: s.reason for s in library.__skipped__ if made.table in s.name}
    lacking = {slot.name: reasons.get(slot.name, "it does not cross") for slot in made.slots}
    way = Way(
        base,
        table,
        tuple((slot.name, names[slot.virtual.name], slot.virtual) for slot in made.slots),
        {name: why for name, why in lacking.items() if not isinstance(vars(table).get(name), property)},
    )
    open_way(way, attach, tuple({0, *base.__samebytes_bases__.values()}))
    return way


def _without(owner: str, name: str) -> Any:
    def none(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{owner}::{name}() is pure or private: C++ has none that Python could call")

    none.__name__ = name
    return none
