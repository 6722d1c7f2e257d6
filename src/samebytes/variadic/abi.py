"""Where the arguments of a variadic call lie: the x86-64 System V ABI, version 1.0, section 3.2.3.

A shim calls the function with every register that the declared parameters leave, and so many words of the stack: what
is there too much does no harm, and each further argument is in its place whatever the others are.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..dialects import layout
from ..signature import Signature
from ..types import VOID, CArray, Enum, Handle, Pointer, Scalar, Struct, Type, unqualified

WORD = 8  # bytes
# General and floating-point registers that carry arguments.
_REGISTERS = {"x86_64": (6, 8), "AMD64": (6, 8)}
_MOST_IN_REGISTERS = 2  # words of one value
# How many words of the stack a shim passes; the smallest that is enough is called.
STACK_WORDS = (0, 8, 128)

GENERAL, REAL, PADDING = "general", "real", "padding"


@dataclass(frozen=True, slots=True)
class Shape:
    """How one argument travels.

    Attributes
    ----------
    words : tuple of str
        The class of each of its words, GENERAL, REAL, or PADDING, which no register carries; empty for one that lies
        on the stack whatever is free.
    size : int
        Words.
    align : int
        Words: 2 where it begins at a multiple of 16 bytes.
    """

    words: tuple[str, ...]
    size: int = 1
    align: int = 1


INTEGER = Shape((GENERAL,))
DOUBLE = Shape((REAL,))
LONG_DOUBLE = Shape((), 2, 2)


@dataclass(frozen=True, slots=True)
class Registers:
    """What the declared parameters leave to the further arguments.

    Attributes
    ----------
    general, real : int
        Registers.
    stack : int
        The words of the stack that they take.
    """

    general: int
    real: int
    stack: int = 0

    @property
    def count(self) -> int:
        """The registers of both kinds."""
        return self.general + self.real


def free_registers(signature: Signature) -> Registers | None:
    """The registers that a function's declared parameters leave; None where that is not known.

    It is not for other processors, and for objects by value whose class decides how they travel.
    """
    machine = _REGISTERS.get(platform.machine())
    shapes = [INTEGER if p.passing != "value" else value_shape(p.type) for p in signature.parameters]
    result = _result_shape(signature)
    if machine is None or result is None or not all(shapes):
        return None
    placing = _Placing(Registers(*machine))
    for shape in ([] if result.words else [INTEGER]) + [s for s in shapes if s]:
        placing(shape)
    return Registers(machine[0] - placing.general, machine[1] - placing.real, placing.stack)


def _result_shape(signature: Signature) -> Shape | None:
    """How a result comes back; one without words where the function gets an address for it."""
    by_value = signature.result_passing == "value" and signature.result != VOID
    return value_shape(signature.result) if by_value else INTEGER


def places(shapes: Sequence[Shape], free: Registers) -> tuple[list[int], int] | None:
    """Where each word of some arguments goes among the free registers and the words of the stack, and how many of
    those a shim must pass; None for more than any does.
    """
    placing = _Placing(free, free.stack)
    found = [place for shape in shapes for place in placing(shape)]
    needed = placing.stack - free.stack
    words = next((n for n in STACK_WORDS if n >= needed), None)
    return None if words is None else (found, words)


class _Placing:
    """Gives arguments their places one by one: general registers first, then the others, then the stack."""

    def __init__(self, free: Registers, stack: int = 0) -> None:
        self._free = free
        self._first = stack
        self.general = self.real = 0
        self.stack = stack

    def __call__(self, shape: Shape) -> list[int]:
        wanted = {kind: shape.words.count(kind) for kind in (GENERAL, REAL)}
        fits = (
            self.general + wanted[GENERAL] <= self._free.general
            and self.real + wanted[REAL] <= self._free.real
        )
        if not shape.words or not fits:
            return self._stacked(shape)
        return [self._register(kind) for kind in shape.words if kind != PADDING]

    def _register(self, kind: str) -> int:
        if kind == GENERAL:
            self.general += 1
            return self.general - 1
        self.real += 1
        return self._free.general + self.real - 1

    def _stacked(self, shape: Shape) -> list[int]:
        self.stack += -self.stack % shape.align
        start = self._free.count + self.stack - self._first
        self.stack += shape.size
        return list(range(start, start + shape.size))


def value_shape(type_: Type) -> Shape | None:
    """How a number, an address or a record of C travels by value; None for what is none of these.

    Each word of a record of at most two is general if anything in it is, real if it has only numbers that are, else
    padding; larger ones, and those whose fields are not aligned, lie on the stack.
    """
    type_ = unqualified(type_)
    if not isinstance(type_, Struct | Scalar | Enum | Pointer) or isinstance(type_, Handle):
        return None
    parts = list(_parts(type_, 0))
    if not parts or any(general is None for _, _, general in parts):
        return None
    facts = layout(type_)
    size, align = -(-facts.size // WORD), max(facts.align // WORD, 1)
    if size > _MOST_IN_REGISTERS or any(offset % step for offset, step, _ in parts):
        return Shape((), size, align)
    words = dict.fromkeys(range(size), PADDING) | {offset // WORD: REAL for offset, *_ in parts}
    words |= {offset // WORD: GENERAL for offset, _, is_general in parts if is_general}
    return Shape(tuple(words.values()), size, align)


def _parts(type_: Type, start: int) -> Iterator[tuple[int, int, bool | None]]:
    """Of each number and address inside: its offset, its alignment, and whether it is none of floating point.

    The latter is None for what Python does not see.
    """
    type_ = unqualified(type_)
    facts = layout(type_)
    if isinstance(type_, CArray):
        step = layout(type_.element).size
        for n in range(type_.count):
            yield from _parts(type_.element, start + n * step)
    elif isinstance(type_, Struct):
        if not type_.complete:
            yield start, 1, None
        for field in facts.fields:
            if field.bit_width:
                first = 8 * (start + field.offset) + field.bit_offset
                yield from ((bit // 8, 1, True) for bit in range(first, first + field.bit_width, 8))
                yield (first + field.bit_width - 1) // 8, 1, True
            else:
                yield from _parts(field.type, start + field.offset)
    elif isinstance(type_, Scalar) and type_.kind == "complex":
        yield from ((start + part * facts.size // 2, facts.align, False) for part in range(2))
    elif isinstance(type_, Scalar | Enum | Pointer):
        yield start, facts.align, not (isinstance(type_, Scalar) and type_.kind == "float")
    else:
        yield start, 1, None
