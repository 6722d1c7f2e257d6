"""Where a ``switch`` goes on: the tables of offsets by which compilers write one for code that may lie anywhere."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from ...elf import WRITABLE
from ..decoding import Instruction
from ..image import Image
from .operands import Memory, Number, Register, step

_BEFORE = 48  # instructions in which what belongs to a jump stands
_MOST = 2048  # cases
_ABOVE = frozenset({"ja", "jbe", "jae", "jb"})


def cases(image: Image, instructions: Mapping[int, Instruction], jump: int) -> list[int] | None:
    """The addresses where a computed jump goes on; None where it is no such table, or nobody can tell how long it is.

    The form is ``lea b, [rip + table]; movsxd t, [b + case * 4]; add t, b; jmp t``, behind a comparison with the last
    case (GCC and Clang, position-independent); not optimised it takes more steps.
    """
    before = list(_before(instructions, jump))
    target = step(instructions[jump]).operands[0]
    if not isinstance(target, Register):
        return None
    base, count = _base(before, target.number), _count(before)
    table = _table(instructions, before, base) if base is not None else None
    extent = image.function_at(jump)
    if table is None or count is None or count > _MOST:
        return None
    section = image.section_at(table)
    if section is None or section.flags & WRITABLE:
        return None
    data = image.bytes_at(table, 4 * count)
    if len(data) < 4 * count:
        return None
    found = sorted({table + offset for (offset,) in struct.iter_unpack("<i", data)})
    if extent is not None and any(not _belongs(image, at, extent.name) for at in found):
        return None
    return found


def _belongs(image: Image, address: int, name: str) -> bool:
    """Whether an address is one of a function, or of its cold part, as far as symbols tell."""
    extent = image.function_at(address)
    return extent is None or extent.name.partition(".")[0] == name.partition(".")[0]


def _before(instructions: Mapping[int, Instruction], address: int) -> Iterator[Instruction]:
    """The instructions in front of one in memory, the nearest first."""
    for _ in range(_BEFORE):
        places = (address - size for size in range(1, 16))
        found = next((p for p in places if p in instructions and p + instructions[p].size == address), None)
        if found is None:
            return
        address = found
        yield instructions[found]


def _base(before: list[Instruction], target: int) -> int | None:
    """The register to which the target's offset is added, where it was read from a table that begins there."""
    base = None
    for instruction in before:
        found = step(instruction)
        to = found.operands[0] if found.operands else None
        if not isinstance(to, Register) or target not in found.written:
            continue
        source = found.operands[-1]
        if found.name == "add" and base is None and isinstance(source, Register):
            base = source.number
        elif found.name == "movsxd" and base is not None and isinstance(source, Memory) and source.scale == 4:
            return base if source.base == base and not source.offset else None
        elif found.name == "movsxd" and base is not None and isinstance(source, Register):
            continue  # not optimised, the offset is read first
        elif found.name == "mov" and base is not None and isinstance(source, Memory):
            # The case times four, and the table's address, which is read once more for the sum.
            return base if source.second is not None and not source.offset else None
        else:
            return None
    return None


def _table(instructions: Mapping[int, Instruction], before: list[Instruction], base: int) -> int | None:
    """What the register holds: it is set right before, or, in a loop, once anywhere."""
    for instruction in before:
        found = step(instruction)
        if base in found.written:
            return _lea(instruction, base)
    places = {_lea(i, base) for i in instructions.values() if base in step(i).written and i.mnemonic != "pop"}
    return places.pop() if len(places) == 1 else None


def _lea(instruction: Instruction, base: int) -> int | None:
    found = step(instruction)
    place = found.operands[1] if found.name == "lea" and len(found.operands) == 2 else None
    fixed = isinstance(place, Memory) and place.base is None and place.second is None
    return place.offset if isinstance(place, Memory) and fixed else None


def _count(before: list[Instruction]) -> int | None:
    """How many cases the nearest comparison lets through."""
    jump = ""
    for instruction in before:
        found = step(instruction)
        if not jump and found.name in _ABOVE:
            jump = found.name
        elif jump and found.name == "cmp":
            last = found.operands[1]
            if not isinstance(last, Number) or last.value < 0:
                return None
            return last.value + (1 if jump in ("ja", "jbe") else 0)
    return None
