"""What the functions in object files need from elsewhere, each for itself: read from the files' relocations (ELF)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from . import elf
from .elf import Elf

_CALL = 4  # R_X86_64_PLT32: a call, which a jump may answer

_Place = tuple[int, int]


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
        return {mention for mention in self._reached(function) if isinstance(mention, str)}

    def reaches(self, function: str, sections: Set[tuple[int, int]]) -> bool:
        """Whether a defined function reaches one of some sections, each by its object's number and its own."""
        return any(mention in sections for mention in self._reached(function))

    def _reached(self, function: str) -> Iterator[_Place | str]:
        """Where the code of a function leads: undefined symbols, and sections."""
        seen: set[_Place | str] = set()
        open_: list[_Place | str] = [function]
        while open_:
            mention = open_.pop()
            if isinstance(mention, str):
                mention = self._defined.get(mention, mention)
            if mention not in seen:
                seen.add(mention)
                yield mention
                if not isinstance(mention, str):
                    open_.extend(self._mentions.get(mention, ()))

    def _read(self, number: int, data: bytes) -> None:
        try:
            file = Elf(data)
        except ValueError:
            return
        symbols = list(file.symbols())
        for symbol in symbols:
            if symbol.binding != elf.LOCAL and symbol.lies_in_section:
                self._defined.setdefault(symbol.name, (number, symbol.section))
        for mention in file.relocations():
            symbol = symbols[mention.symbol]
            inside = symbol.defined and symbol.binding == elf.LOCAL
            self._mentions[number, mention.section].add((number, symbol.section) if inside else symbol.name)
            if not symbol.defined and (file.machine != elf.X86_64 or mention.kind == _CALL):
                self.called.add(symbol.name)
