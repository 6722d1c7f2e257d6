"""The shared libraries that a build is linked with: their files, and the variables that they show and hide."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..later import later_pattern
from . import elf
from .compilers import Compiler
from .elf import Elf
from .running import run

# What every program has: nothing of it is defined in a header's name.
_ALWAYS = later_pattern(
    r"(lib(c|m|dl|rt|pthread|stdc\+\+|c\+\+|c\+\+abi|gcc_s|unwind)|ld-linux[-\w]*|linux-vdso)\.so"
)
_IN_SCRIPT = later_pattern(r"-l:?[^\s()]+|[^\s(),]+\.so[^\s(),]*")
_DATA = (elf.OBJECT, elf.THREAD_LOCAL)
_SCRIPT = 65536  # bytes; a longer text is no linker script


class LinkedLibraries:
    """What a linker finds for its words, and all that these libraries are linked with themselves.

    Attributes
    ----------
    direct, further : list of Path
        The files of those named, and of those that they need.
    """

    def __init__(self, words: Iterable[str], folders: Iterable[str], compiler: Compiler) -> None:
        self._folders, self._compiler = tuple(folders), compiler
        self.direct = list(dict.fromkeys(path for word in words for path in self._found(word)))
        self.further: list[Path] = []
        open_ = list(self.direct)
        while open_:
            library = open_.pop()
            for path in self._needed(library):
                if path not in self.direct and path not in self.further:
                    self.further.append(path)
                    open_.append(path)

    @property
    def files(self) -> list[Path]:
        """All of them."""
        return [*self.direct, *self.further]

    def exporting(self) -> dict[str, Path]:
        """By name of a variable that one of them exports: the first that does."""
        found: dict[str, Path] = {}
        for path in self.files:
            for name in _facts(path, path.stat().st_mtime_ns).exported:
                found.setdefault(name, path)
        return found

    def hiding(self) -> dict[str, Path]:
        """By name of a variable that one of them has for itself alone: the first that does, as far as they tell."""
        found: dict[str, Path] = {}
        for path in self.files:
            for name in _facts(path, path.stat().st_mtime_ns).hidden:
                found.setdefault(name, path)
        return found

    def _needed(self, library: Path) -> Iterator[Path]:
        for name in _facts(library, library.stat().st_mtime_ns).needed:
            if not _ALWAYS.match(name):
                beside = library.parent / name
                yield from [beside.resolve()] if beside.is_file() else self._found(name)

    def _found(self, word: str) -> Iterator[Path]:
        if _ALWAYS.match(os.path.basename(word)):
            return
        for name in _names(word):
            places = [Path(name)] if os.sep in name else [Path(d, name) for d in self._folders]
            path = next((p for p in places if p.is_file()), None) or _of_compiler(self._compiler, name)
            if path is not None:
                yield from self._read(path)
                return

    def _read(self, path: Path) -> Iterator[Path]:
        """The library itself; of a linker script those that it names; nothing of an archive."""
        if _is_elf(path):
            yield path.resolve()
        elif path.suffix != ".a" and path.stat().st_size < _SCRIPT:
            for word in _IN_SCRIPT.findall(path.read_text(errors="replace")):
                yield from self._found(word.removeprefix("-l").removeprefix(":"))


def _names(word: str) -> tuple[str, ...]:
    """The files that the linker would take for a library's name, the likeliest first."""
    if os.sep in word or ".so" in word:
        return (word,)
    name = word.removeprefix(":")
    return (f"lib{name}.so",) if not name.endswith(".a") else ()


@cache
def _of_compiler(compiler: Compiler, name: str) -> Path | None:
    """Where the linker looks by itself."""
    said = run((*compiler.command, f"-print-file-name={name}")).stdout.strip()
    places = [said, *(os.path.join(d, name) for d in _SYSTEM)]
    return next((Path(p) for p in places if os.sep in p and os.path.isfile(p)), None)


_SYSTEM = (
    "/usr/local/lib",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/lib",
)


def _is_elf(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


class _Facts(NamedTuple):
    """What one library says: what it needs, and the variables that it exports, and those that it has for itself.

    Of the latter those with names that other files could have: those of one file alone have another mark (``_ZL``).
    """

    needed: tuple[str, ...] = ()
    exported: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()


@cache
def _facts(path: Path, stamp: int) -> _Facts:
    """By the library's stamp, so that one that is built again is read again."""
    try:
        file = Elf.tables(path)
    except (OSError, ValueError):
        return _Facts()
    shown = file.symbols(elf.DYNAMIC_SYMBOLS, only=_DATA)
    own = file.symbols(only=_DATA)
    return _Facts(
        tuple(file.needed()),
        frozenset(s.name for s in shown if s.defined and s.binding != elf.LOCAL),
        frozenset(s.name for s in own if s.defined and s.binding == elf.LOCAL),
    )
