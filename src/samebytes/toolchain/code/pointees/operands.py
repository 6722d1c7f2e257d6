"""An instruction as the interpretation looks at it: its name, its operands, and which general registers it writes."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ..decoding import Instruction

# By the bits of their names in machine code (Intel's manual, volume 2, table 3-1).
NAMES = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi")
RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = range(8)
REGISTERS = 16
_WORD = 8  # bytes


class Register(NamedTuple):
    """A general register, or so many bytes of it; ``high`` is the second byte (``ah``)."""

    number: int
    size: int
    high: bool = False


class Memory(NamedTuple):
    """``[base + second * scale + offset]``; without registers ``offset`` is an address of the library."""

    base: int | None
    second: int | None
    scale: int
    offset: int
    size: int
    absolute: bool  # relative to another segment: of the thread


class Number(NamedTuple):
    value: int


class Vector(NamedTuple):
    """Any other register."""

    name: str


Operand = Register | Memory | Number | Vector


class Step(NamedTuple):
    """One instruction.

    Attributes
    ----------
    name : str
        Without prefixes.
    prefix : str
        ``"rep"`` and its kin, ``"lock"``, or empty.
    operands : tuple
    size : int
        Bytes.
    written : frozenset of int
        The general registers that it writes, by number.
    read : frozenset of int
        The general registers whose whole words it reads, addresses of memory apart.
    """

    name: str
    prefix: str
    operands: tuple[Operand, ...]
    size: int
    written: frozenset[int]
    read: frozenset[int]


_PREFIXES = frozenset(
    {"rep", "repe", "repne", "repz", "repnz", "lock", "notrack", "bnd", "xacquire", "xrelease"}
)


def step(instruction: Instruction) -> Step:
    """What an instruction is."""
    *prefixes, name = instruction.mnemonic.split()
    while name in _PREFIXES and instruction.op_str:  # Capstone counts some of them to the operands
        name = instruction.op_str.split()[0]
    prefix = next((p for p in prefixes if p in _PREFIXES and p not in ("notrack", "bnd")), "")
    operands = tuple(_operand(instruction, op) for op in instruction.operands)
    read = frozenset(op.number for op in operands if isinstance(op, Register) and op.size == _WORD)
    return Step(name, prefix, operands, instruction.size, _written(instruction, name, operands), read)


def _written(instruction: Instruction, name: str, operands: tuple[Operand, ...]) -> frozenset[int]:
    known = registers()
    names = {instruction.reg_name(r) for r in instruction.regs_access()[1]}
    if "cmpxchg" in name:  # of which Capstone forgets it
        names.add("rax")
    found = {known[n].number for n in names if n in known}
    if name not in ("cmp", "test", "bt", "push"):
        found |= {op.number for op in operands[:1] if isinstance(op, Register)}
    return frozenset(found)


def _operand(instruction: Instruction, operand: Any) -> Operand:
    from capstone.x86 import X86_OP_IMM, X86_OP_MEM, X86_REG_FS, X86_REG_GS

    if operand.type == X86_OP_IMM:
        return Number(operand.imm)
    if operand.type != X86_OP_MEM:
        name = instruction.reg_name(operand.reg) or ""
        return registers().get(name) or Vector(name)
    place = operand.mem
    base = instruction.reg_name(place.base) if place.base else ""
    index = instruction.reg_name(place.index) if place.index else ""
    offset = place.disp
    if base == "rip":
        base, offset = "", offset + instruction.address + instruction.size
    absolute = place.segment in (X86_REG_FS, X86_REG_GS)
    known = registers()
    # An index among vectors gathers from many places: it has no number, and the base is any of them.
    return Memory(
        known[base].number if base in known else None,
        known[index].number if index in known else None,
        place.scale if index in known else 0 if not index else -1,
        offset, operand.size, absolute,
    )  # fmt: skip


@cache
def registers() -> dict[str, Register]:
    """The general registers by every name that a part of them has."""
    found: dict[str, Register] = {}
    for number, name in enumerate(NAMES):
        short = name[1:]
        found[name], found[f"e{short}"], found[short] = (Register(number, size) for size in (8, 4, 2))
        low = f"{short[0]}l" if number < RSP else f"{short}l"
        found[low] = Register(number, 1)
        if number < RSP:
            found[f"{short[0]}h"] = Register(number, 1, True)
    for number in range(8, REGISTERS):
        for suffix, size in (("", 8), ("d", 4), ("w", 2), ("b", 1)):
            found[f"r{number}{suffix}"] = Register(number, size)
    return found
