"""The class beneath which Python's classes override virtual functions, as its own library has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...call.binding import Binding, binding_of
from ...call.candidate import ASKS, COMPUTES
from ...emit.overriding import ATTACH, SPACE, Overriding, kept_value, own_name
from ...model.signature import Signature
from ...types import Handle, Virtual
from ...values.overriding import Way, open_way
from ..library import Library

_GONE = "what a Python callable returns is gone when C++ looks at a reference to it, unless it is an object of a class"


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
    if hasattr(own, "__samebytes_parts__"):
        type.__setattr__(base, "__samebytes_type__", replace(base.__samebytes_type__, hidden=()))
    owns: dict[str, Any] = {}
    for virtual in {slot.virtual.method: slot.virtual for slot in made.slots}.values():
        function = vars(base).get(own_name(virtual))
        if function is None:
            function = _without(own.__name__, virtual.name)
        else:
            type.__delattr__(base, own_name(virtual))
        if virtual.name.isidentifier():
            owns[virtual.name] = function
            # Of several bases that are joined, Python's classes that derive from one may stand behind this one.
            known = any(virtual.method in vars(c) for c in own.__mro__)
            if not hasattr(own, "__samebytes_parts__") or not known:
                type.__setattr__(base, virtual.method, function)
            elif virtual.method in vars(base):
                type.__delattr__(
                    base, virtual.method
                )  # what says that it is not inherited, as it is declared
        else:  # Python asks the class for operators, which asks here
            owns[virtual.method] = _operator(own, virtual, function, [s.virtual for s in made.slots])
    type.__setattr__(base, "__samebytes_owns__", owns)
    base.__name__, base.__qualname__ = own.__name__, own.__qualname__
    base.__doc__ = own.__doc__
    reasons = {s.name.rpartition("::")[2]: s.reason for s in library.__skipped__ if made.table in s.name}
    lacking = {slot.name: _reason(slot.virtual, reasons.get(slot.name)) for slot in made.slots}
    way = Way(
        base,
        table,
        tuple((slot.name, slot.virtual.method, slot.virtual) for slot in made.slots),
        {name: why for name, why in lacking.items() if not isinstance(vars(table).get(name), property)},
    )
    open_way(way, attach, tuple({0, *base.__samebytes_bases__.values()}))
    return way


def _operator(own: Any, virtual: Virtual, function: Any, virtuals: Sequence[Virtual]) -> Any:
    """An operator that is C++'s own where it is virtual; its other overloads are the class's."""
    usual = _bound(getattr(own, virtual.method, None))
    if usual is None or usual.special is None:
        return function
    known = {(v.name, v.arguments) for v in virtuals}
    others = [
        candidate
        for candidate in usual.candidates
        if (candidate.signature.name, tuple(p.spelling for p in candidate.signature.arguments)) not in known
    ]
    made_here = binding_of(function)
    candidates = [*(made_here.candidates if made_here else ()), *others]
    return usual.of(candidates).function if candidates else function


def _bound(function: Any) -> Binding | None:
    """The binding of a special method, also behind what asks it and then others."""
    while function is not None:
        if (found := binding_of(function)) is not None:
            return found
        ways = (getattr(function, name, None) for name in (COMPUTES, ASKS, "__wrapped__"))
        function = next((way for way in ways if way is not None), None)
    return None


def _reason(virtual: Virtual, found: str | None) -> str:
    if virtual.result.endswith("&") and not kept_value(virtual):
        return _GONE
    if found:
        return found
    called = f"std::function<{kept_value(virtual) or virtual.result} ({', '.join(virtual.arguments)})>"
    return f"it is called as a {called} would be, and Python has none of that"


def _is_copy(constructor: Signature) -> bool:
    of = [p.value_type for p in constructor.parameters]
    return len(of) == 1 and isinstance(of[0], Handle) and of[0].name == constructor.owner


def _without(owner: str, name: str) -> Any:
    def none(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{owner}::{name}() is pure or private: C++ has none that Python could call")

    none.__name__ = name
    return none
