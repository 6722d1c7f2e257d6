"""Symbols of object files: several libraries of one header share its variables and what its sources define.

A library built later links against the first one. Names that both may define are told from other libraries' by a
suffix; variables that each of them has a copy of (inline ones, static members of templates, static variables of inline
functions) become unique objects, of which the dynamic linker keeps one (``STB_GNU_UNIQUE``). All else is hidden.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_SYMBOLS, _DYNAMIC_SYMBOLS = 2, 11  # SHT_SYMTAB, SHT_DYNSYM
_GLOBAL, _WEAK, _UNIQUE = 1, 2, 10
_OBJECT, _DEFAULT, _HIDDEN = 1, 0, 2
_VARIABLES = (_OBJECT, 6)  # and STT_TLS
_WRITABLE, _RESERVED = 1, 0xFF00
_GNU = 3  # ELFOSABI_GNU, which unique objects need
# Sections that the dynamic linker alone writes to.
_CONSTANT = (b".data.rel.ro", b".init_array", b".fini_array", b".dynamic", b".got")
# Tables of classes, which nobody writes to, and what belongs to the standard library.
_NEVER = re.compile(
    r"^(samebytes|_ZL\d+samebytes|DW\.ref\.|completed\.|__dso_handle$|__TMC_END__$|_ZT[VISTC]|_Z(GV)?Z?NK?St|_Z(GV)?Z?St)"
)


@dataclass(frozen=True, slots=True)
class _Symbol:
    place: int  # in the file
    name: str
    binding: int
    kind: int
    visibility: int
    section: int

    @property
    def defined(self) -> bool:
        return self.section != 0


class _Object:
    """The symbols of one ELF file."""

    def __init__(self, path: Path, table: int) -> None:
        self.path = path
        self.data = bytearray(path.read_bytes())
        self.known = bytes(self.data[:6]) == _MAGIC
        if not self.known:
            return
        fields = _HEADER.unpack_from(self.data)
        self._start, self._count = fields[6], fields[12]
        self.sections = [_SECTION.unpack_from(self.data, self._start + 64 * i) for i in range(self._count)]
        self.table = next((s for s in self.sections if s[1] == table), None)

    def symbols(self, *, local: bool = False) -> Iterator[_Symbol]:
        """All but the local ones, or these alone."""
        if not self.known or self.table is None:
            return
        names = self.sections[self.table[6]][4]
        for place in range(self.table[4], self.table[4] + self.table[5], 24):
            name, info, other, section, _, _ = _SYMBOL.unpack_from(self.data, place)
            if bool(info >> 4) != local:
                start = names + name
                text = self.data[start : self.data.index(0, start)].decode("utf-8", "surrogateescape")
                yield _Symbol(place, text, info >> 4, info & 15, other & 3, section)

    def is_writable(self, symbol: _Symbol) -> bool:
        """Whether a symbol lies where the program writes to, and not only the dynamic linker."""
        if not 0 < symbol.section < _RESERVED:
            return False
        names = self.sections[_HEADER.unpack_from(self.data)[13]][4]
        section = self.sections[symbol.section]
        constant = self.data.startswith(_CONSTANT, names + section[0])
        return bool(section[2] & _WRITABLE) and not constant

    def is_shared(self, symbol: _Symbol) -> bool:
        """Whether every library that needs a variable has a copy of it."""
        weak = symbol.binding in (_WEAK, _UNIQUE) and symbol.kind == _OBJECT
        if not weak or not 0 < symbol.section < _RESERVED or symbol.visibility != _DEFAULT:
            return False
        return bool(self.sections[symbol.section][2] & _WRITABLE) and not _NEVER.match(symbol.name)

    def write(
        self, names: dict[_Symbol, str], unique: Collection[_Symbol], hidden: Collection[_Symbol]
    ) -> None:
        """Give symbols new names, bindings and visibilities; the names stand at the end of the file."""
        assert self.table is not None
        index = self.table[6]
        old = self.sections[index]
        text = bytearray(self.data[old[4] : old[4] + old[5]])
        for symbol, name in names.items():
            struct.pack_into("<I", self.data, symbol.place, len(text))
            text += name.encode("utf-8", "surrogateescape") + b"\0"
        for symbol in unique:
            self.data[symbol.place + 4] = _UNIQUE << 4 | symbol.kind
        for symbol in hidden:
            self.data[symbol.place + 5] = self.data[symbol.place + 5] & ~3 | _HIDDEN
        if unique:
            self.data[7] = _GNU
        place = self._start + 64 * index
        _SECTION.pack_into(self.data, place, *old[:4], len(self.data), len(text), *old[6:])
        self.path.write_bytes(self.data + text)


def defined(path: Path) -> set[str]:
    """The names that an object file defines for others."""
    found = _Object(path, _SYMBOLS).symbols()
    return {s.name for s in found if s.defined and s.visibility == _DEFAULT and not _is_own(s.name)}


def keeps_state(path: Path, *, alone: bool = False) -> bool:
    """Whether an object file or a library has variables.

    Parameters
    ----------
    alone : bool
        Whether only those count that it shares with no other: its code can be in one file only.
    """
    file = _Object(path, _SYMBOLS)
    symbols = [*file.symbols(local=True), *(() if alone else file.symbols())]
    found = [s for s in symbols if s.kind in _VARIABLES and not _NEVER.match(s.name)]
    return not file.known or any(map(file.is_writable, found))


def exported(library: Path, suffix: str) -> set[str]:
    """The names that a library defines under a suffix, without it."""
    found = _Object(library, _DYNAMIC_SYMBOLS).symbols()
    return {s.name.removesuffix(suffix) for s in found if s.defined and s.name.endswith(suffix)}


def share(path: Path, suffix: str, names: Collection[str], *, first: bool) -> None:
    """Prepare one object file for a library that shares with others.

    Parameters
    ----------
    path : Path
        The file, which is changed.
    suffix : str
        What tells the names of these libraries from those of others.
    names : collection of str
        What the first library's sources define.
    first : bool
        Whether this is the first library's; a later one takes from it what it does not define itself.
    """
    file = _Object(path, _SYMBOLS)
    symbols = list(file.symbols())
    if not symbols:
        return
    unique = [s for s in symbols if file.is_shared(s)]
    renamed = {s for s in symbols if s.name in names and (first or not s.defined)} | set(unique)
    hidden = [
        s for s in symbols
        if s.defined and s not in renamed and s.visibility == _DEFAULT and not _is_own(s.name)
    ]  # fmt: skip
    file.write({s: s.name + suffix for s in renamed}, unique, hidden)


def _is_own(name: str) -> bool:
    return name.startswith("samebytes")
