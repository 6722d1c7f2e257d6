"""The class beneath which Python's classes override virtual functions, as its own library has it."""

from __future__ import annotations

from typing import Any

from ...emit.overriding import ATTACH, OWN, SPACE, Overriding
from ...model.signature import Signature
from ...types import Handle, Virtual
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
    of = f"{SPACE}::{made.object}"
    base: Any = library.__records__[of]
    if (known := vars(base).get("__samebytes_way__")) is not None:  # of another thread
        found: Way = known
        return found
    table = library.__records__[f"{SPACE}::{made.table}"]
    made_by = [f for f in library.__model__.functions if f.kind == "constructor" and f.owner == of]
    if all(map(_is_copy, made_by)):
        type.__setattr__(base, "__samebytes_new__", None)  # nothing makes a first object
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
    lacking = {slot.name: reasons.get(slot.name) or _uncrossing(slot.virtual) for slot in made.slots}
    way = Way(
        base,
        table,
        tuple((slot.name, names[slot.virtual.name], slot.virtual) for slot in made.slots),
        {name: why for name, why in lacking.items() if not isinstance(vars(table).get(name), property)},
    )
    open_way(way, attach, tuple({0, *base.__samebytes_bases__.values()}))
    return way


def _uncrossing(virtual: Virtual) -> str:
    called = f"std::function<{virtual.result} ({', '.join(virtual.arguments)})>"
    return f"it is called as a {called} would be, and Python has none of that"


def _is_copy(constructor: Signature) -> bool:
    of = [p.value_type for p in constructor.parameters]
    return len(of) == 1 and isinstance(of[0], Handle) and of[0].name == constructor.owner


def _without(owner: str, name: str) -> Any:
    def none(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{owner}::{name}() is pure or private: C++ has none that Python could call")

    none.__name__ = name
    return none
