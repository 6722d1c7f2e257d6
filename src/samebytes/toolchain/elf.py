"""Object files and shared libraries on disk: ELF, 64 bits, little-endian (System V ABI, chapters 4 and 5)."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple, cast

_MAGIC = b"\x7fELF\x02\x01"
_FILE = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_ENTRY = struct.Struct("<QQ")  # of the dynamic section
_NEEDED_FILE = struct.Struct("<HHIII")  # Elfxx_Verneed: whose versions, how many, where the next stands
_NEEDED_VERSION = struct.Struct("<IHHII")  # Elfxx_Vernaux
_OSABI = 7  # the byte of the file's header that says whose extensions it uses

X86_64 = 62  # EM_X86_64
SYMBOLS, RELOCATIONS, DYNAMIC_SYMBOLS = 2, 4, 11  # SHT_SYMTAB, SHT_RELA, SHT_DYNSYM
_TABLES = frozenset({SYMBOLS, DYNAMIC_SYMBOLS, 3, 6})  # those, SHT_STRTAB, SHT_DYNAMIC
VERSIONS_NEEDED = 0x6FFFFFFE  # SHT_GNU_verneed
WRITABLE, ALLOCATED, EXECUTABLE = 1, 2, 4  # SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR
NO_BITS = 8  # SHT_NOBITS
UNDEFINED, RESERVED = 0, 0xFF00  # SHN_UNDEF, SHN_LORESERVE
LOCAL, GLOBAL, WEAK, UNIQUE = 0, 1, 2, 10  # STB_…
OBJECT, FUNCTION, THREAD_LOCAL = 1, 2, 6  # STT_OBJECT, STT_FUNC, STT_TLS
DEFAULT, HIDDEN = 0, 2  # STV_…
GNU = 3  # ELFOSABI_GNU, which unique symbols need
_LOADED, _DYNAMIC = 1, 2  # PT_LOAD, PT_DYNAMIC
_NEEDED, _STRINGS, _RPATH, _RUNPATH = 1, 5, 15, 29  # DT_…: the last two are folders to search


class Section(NamedTuple):
    """One section: where its name stands, what it is, where it lies in the file."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class Symbol(NamedTuple):
    """One symbol; ``place`` is its entry's in the file, ``value`` in a library its address, ``size`` in bytes."""

    place: int
    name: str
    binding: int
    kind: int
    visibility: int
    section: int
    value: int
    size: int

    @property
    def defined(self) -> bool:
        return self.section != UNDEFINED

    @property
    def lies_in_section(self) -> bool:
        """Whether it has bytes, or room, in a section of the file."""
        return UNDEFINED < self.section < RESERVED


class Relocation(NamedTuple):
    """One mention of a symbol: in which section, by its number in the table of symbols, and of which kind.

    ``offset`` is its place in that section, or in a library its address; ``table`` is the section that has the symbol.
    """

    section: int
    symbol: int
    kind: int
    offset: int
    addend: int
    table: int


