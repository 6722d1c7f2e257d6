"""What reading, writing and handing on addresses means for a state, and what is noted of it."""

from __future__ import annotations

from .effects import Access, Effect
from .operands import Memory, Number, Operand, Register, Vector
from .state import WORD, State
from .values import (
    ARGUMENT,
    OTHER,
    STACK,
    Value,
    arguments,
    blurred,
    constant,
    join,
    number,
    on_stack,
    plain,
    shifted,
)

# How an address is no longer followed that lies on the stack while others may have one of the stack's.
EXPOSED = "others may read it on the stack"


class Transfer:
    """Interprets the instructions of one function.

    Attributes
    ----------
    effects : dict of int to Effect
        By argument that is traced; filled only while ``noting``, once the states are known.
    thorough : bool
        Whether it is asked what functions do with addresses of the stack.
    """

    def __init__(self, traced: frozenset[int], thorough: bool) -> None:
        self.thorough = thorough
        self.effects = {index: Effect() for index in traced}
        self.noting = False

    # --- what is noted

    def leaks(self, value: Value, how: str, state: State) -> None:
        """A value comes to where nobody follows it."""
        if self.noting:
            for atom in arguments(value):
                self.effects[atom.which].leaks.add(how)
        if on_stack(value):
            state.shown = True
        if state.shown and self.noting:
            self.exposed(state, EXPOSED)

    def exposed(self, state: State, how: str) -> None:
        """All that lies on the stack may be read by others."""
        if self.noting:
            for atom in state.stored_arguments():
                self.effects[atom.which].leaks.add(how)

    def reads(self, index: int, offset: int | None, size: int, sure: bool, state: State) -> None:
        if self.noting and not state.is_written(index, offset, size):
            sure = sure and index not in state.touched
            self.effects[index].reads.add(Access(offset, size, sure))

    def writes(self, index: int, offset: int | None, size: int, sure: bool, state: State) -> None:
        if self.noting:
            self.effects[index].writes.add(Access(offset, size, sure))
        state.write(index, offset, size, sure)

    def may_write(self, index: int, offset: int | None, size: int, sure: bool, state: State) -> None:
        """A function that is called writes, on some of its ways."""
        if self.noting:
            self.effects[index].writes.add(Access(offset, size, sure))
        state.touched |= {index}

    # --- operands

    def address(self, place: Memory, state: State) -> Value:
        if place.absolute:
            return OTHER
        if place.scale == -1:
            return blurred(state.registers[place.base]) if place.base is not None else OTHER
        value = number(0) if place.base is None else state.registers[place.base]
        if place.second is not None:
            value = added(value, state.registers[place.second], place.scale)
        return shifted(value, place.offset)

    def load(self, at: Value, size: int, state: State, sure: bool = True) -> Value:
        """What lies at an address."""
        found: Value = frozenset()
        for atom in at:
            if atom.kind == STACK:
                found = join(found, state.load(atom.offset, size))
                continue
            found = join(found, OTHER)
            if atom.kind == ARGUMENT:
                self.reads(atom.which, atom.offset, size, sure and len(at) == 1, state)
        return found or OTHER

    def store(self, at: Value, size: int, value: Value, state: State) -> None:
        sure = len(at) == 1
        for atom in at:
            if atom.kind == STACK:
                state.store(atom.offset, size, value, sure)
                if atom.offset is None or size != WORD:
                    self.leaks(value, "it is stored in an array", state)
                elif state.shown:
                    self.exposed(state, EXPOSED)
                continue
            if not plain(value):
                self.leaks(value, "it is stored", state)
            if atom.kind == ARGUMENT:
                self.writes(atom.which, atom.offset, size, sure, state)

    def value(self, operand: Operand, state: State) -> Value:
        """What an operand holds; of parts of a register only numbers are known."""
        if isinstance(operand, Number):
            return number(operand.value)
        if isinstance(operand, Memory):
            return self.load(self.address(operand, state), operand.size, state)
        if isinstance(operand, Vector):
            return OTHER
        whole = state.registers[operand.number]
        if operand.size == WORD:
            return whole
        known = constant(whole)
        return OTHER if known is None or operand.high else number(known & (1 << 8 * operand.size) - 1)

    def put(self, operand: Operand, value: Value, state: State) -> None:
        if isinstance(operand, Memory):
            self.store(self.address(operand, state), operand.size, value, state)
        elif isinstance(operand, Register):
            if operand.size == WORD:
                state.registers[operand.number] = value
            else:  # four bytes clear the others, fewer leave them
                known = constant(value) if operand.size == 4 else None
                state.registers[operand.number] = OTHER if known is None else number(known & 0xFFFFFFFF)

    def block(self, at: Value, size: int, state: State, *, writes: bool) -> None:
        """So many bytes are read or written; 0: nobody knows how many."""
        for atom in at:
            if atom.kind == ARGUMENT:
                place = atom.offset if size else None
                access = self.writes if writes else self.reads
                access(atom.which, place, size, size > 0 and len(at) == 1, state)
            elif atom.kind == STACK and writes:
                state.store(atom.offset if size else None, size, OTHER, False)
            elif atom.kind == STACK:
                self.exposed(state, "it is copied")


def join_all(values: list[Value]) -> Value:
    found: Value = frozenset()
    for value in values:
        found = join(found, value)
    return found


def added(one: Value, other: Value, scale: int) -> Value:
    """Two values, the second so many times."""
    known = constant(other)
    if known is not None:
        return shifted(one, known * scale)
    known = constant(one)
    if known is not None and scale == 1:
        return shifted(other, known)
    if plain(one) and plain(other):
        return OTHER
    # An address and any number: somewhere in what it is the address of.
    if plain(other):
        return shifted(one, None)
    if plain(one) and scale == 1:
        return shifted(other, None)
    return join(blurred(one), blurred(other))
