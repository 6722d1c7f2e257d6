"""Instructions of x86-64 from their bytes, by Capstone, which is imported when code is first read."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...forks import importing
from ..elf import X86_64
from .presence import MISSING, can_decode

# Capstone's CsInsn: mnemonic, op_str, address, size, groups, operands, regs_access(). It has no types of its own.
Instruction = Any

# The most bytes that one instruction has.
LONGEST = 15


class Decoder:
    """What decodes the code of one machine.

    Raises
    ------
    ValueError
        If there is none for it; the message is a sentence.
    """

    def __init__(self, machine: int) -> None:
        if machine != X86_64:
            raise ValueError("code of this machine is not read")
        if not can_decode():
            raise ValueError(MISSING)

    def __call__(self, code: bytes, address: int) -> Instruction | None:
        """The instruction at the beginning of some bytes; None if they are none."""
        return next(self._capstone.disasm(code, address, 1), None)

    @cached_property
    def _capstone(self) -> Any:
        with importing:
            import capstone

        decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        decoder.detail = True
        return decoder


# Capstone's own numbers (capstone.x86): groups of instructions, kinds of operands, a register.
_JUMP, _CALL, _RETURN, _INTERRUPT_RETURN = 1, 2, 3, 5
_NUMBER, _MEMORY, _RIP = 2, 3, 41
# By an instruction's number: its groups, which do not depend on its operands.
_GROUPS: dict[int, frozenset[int]] = {}


def _groups(instruction: Instruction) -> frozenset[int]:
    found = _GROUPS.get(instruction.id)
    if found is None:
        found = _GROUPS[instruction.id] = frozenset(instruction.groups)
    return found


def falls_through(instruction: Instruction) -> bool:
    """Whether the next instruction in memory may be the next to run, as far as this one tells."""
    if instruction.mnemonic in _TRAPS:
        return False
    groups = _groups(instruction)
    ends = _RETURN in groups or _INTERRUPT_RETURN in groups
    return not ends and (_JUMP not in groups or not _is_plain_jump(instruction))


def is_call(instruction: Instruction) -> bool:
    return _CALL in _groups(instruction)


def is_jump(instruction: Instruction) -> bool:
    """Whether it is a jump, with a condition or without; ``loop`` and ``jrcxz`` are."""
    return _JUMP in _groups(instruction) or instruction.mnemonic in _COUNTED


def direct_target(instruction: Instruction) -> int | None:
    """Where a jump or a call goes that says so itself."""
    operands = instruction.operands
    return int(operands[0].imm) if len(operands) == 1 and operands[0].type == _NUMBER else None


def fixed_slot(instruction: Instruction) -> int | None:
    """The address from which a jump or a call takes its target, where it is always the same (``[rip + n]``)."""
    operands = instruction.operands
    if len(operands) != 1 or operands[0].type != _MEMORY:
        return None
    place = operands[0].mem
    if place.base != _RIP or place.index or place.segment:
        return None
    return int(instruction.address + instruction.size + place.disp)


_TRAPS = frozenset({"ud2", "ud1", "ud0", "hlt", "int3"})
_COUNTED = frozenset({"loop", "loope", "loopne", "jrcxz", "jecxz"})


def _is_plain_jump(instruction: Instruction) -> bool:
    return instruction.mnemonic.split()[-1] in ("jmp", "ljmp")