class Elf:
    """One file, whose bytes may be changed.

    Attributes
    ----------
    data : bytearray
    machine : int
    sections : list of Section

    Raises
    ------
    ValueError
        If it is none.
    """

    def __init__(self, data: bytes | mmap.mmap) -> None:
        if data[: len(_MAGIC)] != _MAGIC:
            raise ValueError("this is no 64-bit little-endian ELF file")
        self.data = cast(bytearray, data) if isinstance(data, mmap.mmap) else bytearray(data)
        fields = _FILE.unpack_from(data)
        self.machine: int = fields[2]
        self._segments, self._segment_count = fields[5], fields[10]
        self._sections, self._names = fields[6], fields[13]
        self.sections = [
            Section(*_SECTION.unpack_from(data, self._sections + _SECTION.size * i))
            for i in range(fields[12])
        ]

    @classmethod
    def tables(cls, path: Path) -> Elf:
        """Of a file on disk no more than its symbols, their names and what it needs: the rest reads as zeros."""
        with open(path, "rb") as file:
            head = file.read(_FILE.size)
            if not head.startswith(_MAGIC) or len(head) < _FILE.size:
                raise ValueError("this is no 64-bit little-endian ELF file")
            fields = _FILE.unpack(head)
            size = file.seek(0, 2)
            if not fields[12]:
                file.seek(0)
                return cls(file.read())
            data = mmap.mmap(-1, size)  # no memory but for what is written

            def read(start: int, length: int) -> None:
                file.seek(start)
                part = file.read(length)
                data[start : start + len(part)] = part

            read(0, _FILE.size)
            read(fields[5], _SEGMENT.size * fields[10])
            read(fields[6], _SECTION.size * fields[12])
            found = cls(data)
            for section in found.sections:
                if section.kind in _TABLES:
                    read(section.offset, section.size)
        return found

    def text(self, start: int) -> str:
        """The text at a place, up to its NUL."""
        return self.data[start : self.data.find(b"\0", start)].decode("utf-8", "surrogateescape")

    def name(self, section: Section) -> str:
        return self.text(self.sections[self._names].offset + section.name)

    def bytes_at(self, address: int, size: int) -> bytes:
        """Up to so many bytes of a library at an address of its own; none where the file has none."""
        for section in self.sections:
            within = address - section.address
            if section.flags & ALLOCATED and section.kind != NO_BITS and 0 <= within < section.size:
                start = section.offset + within
                return bytes(self.data[start : start + min(size, section.size - within)])
        return b""

    def table(self, kind: int) -> Section | None:
        """The first section of a kind."""
        return next((s for s in self.sections if s.kind == kind), None)

    def symbols(self, kind: int = SYMBOLS, *, only: Collection[int] = ()) -> Iterator[Symbol]:
        """The symbols of a table, in its order; the first is always empty. ``only``: those of some kinds; none: all."""
        if (table := self.table(kind)) is None:
            return
        names = self.sections[table.link].offset
        entries = bytes(self.data[table.offset : table.offset + table.size])
        places = range(table.offset, table.offset + table.size, _SYMBOL.size)
        for place, entry in zip(places, _SYMBOL.iter_unpack(entries), strict=True):
            name, info, other, section, value, size = entry
            if not only or info & 15 in only:
                yield Symbol(
                    place, self.text(names + name), info >> 4, info & 15, other & 3, section, value, size
                )

    def relocations(self) -> Iterator[Relocation]:
        for section in self.sections:
            if section.kind == RELOCATIONS:
                body = self.data[section.offset : section.offset + section.size]
                for offset, info, addend in _RELOCATION.iter_unpack(body):
                    yield Relocation(
                        section.info, info >> 32, info & 0xFFFFFFFF, offset, addend, section.link
                    )

    def needed(self) -> list[str]:
        """The libraries that the dynamic linker loads with this one."""
        return self._dynamic_texts(_NEEDED)

    def search_folders(self) -> list[str]:
        """Where the dynamic linker looks for them first, as the file has it: ``$ORIGIN`` is the file's own folder."""
        texts = self._dynamic_texts(_RUNPATH) or self._dynamic_texts(_RPATH)
        return [folder for text in texts for folder in text.split(":") if folder]

    def _dynamic_texts(self, tag: int) -> list[str]:
        """The texts of the dynamic section's entries of one tag."""
        segments = [
            _SEGMENT.unpack_from(self.data, self._segments + _SEGMENT.size * i)
            for i in range(self._segment_count)
        ]
        entries: list[tuple[int, int]] = []
        for kind, _, offset, _, _, length, _, _ in segments:
            if kind == _DYNAMIC:
                entries = list(_ENTRY.iter_unpack(self.data[offset : offset + length]))
        table = next((value for found, value in entries if found == _STRINGS), 0)
        # The table's address, as an offset in the file.
        strings = next(
            (table - address + offset for kind, _, offset, address, _, length, _, _ in segments
             if kind == _LOADED and address <= table < address + length), 0,
        )  # fmt: skip
        return [self.text(strings + value) for found, value in entries if found == tag]

    def versions_needed(self) -> dict[str, tuple[str, ...]]:
        """The versions of symbols that this file needs, ``"GLIBC_2.34"``, by the library that must have them.

        The table is that of the Linux Standard Base, "Symbol Versioning".
        """
        section = self.table(VERSIONS_NEEDED)
        if section is None:
            return {}
        names = self.sections[section.link].offset
        found: dict[str, tuple[str, ...]] = {}
        place = section.offset
        for _ in range(section.info):
            _, count, file, first, following = _NEEDED_FILE.unpack_from(self.data, place)
            at, versions = place + first, []
            for _ in range(count):
                _, _, _, name, step = _NEEDED_VERSION.unpack_from(self.data, at)
                versions.append(self.text(names + name))
                at += step
            found[self.text(names + file)] = tuple(versions)
            place += following
        return found

    # --- changes, which leave every place where it is

    def rename(self, names: dict[Symbol, str]) -> None:
        """Give symbols new names; these stand at the end of the file, behind a copy of the old ones."""
        table = self.table(SYMBOLS)
        assert table is not None
        old = self.sections[table.link]
        text = self.data[old.offset : old.offset + old.size]
        for symbol, name in names.items():
            struct.pack_into("<I", self.data, symbol.place, len(text))
            text += name.encode("utf-8", "surrogateescape") + b"\0"
        new = old._replace(offset=len(self.data), size=len(text))
        _SECTION.pack_into(self.data, self._sections + _SECTION.size * table.link, *new)
        self.sections[table.link] = new
        self.data += text

    def make_unique(self, symbol: Symbol) -> None:
        """Have the dynamic linker keep one such symbol in the whole process."""
        self.data[symbol.place + 4] = UNIQUE << 4 | symbol.kind
        self.data[_OSABI] = GNU

    def undefine(self, symbol: Symbol) -> None:
        """Have a symbol's definition come from another file: what is here of it is nobody's."""
        struct.pack_into(
            "<BBHQQ", self.data, symbol.place + 4, GLOBAL << 4 | symbol.kind, DEFAULT, UNDEFINED, 0, 0
        )

    def hide(self, symbol: Symbol) -> None:
        """Keep a symbol to the library that the file becomes part of."""
        self.data[symbol.place + 5] = self.data[symbol.place + 5] & ~3 | HIDDEN
