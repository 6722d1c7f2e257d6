"""Where each argument of a call lies in its frame, the block of packed bytes behind the address table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import addresses as addresses  # registers the rules of arrays and pointers
from .intents import out_type
from .signature import Parameter, Signature
from .types import VOID, CArray, Type, unqualified
from .values.codecs import codec

COPY = 1  # the callee may write: never lend it the argument's own bytes
REFERENCE = 4  # the callee sees the slot itself, and may return its address


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
    """

    index: int
    codec: Any
    offset: int
    flags: int = 0


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
    """

    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    result: Slot | None
    argv: int
    size: int
    align: int


def storage_type(parameter: Parameter) -> Type:
    """The type whose bytes the frame holds for a parameter."""
    if parameter.intent.visible:
        return parameter.value_type
    pointee = unqualified(out_type(parameter.type, parameter.passing, f"parameter {parameter.name!r}"))
    if parameter.extent is None:
        return pointee
    if isinstance(pointee, CArray):
        return CArray(pointee.element, (parameter.extent, *pointee.shape))
    return CArray(pointee, (parameter.extent,))


def _flags(parameter: Parameter) -> int:
    copy = COPY if parameter.may_write else 0
    return copy if parameter.passing == "value" else copy | REFERENCE


def frame_layout(signature: Signature, dialect: str = "cxx") -> FrameLayout:
    """Lay out the frame of one signature."""
    cursor, widest = 0, 1

    def place(index: int, type_: Type, flags: int = 0) -> Slot:
        nonlocal cursor, widest
        bytes_of = codec(type_, dialect)
        cursor = -(-cursor // bytes_of.align) * bytes_of.align
        slot = Slot(index, bytes_of, cursor, flags)
        cursor, widest = cursor + bytes_of.size, max(widest, bytes_of.align)
        return slot

    inputs: list[Slot] = []
    outputs: list[Slot] = []
    for index, parameter in enumerate(signature.parameters):
        slot = place(index, storage_type(parameter), _flags(parameter))
        (inputs if parameter.intent.visible else outputs).append(slot)
    result = None if signature.result == VOID else place(-1, unqualified(signature.result))
    return FrameLayout(tuple(inputs), tuple(outputs), result, len(signature.parameters), cursor, widest)
