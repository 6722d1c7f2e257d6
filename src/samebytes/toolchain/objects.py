"""What the functions in object files need from elsewhere, each for itself: read from the files' relocations (ELF)."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# ELF-64, little endian (System V ABI): the file's header, a section's, a symbol, a relocation with addend.
_FILE = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_MAGIC = b"\x7fELF\x02\x01"
_SYMBOLS, _RELOCATIONS = 2, 4
_UNDEFINED, _RESERVED = 0, 0xFF00
_LOCAL = 0
_X86_64, _CALL = 62, 4  # R_X86_64_PLT32: a call, which a jump may answer

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Symbol:
    name: str
    section: int
    local: bool


class Needs:
    """The undefined symbols of some objects that are linked together, by the functions that reach them.

    Compiled with ``-ffunction-sections -fdata-sections``, each function lies in a section of its own, and what its
    code mentions are that section's relocations.

    Attributes
    ----------
    called : set of str
        The undefined symbols that code calls.
    """

    def __init__(self, objects: Iterable[Path]) -> None:
        self.called: set[str] = set()
        self._defined: dict[str, _Place] = {}
        self._mentions: dict[_Place, set[_Place | str]] = defaultdict(set)
        for number, path in enumerate(objects):
            self._read(number, path.read_bytes())

    def functions(self) -> Iterator[str]:
        """The names of what is defined."""
        return iter(self._defined)

    def of(self, function: str) -> set[str]:
        """The undefined symbols that a defined function reaches, itself or through others."""
        found: set[str] = set()
        seen: set[_Place | str] = set()
        open_: list[_Place | str] = [function]
        while open_:
            mention = open_.pop()
            if mention in seen:
                continue
            seen.add(mention)
            place = self._defined.get(mention) if isinstance(mention, str) else mention
            if place is None:
                assert isinstance(mention, str)
                found.add(mention)
            else:
                open_.extend(self._mentions.get(place, ()))
        return found

    def _read(self, number: int, data: bytes) -> None:
        if not data.startswith(_MAGIC):
            return
        file = _FILE.unpack_from(data)
        machine, start, size, count = file[2], file[6], file[11], file[12]
        sections = [_SECTION.unpack_from(data, start + i * size) for i in range(count)]
        symbols: list[_Symbol] = []
        for section in sections:
            if section[1] == _SYMBOLS:
                names = sections[section[6]]
                symbols = list(_symbols(_body(data, section), _body(data, names)))
        for symbol in symbols:
            if not symbol.local and _UNDEFINED < symbol.section < _RESERVED:
                self._defined.setdefault(symbol.name, (number, symbol.section))
        for section in sections:
            if section[1] == _RELOCATIONS:
                held = self._mentions[number, section[7]]
                for _, info, _ in _RELOCATION.iter_unpack(_body(data, section)):
                    symbol = symbols[info >> 32]
                    inside = symbol.section != _UNDEFINED and symbol.local
                    held.add((number, symbol.section) if inside else symbol.name)
                    if symbol.section == _UNDEFINED and (machine != _X86_64 or info & 0xFFFFFFFF == _CALL):
                        self.called.add(symbol.name)


def _body(data: bytes, section: tuple[int, ...]) -> bytes:
    return data[section[4] : section[4] + section[5]]


def _symbols(table: bytes, names: bytes) -> Iterator[_Symbol]:
    for name, info, _, section, _, _ in _SYMBOL.iter_unpack(table):
        text = names[name : names.index(b"\0", name)].decode(errors="surrogateescape")
        yield _Symbol(text, section, info >> 4 == _LOCAL)
