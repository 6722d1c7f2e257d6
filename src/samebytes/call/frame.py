"""Where each argument of a call lies in its frame, the block of packed bytes behind the address table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .. import _native
from .._native import COPY, INDIRECT, MOVES, REFERENCE, RETAINED, TAKES
from ..model.intents import OutReturn
from ..model.signature import Parameter, Signature
from ..model.slots import element_type, pointed, result_type, storage_type, takes_over, viewed
from ..types import (
    VOID,
    Array,
    Enum,
    Handle,
    Pointer,
    Scalar,
    Span,
    Struct,
    unqualified,
)
from ..values.codecs import codec, place_codec, view_codec
from ..values.conversion import Packed, convert, convert_handle
from .addresses.places import place_rule
from .capacity import Capacity
from .output_arrays import OutputArray, output_array

_HANDLE = (8, 8)  # bytes and alignment of what the core notes about storage that Python makes


@dataclass(frozen=True, slots=True)
class Slot:
    """One C++ argument inside the frame.

    Attributes
    ----------
    index : int
        Position in the address table: the C++ parameter's.
    codec : _native.Codec
    offset : int
        Bytes from the start of the frame.
    flags : int
        Of ``InputFlags`` in ``native/call/plan.hpp``.
    room : OutputArray, Capacity or None
        Makes the storage of an output that the frame does not hold; the codec is then of one element.
    guarded : Parameter or None
        An output that a rule takes for one value: C writes it to memory where nothing else lies near, and bytes
        behind it must stay as they are.
    """

    index: int
    codec: Any
    offset: int
    flags: int = 0
    room: OutputArray | Capacity | None = None
    guarded: Parameter | None = None


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Where the arguments of one signature lie.

    Attributes
    ----------
    inputs : tuple of Slot
        The visible parameters in order.
    outputs : tuple of Slot
        Storage that C++ fills and Python returns.
    result : Slot or None
    argv : int
        The number of C++ parameters.
    size, align : int
        Bytes.
    builds : bool
        Whether the first input is the new object that a constructor fills.
    """

    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    result: Slot | None
    argv: int
    size: int
    align: int
    builds: bool = False


def convert_argument(parameter: Parameter, obj: Any, dialect: str) -> Packed:
    """The bytes that a visible parameter's slot gets for an argument.

    Raises
    ------
    Mismatch
        If it does not fit.
    """
    if isinstance(parameter.value_type, Handle):
        return convert_handle(parameter.value_type, obj, dialect, writes=parameter.may_write)
    if parameter.intent.place:
        type_ = storage_type(parameter)
        assert isinstance(type_, Pointer)
        return place_rule(type_, obj, dialect, one=parameter.passing != "value")
    return convert(parameter.value_type, obj, dialect)


def _flags(parameter: Parameter) -> int:
    if isinstance(parameter.value_type, Handle):
        moves = MOVES if parameter.passing == "rvalue_ref" else 0
        return INDIRECT | moves | (COPY if parameter.may_write else 0)
    if parameter.intent.place and parameter.passing != "value":
        return INDIRECT
    found = COPY if parameter.may_write else 0
    if takes_over(parameter):
        found |= TAKES
    return found if parameter.passing == "value" else found | REFERENCE


def _makes_object(signature: Signature) -> bool:
    """Whether a call makes an object of a class that may refer to others without Python's seeing it."""
    made = unqualified(signature.result)
    hidden = isinstance(made, Struct) and not made.complete
    return signature.result_passing != "lvalue_ref" and (isinstance(made, Handle) or hidden)


def _may_be_kept(parameter: Parameter) -> bool:
    """Whether C++ may remember where an argument is."""
    if parameter.passing == "lvalue_ref":  # of a number, in the frame of the call
        return isinstance(parameter.value_type, Struct | Scalar | Enum)
    return isinstance(parameter.value_type, Pointer | Array | Span)


def _view(seen: tuple[Struct, bool] | None, dialect: str) -> _native.Codec | None:
    if seen is None or seen[0].python is None:
        return None
    return view_codec(seen[0], const=seen[1], dialect=dialect)


def _result(signature: Signature, dialect: str, place: Callable[[int, int], int]) -> Slot:
    if view := _view(viewed(signature), dialect):
        return Slot(-1, view, place(8, 8))
    bytes_of = codec(result_type(signature), dialect)
    if isinstance(unqualified(signature.result), Handle):
        return Slot(-1, bytes_of, 0)
    return Slot(-1, bytes_of, place(bytes_of.size, bytes_of.align))


def frame_layout(signature: Signature, dialect: str = "cxx", table: tuple[int, ...] = ()) -> FrameLayout:
    """Lay out the frame of one signature; ``table`` is that of :class:`Candidate`."""
    cursor, widest = 0, 1
    keeps, measuring = _makes_object(signature), signature.measuring

    def place(size: int, align: int) -> int:
        nonlocal cursor, widest
        offset = -(-cursor // align) * align
        cursor, widest = offset + size, max(widest, align)
        return offset

    def slot(index: int, parameter: Parameter) -> Slot:
        flags, stored = _flags(parameter), storage_type(parameter)
        if keeps and _may_be_kept(parameter):
            flags |= RETAINED
        if isinstance(parameter.value_type, Handle):
            return Slot(index, codec(parameter.value_type, dialect), 0, flags)
        if flags & INDIRECT:
            assert isinstance(stored, Pointer)
            return Slot(index, place_codec(stored, dialect), 0, flags)
        if parameter in measuring:
            measure = Capacity(signature, parameter)
            return Slot(index, codec(stored, dialect), place(*_HANDLE), flags, measure)
        if room := output_array(signature, parameter, dialect):
            return Slot(index, codec(element_type(parameter), dialect), place(*_HANDLE), flags, room)
        view = None if parameter.intent.visible else _view(pointed(stored), dialect)
        bytes_of = view or codec(stored, dialect)
        if isinstance(parameter.intent, OutReturn) and parameter.intent.guessed:
            return Slot(index, bytes_of, place(bytes_of.size, bytes_of.align), flags, guarded=parameter)
        return Slot(index, bytes_of, place(bytes_of.size, bytes_of.align), flags)

    slots = [slot(index, parameter) for index, parameter in enumerate(signature.parameters)]
    if table:
        slots = [replace(slot, index=index) for slot, index in zip(slots, table[:-1], strict=True)]
    total, builds = table[-1] if table else len(slots), signature.kind == "constructor"
    shown = [p.intent.visible for p in signature.parameters]
    result = None
    if signature.result != VOID and not builds:
        result = _result(signature, dialect, place)
    # A constructor's object is in the place of the result.
    made = (Slot(total, codec(signature.result, dialect), 0, INDIRECT),) if builds else ()
    return FrameLayout(
        (*made, *(s for s, visible in zip(slots, shown, strict=True) if visible)),
        tuple(s for s, visible in zip(slots, shown, strict=True) if not visible),
        result, total, cursor, widest, builds,
    )  # fmt: skip
