"""What registers and the stack hold while code is followed: of which memory an address is known to be.

A place is None where nothing is known: a number, or an address of memory that is not samebytes' own. Else it is one of

- ``("args", n)``: n bytes into the table of a shim's arguments;
- ``("slot", s)``: inside of what one of the entries ``s`` of that table points to, a frozenset of their numbers;
- ``("stack", n)``: n bytes above where the stack was at the entry; n is None where that is not followed;
- ``("image", n)``: the address n of the library itself;
- ``("heap", 0)``: inside of an exception that was just made;
- ``("name", s)``: the address of what another library names so.
"""

from __future__ import annotations

from typing import Any

Place = tuple[str, Any] | None

_WIDTHS = {"rax": "eax ax al ah", "rbx": "ebx bx bl bh", "rcx": "ecx cx cl ch", "rdx": "edx dx dl dh",
           "rsi": "esi si sil", "rdi": "edi di dil", "rbp": "ebp bp bpl", "rsp": "esp sp spl"}  # fmt: skip
_WIDTHS |= {f"r{n}": f"r{n}d r{n}w r{n}b" for n in range(8, 16)}
# By any of its names: the whole register.
REGISTERS = {part: whole for whole, parts in _WIDTHS.items() for part in (whole, *parts.split())}
# Those that a call leaves as they were (System V ABI).
PRESERVED = ("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15")
_WORD = 8  # bytes


def moved(place: Place, by: int) -> Place:
    """The place so many bytes further."""
    if place is None or place[0] == "name":
        return None
    kind, at = place
    return (kind, at + by) if kind in ("args", "image", "stack") and at is not None else place


def either(one: Place, other: Place) -> Place:
    """The place that is one or the other."""
    if one is not None and other is not None and one[0] == other[0] == "slot":
        return ("slot", one[1] | other[1])
    return one if one == other else None


class State:
    """What is known before an instruction."""

    def __init__(self, registers: dict[str, Place], stored: dict[int, Place]) -> None:
        self.registers, self.stored = registers, stored

    def copy(self) -> State:
        return State(dict(self.registers), dict(self.stored))

    def joined(self, other: State) -> State:
        """What holds after either."""
        registers = {r: either(p, other.registers.get(r)) for r, p in self.registers.items()}
        return State(registers, {n: either(p, other.stored.get(n)) for n, p in self.stored.items()})

    def caught(self) -> State:
        """What a landing pad still knows: what was stored may have changed."""
        return State({r: self.registers.get(r) for r in PRESERVED}, {})

    def forget(self, *registers: str) -> None:
        for register in registers:
            self.registers.pop(register, None)

    # --- the stack

    def store(self, place: Place, size: int, value: Place = None) -> None:
        """Note a write; what it overlaps on the stack is known no more."""
        if place is None or place[0] != "stack":
            return
        at = place[1]
        if at is None:
            self.stored.clear()
            return
        for n in range(at - _WORD + 1, at + max(size, 1)):
            self.stored.pop(n, None)
        if size == _WORD and value is not None:
            self.stored[at] = value

    def load(self, place: Place) -> Place:
        """What was stored in a word of the stack."""
        return self.stored.get(place[1]) if place and place[0] == "stack" else None

    def push(self, value: Place) -> None:
        self.registers["rsp"] = top = moved(self.registers.get("rsp"), -_WORD)
        self.store(top, _WORD, value)

    def pop(self) -> Place:
        top = self.registers.get("rsp")
        self.registers["rsp"] = moved(top, _WORD)
        return self.load(top)
