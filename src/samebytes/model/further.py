"""Where the further arguments of a call lie, behind the declared ones.

A shim calls the function with every register that the declared parameters leave, and so many words of the stack: what
is there too much does no harm, and each further argument is in its place whatever the others are.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..layouts.processors import INTEGER, Placing, Processor, Registers, Shape, processor
from ..types import VOID
from .signature import Signature

# How many words of the stack a shim passes; the smallest that is enough is called.
STACK_WORDS = (0, 8, 128)
LONG_DOUBLE = Shape((), 2, 2)


def free_registers(signature: Signature) -> Registers | None:
    """The registers that a function's declared parameters leave; None where that is not known.

    It is not for processors that no file describes, and for objects by value whose class decides how they travel.
    """
    machine = processor()
    if machine is None:
        return None
    shapes = [INTEGER if p.passing != "value" else machine.shape(p.type) for p in signature.parameters]
    result = _result_shape(signature, machine)
    if result is None or not all(shapes):
        return None
    placing = Placing(machine.registers)
    for shape in ([] if result.words else [INTEGER]) + [s for s in shapes if s]:
        placing(shape)
    return placing.left()


def _result_shape(signature: Signature, machine: Processor) -> Shape | None:
    """How a result comes back; one without words where the function gets an address for it."""
    by_value = signature.result_passing == "value" and signature.result != VOID
    return machine.shape(signature.result) if by_value else INTEGER


def places(shapes: Sequence[Shape], free: Registers) -> tuple[list[int], int] | None:
    """Where each word of some arguments goes among the free registers and the words of the stack, and how many of
    those a shim must pass; None for more than any does.
    """
    placing = Placing(free)
    found = [place for shape in shapes for place in placing(shape)]
    needed = placing.stack - free.stack
    words = next((n for n in STACK_WORDS if n >= needed), None)
    return None if words is None else (found, words)
