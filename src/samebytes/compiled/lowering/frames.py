"""Frames that an exception leaves: what their variables hold is released, so that objects of C++ are destroyed.

Numba releases nothing there: it returns from the function with its variables as they are, and a statement that fails
inside `try` jumps over what it has still to release. Both are mended in functions that have records or objects of ours
among their variables; all others are compiled as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.ir import Assign

from ..datamodel.kinds import AtomicType, RecordType

_FRAME = "_samebytes_frame"  # an attribute of what lowers a function
_NO_ERRORS = frozenset({0, -2, -3})  # Numba's codes: a value, None, the end of a generator
_EXHAUSTED = -1  # where a generator goes on that has ended


def register_frames() -> None:
    """Have Numba release what functions leave behind that an exception ends."""
    lower: Any = import_module("numba.core.lowering").Lower

    def open_function(self: Any) -> None:
        frame = Frame(self) if holds_records(self.fndesc.typemap.values()) else None
        setattr(self, _FRAME, frame)
        if frame is not None:
            frame.open()

    def open_block(self: Any, block: Any) -> None:
        if (frame := getattr(self, _FRAME, None)) is not None:
            frame.open_block(block)

    def close_block(self: Any, block: Any) -> None:
        if (frame := getattr(self, _FRAME, None)) is not None:
            frame.close_block(block)

    steps: dict[str, Callable[..., None]] = {
        "pre_lower": open_function, "pre_block": open_block, "post_block": close_block,
    }  # fmt: skip
    for name, step in steps.items():
        setattr(lower, name, _followed(getattr(lower, name), step))


def _followed(original: Callable[..., Any], step: Callable[..., None]) -> Callable[..., Any]:
    @wraps(original)
    def both(*arguments: Any) -> None:
        original(*arguments)
        step(*arguments)

    return both


class Frame:
    """One function that is being lowered.

    Parameters
    ----------
    lower : numba.core.lowering.Lower
    """

    def __init__(self, lower: Any) -> None:
        self.lower = lower
        models = lower.context.data_model_manager
        self.managed = {
            name for name, kind in lower.fndesc.typemap.items() if models[kind].contains_nrt_meminfo()
        }
        self._done: set[int] = set()  # blocks of machine code that have been seen to
        self._landing: Any = None

    def open(self) -> None:
        """Every variable that owns something has a place, which is zero while it owns nothing."""
        lower = self.lower
        lower._singly_assigned_vars -= self.managed
        # What an earlier call, whose exception was caught, has left there would be taken for one of this call.
        slot = lower.call_conv._get_excinfo_argument(lower.function)
        lower.builder.store(slot.type.pointee(None), slot)

    def open_block(self, block: Any) -> None:
        """Have a statement that fails inside `try` go to the handler by what releases the statement's own values."""
        builder = self.lower.builder
        tried = getattr(builder, "_in_try_block", None)
        if tried is None:
            self._landing = None
            return
        self._landing = self.lower.function.append_basic_block("samebytes.landing"), tried["target"]
        builder._in_try_block = {"target": self._landing[0]}

    def close_block(self, block: Any) -> None:
        """Write what is released where the block fails."""
        lower = self.lower
        if self._landing is not None:
            landing, target = self._landing
            lower.builder.position_at_end(landing)
            for name in _deleted(block):
                if name in self.managed:
                    lower.delvar(name)
            lower.builder.branch(target)
        owners = sorted(self.managed & self._alive(block))
        for made in lower.function.blocks:
            if id(made) in self._done or made.terminator is None:
                continue
            self._done.add(id(made))
            _unmark(made)
            if _fails(made.terminator):
                lower.builder.position_before(made.terminator)
                self._release(owners)

    def _alive(self, block: Any) -> set[str]:
        """The variables that may own something somewhere in a block."""
        blocks = self.lower.func_ir.blocks
        (label,) = (n for n, b in blocks.items() if b is block)
        found = set(self.lower.func_ir.variable_lifetime.livemap[label])
        return found | {s.target.name for s in block.body if isinstance(s, Assign)} | _deleted(block)

    def _release(self, owners: list[str]) -> None:
        lower = self.lower
        for name in owners:
            if name in lower.varmap:
                lower.decref(lower.typeof(name), lower.builder.load(lower.varmap[name]))
        if lower.genlower is not None:  # as in Python, a generator that has failed has ended
            place = lower.genlower.resume_index_ptr
            lower.builder.store(place.type.pointee(_EXHAUSTED), place)


def _deleted(block: Any) -> set[str]:
    """The variables that a block gives up."""
    return {s.value for s in block.body if type(s).__name__ == "Del"}


def _fails(terminator: Any) -> bool:
    """Whether a block returns an error."""
    if not isinstance(terminator, ir.Ret) or not terminator.operands:
        return False
    code = terminator.operands[0]
    return not (isinstance(code, ir.Constant) and code.constant in _NO_ERRORS)


def _unmark(block: Any) -> None:
    """Numba's optimizer drops pairs of references around blocks of this mark, as if nothing were released there."""
    for instruction in block.instructions:
        if isinstance(instruction, ir.StoreInstr):
            instruction.metadata.pop("numba_exception_output", None)


# --- which functions


def holds_records(kinds: Any) -> bool:
    """Whether some of Numba's types is, or holds, a record or an object of ours."""
    seen: set[int] = set()
    return any(_holds(kind, seen) for kind in kinds)


def _holds(kind: Any, seen: set[int]) -> bool:
    if id(kind) in seen or isinstance(kind, types.Callable | types.Module):
        return False
    seen.add(id(kind))
    return isinstance(kind, RecordType | AtomicType) or any(_holds(part, seen) for part in _parts(kind))


def _parts(kind: Any) -> Iterator[Any]:
    """The types that a type is made of."""
    for value in vars(kind).values():
        values = (
            value.values()
            if isinstance(value, dict)
            else value
            if isinstance(value, tuple | list)
            else (value,)
        )
        yield from (v for v in values if isinstance(v, types.Type))
