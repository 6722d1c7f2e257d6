"""The code of one shared library: its functions by name, and what calls through its tables reach, by name."""

from __future__ import annotations

import struct
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from .. import elf
from ..elf import Elf
from .decoding import LONGEST, Decoder, Instruction, direct_target, fixed_slot, is_jump
from .unwinding import LandingPads

_TABLES = (".got", ".got.plt")
_RELATIVE = 8  # R_X86_64_RELATIVE: the slot has an address of the library itself
_NAMED = frozenset({1, 6, 7})  # R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT


class Extent(NamedTuple):
    """The bytes of one symbol's function, ``.cold`` parts apart, which are symbols of their own."""

    name: str
    address: int
    size: int

    @property
    def end(self) -> int:
        return self.address + self.size


class Target(NamedTuple):
    """What is called: code of the library itself at an address, or another library's by its name.

    With neither nobody can tell: it calls what it computes, or reads from memory.
    """

    address: int | None = None
    name: str = ""


class Image:
    """The code of a linked library.

    Attributes
    ----------
    functions : dict of str to Extent
        By symbol; of local ones that share a name the first. Of a stripped library those that it exports.
    exported : dict of str to Extent
        Those that other files may call by name.

    Raises
    ------
    ValueError
        If it is no ELF library of 64 bits, if nothing reads its machine's code, or if Capstone is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._file = Elf(path.read_bytes())
        self.decode = Decoder(self._file.machine)
        self.functions: dict[str, Extent] = {}
        self.exported: dict[str, Extent] = {}
        found: dict[int, Extent] = {}
        addresses: dict[str, set[int]] = {}
        for kind in (elf.SYMBOLS, elf.DYNAMIC_SYMBOLS):
            for symbol in self._file.symbols(kind):
                if symbol.kind == elf.FUNCTION and symbol.lies_in_section:
                    extent = Extent(symbol.name.partition("@")[0], symbol.value, symbol.size)
                    self.functions.setdefault(extent.name, extent)
                    if kind == elf.DYNAMIC_SYMBOLS and symbol.binding != elf.LOCAL:
                        self.exported[extent.name] = extent
                        addresses.setdefault(extent.name, set()).add(extent.address)
                    known = found.setdefault(extent.address, extent)
                    if known.size < extent.size:
                        found[extent.address] = extent
        # Of a name that has several versions, nobody can tell here which one is linked with.
        self.exported = {name: e for name, e in self.exported.items() if len(addresses[name]) == 1}
        self._extents = [found[address] for address in sorted(found)]
        self._starts = [extent.address for extent in self._extents]

    def function_at(self, address: int) -> Extent | None:
        """The function whose bytes an address is among."""
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._extents[index].end:
            return None
        return self._extents[index]

    def end_of(self, address: int) -> int | None:
        """Where the code ends that an address is among: of a stripped library the tables of unwinding tell."""
        try:
            end = self.landing_pads.end_of(address)
        except (ValueError, KeyError, IndexError, struct.error):
            end = None
        extent = self.function_at(address) if end is None else None
        return extent.end if extent is not None else end

    def bytes_at(self, address: int, size: int) -> bytes:
        """Up to so many bytes at an address; none where the file has none."""
        return self._file.bytes_at(address, size)

    def section_at(self, address: int) -> elf.Section | None:
        """What of the library is at an address when it is loaded."""
        loaded = (s for s in self._file.sections if s.flags & elf.ALLOCATED)
        return next((s for s in loaded if s.address <= address < s.address + s.size), None)

    def code(self, extent: Extent) -> bytes:
        return self._file.bytes_at(extent.address, extent.size)

    def text(self, address: int, most: int) -> bytes | None:
        """The bytes up to a NUL at an address of constant data; None where they are more than so many, or none."""
        section = self.section_at(address)
        if section is None or section.flags & elf.WRITABLE:
            return None
        text, end, _ = self._file.bytes_at(address, most).partition(b"\0")
        return text if end else None

    def instruction(self, address: int) -> Instruction | None:
        """The instruction at an address of executable bytes; None if there is none."""
        for start, code in self._code:
            within = address - start
            if 0 <= within < len(code):
                return self.decode(code[within : within + LONGEST], address)
        return None

    def slot(self, address: int) -> Target:
        """What the dynamic linker writes to a slot of its tables, and the program never; of others nothing."""
        return self._slots.get(address, Target())

    def reached(self, address: int) -> Target:
        """What a jump or a call to an address reaches: that address, or behind a stub of the linker's a name."""
        if address not in self._stubs:
            self._stubs[address] = self._behind_stub(address)
        return self._stubs[address]

    def name_of(self, target: Target) -> str:
        """The name of what is called; of code of the library itself that of its symbol, if it has one."""
        extent = self.function_at(target.address) if target.address is not None else None
        return extent.name if extent is not None else target.name

    @cached_property
    def landing_pads(self) -> LandingPads:
        """Where exceptions go on.

        Raises
        ------
        ValueError
            If the tables are in a form that is not read.
        """
        return LandingPads(self._file)

    @cached_property
    def outside(self) -> frozenset[str]:
        """The names of what its code calls, or takes the address of, in other libraries."""
        return frozenset(target.name for target in self._slots.values() if target.name)

    @cached_property
    def _stubs(self) -> dict[int, Target]:
        return {}

    @cached_property
    def _code(self) -> list[tuple[int, bytes]]:
        """The executable sections, the largest first: their addresses and bytes."""
        sections = [s for s in self._file.sections if s.flags & elf.EXECUTABLE and s.kind != elf.NO_BITS]
        sections.sort(key=lambda section: -section.size)
        return [(s.address, self._file.bytes_at(s.address, s.size)) for s in sections]

    @cached_property
    def _slots(self) -> dict[int, Target]:
        names = {
            index: [symbol.name.partition("@")[0] for symbol in self._file.symbols(section.kind)]
            for index, section in enumerate(self._file.sections)
            if section.kind == elf.DYNAMIC_SYMBOLS
        }
        tables = [s for s in self._file.sections if self._file.name(s) in _TABLES]
        found: dict[int, Target] = {}
        for relocation in self._file.relocations():
            if not any(0 <= relocation.offset - s.address < s.size for s in tables):
                continue  # a variable, which the program may set to something else
            if relocation.kind == _RELATIVE:
                found[relocation.offset] = Target(relocation.addend)
            elif relocation.kind in _NAMED and relocation.table in names and not relocation.addend:
                found[relocation.offset] = Target(None, names[relocation.table][relocation.symbol])
        return found

    def _behind_stub(self, address: int) -> Target:
        """A stub is one jump through a slot, where the compiler guards jumps behind a mark (``endbr64``)."""
        first = self.instruction(address)
        if first is not None and first.mnemonic == "endbr64":
            first = self.instruction(address + first.size)
        if first is None or not is_jump(first) or direct_target(first) is not None:
            return Target(address)
        slot = fixed_slot(first)
        target = self.slot(slot) if slot is not None else Target()
        return target if target.name else Target(address)
