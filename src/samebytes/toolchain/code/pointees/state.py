"""What registers and the stack hold at one instruction, and what was written where arguments point to until then."""

from __future__ import annotations

from collections.abc import Iterable

from .operands import REGISTERS, RSP
from .values import ARGUMENT, OTHER, STACK, Atom, Value, argument, blurred, join, plain, stack

# System V ABI, AMD64 supplement 1.0, section 3.2.3: where integers and addresses are passed, and what a call keeps.
PASSING = (7, 6, 2, 1, 8, 9)  # rdi, rsi, rdx, rcx, r8, r9
_KEPT = frozenset({3, 4, 5, 12, 13, 14, 15})  # rbx, rsp, rbp, r12 to r15
LOST = tuple(n for n in range(REGISTERS) if n not in _KEPT)
STACKED = 6  # words of the stack that may be arguments, behind those in registers
COUNT = len(PASSING) + STACKED
WORD = 8


class State:
    """One state of a path; paths that meet are joined.

    Attributes
    ----------
    registers : list of Value
        By number.
    slots : dict of int to Value
        Words of the stack, by their offset from the return address; of the rest nothing is known.
    shown : bool
        Whether somebody else has an address of the stack.
    written : dict of int to int
        By argument: which bytes behind it are surely written, one bit for each.
    touched : frozenset of int
        Arguments behind which anything may have been written.
    """

    __slots__ = ("registers", "shown", "slots", "touched", "written")

    def __init__(self, traced: Iterable[int]) -> None:
        self.registers: list[Value] = [OTHER] * REGISTERS
        self.registers[RSP] = stack(0)
        self.slots: dict[int, Value] = {}
        self.shown = False
        self.written: dict[int, int] = dict.fromkeys(traced, 0)
        self.touched: frozenset[int] = frozenset()
        for index in self.written:
            if index < len(PASSING):
                self.registers[PASSING[index]] = argument(index)
            else:
                self.slots[WORD * (index - len(PASSING) + 1)] = argument(index)

    def copy(self) -> State:
        other = State.__new__(State)
        other.registers, other.slots = self.registers.copy(), self.slots.copy()
        other.written, other.touched, other.shown = self.written.copy(), self.touched, self.shown
        return other

    def joins(self, other: State) -> bool:
        """Take in what another path brings; whether anything is new."""
        changed = False
        registers, slots = self.registers, self.slots
        for n, value in enumerate(other.registers):
            mine = registers[n]
            if mine is not value and (both := join(mine, value)) != mine:
                registers[n], changed = both, True
        for place, value in other.slots.items():
            mine = slots.get(place, OTHER)
            if mine is not value and (both := join(mine, value)) != mine:
                slots[place], changed = both, True
        for place in slots.keys() - other.slots.keys():
            if (both := join(slots[place], OTHER)) != slots[place]:
                slots[place], changed = both, True
        for index, bits in other.written.items():
            if self.written[index] & ~bits:
                self.written[index] &= bits
                changed = True
        if other.touched - self.touched:
            self.touched |= other.touched
            changed = True
        if other.shown and not self.shown:
            self.shown = changed = True
        return changed

    # --- the stack

    def load(self, offset: int | None, size: int) -> Value:
        """What a word of the stack holds; of one of many, all that any of them may."""
        if offset is None:
            found = OTHER
            for value in self.slots.values():
                found = join(found, blurred(value))
            return found
        if size == WORD and offset in self.slots:
            return self.slots[offset]
        found = OTHER
        for at, value in self.slots.items():
            if at < offset + size and offset < at + WORD and not plain(value):
                found = join(found, blurred(value))
        return found

    def store(self, offset: int | None, size: int, value: Value, sure: bool) -> None:
        """Write to the stack; not ``sure``: perhaps elsewhere."""
        if offset is None:
            self.slots = {at: join(old, OTHER) for at, old in self.slots.items()}
            return
        for at in [at for at in self.slots if at < offset + size and offset < at + WORD]:
            if not sure:
                self.slots[at] = join(self.slots[at], value if at == offset and size == WORD else OTHER)
            elif at >= offset and at + WORD <= offset + size:
                del self.slots[at]
            else:
                self.slots[at] = join(self.slots[at], OTHER)
        if size == WORD and (sure or offset not in self.slots) and value != OTHER:
            self.slots[offset] = value if sure else join(value, OTHER)

    def stored_arguments(self) -> Iterable[Atom]:
        """The arguments, traced, that words of the stack hold."""
        return [a for value in self.slots.values() for a in value if a.kind == ARGUMENT]

    def top(self) -> int | None:
        """How far the stack's end lies from the return address, where that is known."""
        value = self.registers[RSP]
        if len(value) == 1:
            (atom,) = value
            return atom.offset if atom.kind == STACK else None
        return None

    # --- what was written behind arguments

    def write(self, index: int, offset: int | None, size: int, sure: bool) -> None:
        self.touched |= {index}
        if sure and offset is not None and offset >= 0 and offset + size <= _WATCHED:
            self.written[index] |= (1 << size) - 1 << offset

    def is_written(self, index: int, offset: int | None, size: int) -> bool:
        if offset is None or offset < 0 or offset + size > _WATCHED:
            return False
        bits = (1 << size) - 1 << offset
        return self.written[index] & bits == bits


_WATCHED = 64  # bytes behind an argument of which it is known whether they are written
