"""What a calling convention decides about a value, and how arguments get their places one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...frozen import frozen
from ...types import CArray, Enum, Handle, Pointer, Scalar, Struct, Type, Vector, unqualified
from ..dialects import layout

WORD = 8  # bytes
# The class of a word: which kind of register carries it; none carries padding.
GENERAL, REAL, PADDING = "general", "real", "padding"


@frozen
class Shape:
    """How one value travels.

    Attributes
    ----------
    words : tuple of str
        The class of each of its words, GENERAL, REAL or PADDING; empty for a value that travels in memory: as an
        argument on the stack whatever is free, as a result where its caller says.
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


@frozen
class Registers:
    """Registers that are free for arguments, and what of the stack is taken.

    Attributes
    ----------
    general, real : int
        Registers.
    stack : int
        Words.
    """

    general: int
    real: int
    stack: int = 0

    @property
    def count(self) -> int:
        """The registers of both kinds."""
        return self.general + self.real


class Placing:
    """Gives arguments their places one by one: among the general registers, then the others, then the stack.

    A place is a number: registers come first, in the order of :class:`Registers`, behind them the stack's words from
    ``free.stack`` on.
    """

    def __init__(self, free: Registers) -> None:
        self._free = free
        self.general = self.real = 0
        self.stack = free.stack

    def __call__(self, shape: Shape) -> list[int]:
        wanted = {kind: shape.words.count(kind) for kind in (GENERAL, REAL)}
        # All words or none: a value is never split between registers and the stack.
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
        start = self._free.count + self.stack - self._free.stack
        self.stack += shape.size
        return list(range(start, start + shape.size))

    def left(self) -> Registers:
        """What is free for further arguments."""
        return Registers(self._free.general - self.general, self._free.real - self.real, self.stack)


SMALLEST_FLOAT = 4  # bytes of C++'s own smallest number of floating point


@frozen
class Part:
    """A number, an address, or the bits of a bit-field in one byte, somewhere inside a value.

    Attributes
    ----------
    offset, align : int
        Bytes.
    real : bool or None
        Whether it is of floating point; None for what Python does not see.
    small : bool
        A float of 8 or 16 bits: the compiler's own, or a class that holds an integer. No type says which.
    """

    offset: int
    align: int
    real: bool | None
    small: bool = False


@frozen
class Processor:
    """A calling convention; a file of this folder ends in one.

    Attributes
    ----------
    machines : frozenset of str
        Its names in ``platform.machine()``.
    registers : Registers
        Those that carry arguments.
    shape : callable
        ``shape(type)``: how a value travels; None where nobody can tell, as for objects whose class decides it, for
        what Python does not see in whole, and for numbers of more than a word.
    """

    machines: frozenset[str]
    registers: Registers
    shape: Callable[[Type], Shape | None]


def parts(type_: Type, start: int = 0) -> Iterator[Part]:
    """All that a value consists of, in the order of the declaration; padding is no part."""
    type_ = unqualified(type_)
    facts = layout(type_)
    if isinstance(type_, CArray):
        step = layout(type_.element).size
        for n in range(type_.count):
            yield from parts(type_.element, start + n * step)
    elif isinstance(type_, Struct | Vector) and not isinstance(type_, Handle):
        if isinstance(type_, Struct) and not type_.complete and not type_.empty:
            yield Part(start, 1, None)
        for field in facts.fields:
            if isinstance(type_, Vector) and field.size < SMALLEST_FLOAT:  # of integers, or classes of such
                yield Part(start + field.offset, field.size, False)
            elif field.bit_width:
                first = 8 * (start + field.offset) + field.bit_offset
                yield from (Part(bit // 8, 1, False) for bit in range(first, first + field.bit_width, 8))
                yield Part((first + field.bit_width - 1) // 8, 1, False)
            else:
                yield from parts(field.type, start + field.offset)
    elif isinstance(type_, Scalar) and type_.kind == "complex":
        yield from (Part(start + part * facts.size // 2, facts.align, True) for part in range(2))
    elif isinstance(type_, Scalar | Enum | Pointer) and facts.size <= WORD:
        real = isinstance(type_, Scalar) and type_.kind == "float"
        yield Part(start, facts.align, real, real and facts.size < SMALLEST_FLOAT)
    else:
        yield Part(start, 1, None)
