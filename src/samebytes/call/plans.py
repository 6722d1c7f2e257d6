"""What the native core is told of a function: the flat plan that runs its calls."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NoReturn
from weakref import WeakValueDictionary

from .. import _native
from ..model.signature import Parameter, Signature
from ..model.symbols import BEGIN, NEXT, keeps_value
from ..types import INT32, Handle, unqualified
from . import guarding
from .candidate import Candidate
from .frame import FrameLayout, Slot, frame_layout
from .gil import Gil
from .introspection import keyword_names, unbound_error
from .losses import takes_over

_plan_classes: WeakValueDictionary[tuple[str, str], type[_native.Plan]] = WeakValueDictionary()


def plan_class(module: str, place: str) -> type[_native.Plan]:
    """The class of the plans of one class or namespace: Python reads a builtin's ``__qualname__`` off it."""
    made = _plan_classes.get((module, place))
    if made is None:
        space = {"__slots__": (), "__module__": module, "__qualname__": place}
        made = _plan_classes[module, place] = type(place.rpartition(".")[2], (_native.Plan,), space)
    return made


def slots_of(candidate: Candidate, frame: FrameLayout) -> tuple[Slot, ...]:
    """The slots of a call's arguments, in the order of a Python call."""
    given = tuple(
        slot
        for i, slot in enumerate(frame.inputs)
        if candidate.table or slot.index < candidate.given or (frame.builds and not i)
    )
    return tuple(given[i] for i in candidate.order) or given


def described(candidate: Candidate, frame: FrameLayout, chosen: Gil, **ways: Any) -> dict[str, Any]:
    """One candidate as the native core takes it."""
    return {
        "address": candidate.shim,
        "names": keyword_names(candidate.signature, candidate.parameters),
        "inputs": tuple((s.index, s.codec, s.offset, chosen.flags(s)) for s in slots_of(candidate, frame)),
        "outputs": tuple(_output(slot, candidate.signature) for slot in frame.outputs),
        "result": (frame.result.codec, frame.result.offset) if frame.result else None,
        "argv": frame.argv,
        "nogil": chosen.releases,
        "frame_size": max(frame.size, 1),
        "frame_align": frame.align,
        "builds": frame.builds,
        "nothrow": candidate.signature.throws_nothing,
        "ends": candidate.signature.ends,
        "holds": keeps_value(candidate.signature),
        "const_result": _gives_const_object(candidate.signature),
        "keeps": _kept(candidate, frame),
        "begins": candidate.signature.name == BEGIN,
        "steps": candidate.signature.name == NEXT,
        "taker": candidate.signature.shown_name if takes_over(candidate.signature) else None,
        **ways,
    }


def _gives_const_object(signature: Signature) -> bool:
    """Whether an object of a class comes back by value as const, ``const T f()``: its const overloads are called."""
    by_value = signature.kind != "constructor" and signature.result_passing == "value"
    known = by_value and isinstance(unqualified(signature.result), Handle) and not signature.hands_over
    return (
        known
        and signature.result_spelling.startswith("const ")
        and not signature.result_spelling.endswith("*")
    )


def described_unbound(candidate: Candidate, function: str, dialect: str) -> dict[str, Any]:
    """A candidate that is not bound as the native core takes it: by its number of arguments and their names alone.

    The core asks which candidate a call means. Arguments whose names no other candidate has are those of this one.
    """
    own = 1 if candidate.signature.kind == "method" else 0
    stand_in = replace(
        candidate.signature,
        parameters=tuple(
            p if i < own else Parameter(p.name, INT32, "int")
            for i, p in enumerate(candidate.signature.parameters)
        ),
    )
    alike = replace(candidate, signature=stand_in)

    def refuse() -> NoReturn:
        raise unbound_error(function, candidate.signature, candidate.unbound)

    return described(alike, frame_layout(stand_in, dialect), Gil(True, ""), later=refuse)


def _kept(candidate: Candidate, frame: FrameLayout) -> tuple[tuple[int, int], ...]:
    """Which argument of a call keeps which, by their places; of those that C++ completes nothing is kept."""
    places = {id(slot): n for n, slot in enumerate(slots_of(candidate, frame))}
    return tuple((places[id(i)], places[id(k)]) for i, k in frame.keeps if {id(i), id(k)} <= places.keys())


def reader(getter: Candidate | None, dialect: str) -> tuple[int, Any] | None:
    """The shim that tells where an object is, and the codec of its address."""
    if getter is None:
        return None
    result = frame_layout(getter.signature, dialect).result
    assert result is not None
    return getter.address, result.codec


def _output(slot: Slot, signature: Signature) -> tuple[Any, ...]:
    """What the native core is told of one output."""
    where, room = (slot.index, slot.codec, slot.offset), slot.room
    if slot.guarded is not None:
        return (*where, None, (), None, False, partial(guarding.refuse_overrun, signature, slot.guarded))
    if room is None:
        return where
    return (*where, room.maker(), room.takes, room.finish, room.dtype is not None)
