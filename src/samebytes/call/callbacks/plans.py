"""What the core knows of a type of functions, so that it runs Python callables in their place."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import get_native_id
from typing import Any

from ... import _native
from ...errors import ArgumentError, Mismatch, value_error
from ...layouts import walk
from ...layouts.dialects import layout
from ...layouts.processors import (
    DOUBLE,
    GENERAL,
    INTEGER,
    PADDING,
    REAL,
    SMALLEST_FLOAT,
    Placing,
    Processor,
    Shape,
    processor,
)
from ...model.callbacks import is_lent
from ...types import VOID, Array, Function, Object, Pointer, Scalar, Type, unqualified
from ...values.conversion import convert
from ...values.conversion.handles import claim
from ...values.overriding import said_name
from .readers import Find, measured_text, reader

Write = Callable[[Any, Any], tuple[bytes, tuple[Any, ...]]]

# Linux says which threads there are; how many may keep something before that is asked.
_THREADS, _LEAST_KEPT = "/proc/self/task", 16


@lru_cache(maxsize=1024)
def callback_plan(function: Function, find: Find) -> _native.CallbackPlan | None:
    """How the core's C functions of a type run Python callables; None where it has none of that type.

    Raises
    ------
    CannotPass
        If an argument or the result does not pass; the message has the reason.
    """
    machine = processor() if len(function.arguments) <= _native.MOST_CALLBACK_ARGUMENTS else None
    places = call_places(function, machine) if machine and _hands_on(machine) else None
    if places is None:
        return None
    readers = [reader(a.type, a.passing, find) for a in function.arguments]
    result = reader(function.result, function.result_passing, find)
    return plan_of(function, readers, None if gives_pointers(function) else result, int, places)


def _hands_on(machine: Processor) -> bool:
    """Whether the core has C functions here, which hand on the registers of this convention."""
    return (machine.registers.general, machine.registers.real) == _native.CLOSURE_REGISTERS


Places = tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]


def call_places(function: Function, machine: Processor) -> Places | None:
    """Where the core finds each argument, and whether each register of the result is a floating-point one.

    An argument's first word, and its second where that is not the one behind; no register for a result that goes to
    the address that its caller passes first. None where nobody can tell.
    """
    result = (
        Shape(())
        if function.result == VOID
        else _shape(function.result, function.result_passing, function.result_spelling, machine)
    )
    shapes = [_shape(a.type, a.passing, a.spelling, machine) for a in function.arguments]
    if result is None:
        return None
    placing = Placing(machine.registers)
    if function.result != VOID and not result.words:
        placing(INTEGER)
    places = []
    for shape in shapes:
        if shape is None:
            return None
        places.append(_found(shape, placing(shape), machine.registers.count))
    return tuple(places), tuple(kind == REAL for kind in result.words)


def _shape(type_: Type, passing: str, spelling: str, machine: Processor) -> Shape | None:
    if passing != "value":
        return INTEGER
    if isinstance(type_, Scalar) and type_.kind == "float" and type_.size < SMALLEST_FLOAT and spelling:
        own = {"_Float16", "__bf16"} & {*spelling.split()}
        return DOUBLE if own else INTEGER  # a class of C++'s holds an integer
    return machine.shape(type_)


def _found(shape: Shape, places: Sequence[int], registers: int) -> tuple[int, ...]:
    """What the core must be told of an argument's places."""
    if places[0] >= registers:
        return (places[0],)  # the stack's words lie one behind another
    if shape.words[0] == PADDING:
        return (places[0], places[0])  # nobody reads the first word
    return tuple(places) if {GENERAL, REAL} <= {*shape.words} else (places[0],)


def plan_of(
    function: Function, readers: Sequence[Any], result: _native.Codec | None, address: Any,
    places: Places | tuple[None, None] = (None, None),
) -> _native.CallbackPlan:  # fmt: skip
    """The plan of a type of functions.

    Parameters
    ----------
    readers : sequence of (Codec or callable)
        What makes Python's values of the arguments.
    result : Codec or None
        Of a result that the core may write by itself.
    address : Codec or callable
        What reads the address of text that is as long as other arguments say.
    places : tuple
        Where C passes the values.
    """
    texts = tuple((i, a.measured) for i, a in enumerate(function.arguments) if a.measured)
    whole = {i for i, _ in texts}  # read together with its length
    type_ = result_type(function)
    return _native.CallbackPlan(
        tuple(address if i in whole else reader for i, reader in enumerate(readers)),
        layout(type_).size if type_ != VOID else 0,
        writer(type_),
        refuse_ended,
        None if function.noexcept else _leaving,
        result=result,
        words=places[0],
        result_words=places[1],
        arrange=_arranging(texts) if texts else None,
        lent=tuple(i for i, a in enumerate(function.arguments) if is_lent(a)),
    )


def _leaving(*frame: Any) -> tuple[int, int]:
    """What the core asks of code through which a callable's exception would go."""
    from ...toolchain.code.frames import leaving

    return leaving(*frame)


def result_type(function: Function) -> Type:
    """What comes back: of a reference, its address."""
    return function.result if function.result_passing == "value" else Pointer(function.result)


def gives_pointers(function: Function) -> bool:
    """Whether something must keep what a result points to."""
    parts = walk(unqualified(result_type(function)))
    return any(
        isinstance(part, Pointer | Array) or (isinstance(part, Object) and part.refers) for part in parts
    )


def _arranging(texts: Sequence[tuple[int, tuple[int, ...]]]) -> Callable[..., tuple[Any, ...]]:
    def arrange(*values: Any) -> tuple[Any, ...]:
        shown = [*values]
        for i, counts in texts:
            shown[i] = measured_text(int(values[i]), [values[j] for j in counts])
        return tuple(shown)

    return arrange


def writer(type_: Type) -> Write:
    """What makes the bytes of a result that the core does not recognise."""

    def write(returned: Any, call: Any) -> tuple[bytes, tuple[Any, ...]]:
        try:
            packed = claim(convert(type_, returned))
        except Mismatch as mismatch:
            raise result_error(call, mismatch) from None
        return packed.data, packed.owners

    return write


class Kept:
    """What each thread kept last, until it keeps something else, or has ended and others are many.

    A ``threading.local`` ends with what Python knows of a thread; of one that C++ made, that is after each call, before
    C++ reads what it got.
    """

    __slots__ = ("_by_thread", "_most")

    def __init__(self) -> None:
        self._by_thread: dict[int, Any] = {}
        self._most = _LEAST_KEPT

    def __call__(self, owners: Any) -> None:
        """Keep something in the place of what this thread kept before."""
        self._by_thread[get_native_id()] = owners
        if len(self._by_thread) > self._most:
            self._drop_ended()

    def _drop_ended(self) -> None:
        """Drop what threads kept that have ended, where the system says which have."""
        for thread, owners in list(self._by_thread.items()) if os.path.isdir(_THREADS) else ():
            if os.path.exists(f"{_THREADS}/{thread}"):
                continue
            dropped = self._by_thread.pop(thread, None)
            if (
                dropped is not owners and dropped is not None
            ):  # a new thread has the number of the one that ended
                self._by_thread.setdefault(thread, dropped)
        self._most = max(_LEAST_KEPT, 2 * len(self._by_thread))


class OwningWriter:
    """Writes results with pointers; what they point to lives until the thread's next call.

    C says nothing of when it has read it. By thread, lest a call in another one ends what this one's caller reads.
    """

    __slots__ = ("_kept", "write")

    def __init__(self, function: Function) -> None:
        self.write = writer(result_type(function))
        self._kept = Kept()

    def __call__(self, returned: Any, call: Any) -> tuple[bytes, tuple[Any, ...]]:
        data, owners = self.write(returned, call)
        self._kept(owners)
        return data, ()


def refuse_ended(name: str, *values: Any) -> None:
    raise ArgumentError(
        f"C++ called callback {name}() when its C function had ended, with the call or the object that it was given "
        "to. Keep an object of it for as long as C++ has it: of the typedef's class, or of sb.callback()"
    )


def name_of(call: Any) -> str:
    """A callable's own name, or its class's; a name stands for the method of its first argument."""
    if isinstance(call, str):
        return said_name(call)
    return getattr(call, "__name__", None) or type(call).__name__


def result_error(call: Any, mismatch: Mismatch) -> Exception:
    """The error for what a callable returned."""
    return value_error(f"callback {name_of(call)}() returned what C++ does not take:", mismatch)
