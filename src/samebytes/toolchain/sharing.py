"""Symbols of object files: several libraries of one header share its variables and what its sources define.

A library built later links against the first one. Names that both may define are told from other libraries' by a
suffix; variables that each of them has a copy of (inline ones, static members of templates, static variables of inline
functions) become unique objects, of which the dynamic linker keeps one (``STB_GNU_UNIQUE``). All else is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from . import elf
from .elf import Elf, Symbol

_VARIABLES = (elf.OBJECT, elf.THREAD_LOCAL)
# Sections that the dynamic linker alone writes to.
_CONSTANT = (".data.rel.ro", ".init_array", ".fini_array", ".dynamic", ".got")
_STANDARD = re.compile(r"_Z(GV)?Z?(NK?)?St")
# Tables of classes, which nobody writes to, and what belongs to the standard library.
_NEVER = re.compile(
    r"^(samebytes|_ZL\d+samebytes|DW\.ref\.|completed\.|__dso_handle$|__TMC_END__$|_ZT[VISTC]"
    rf"|{_STANDARD.pattern})"
)


def _opened(path: Path) -> Elf | None:
    """The file; None for one of another format."""
    try:
        return Elf(path.read_bytes())
    except ValueError:
        return None


def _symbols(file: Elf | None, kind: int = elf.SYMBOLS) -> Iterator[Symbol]:
    """All but the local ones."""
    return (s for s in file.symbols(kind) if s.binding != elf.LOCAL) if file else iter(())


def _is_writable(file: Elf, symbol: Symbol) -> bool:
    """Whether a symbol lies where the program writes to, and not only the dynamic linker."""
    if not symbol.lies_in_section:
        return False
    section = file.sections[symbol.section]
    return bool(section.flags & elf.WRITABLE) and not file.name(section).startswith(_CONSTANT)


def _is_shared(file: Elf, symbol: Symbol) -> bool:
    """Whether every library that needs a variable has a copy of it."""
    weak = symbol.binding in (elf.WEAK, elf.UNIQUE) and symbol.kind == elf.OBJECT
    if not weak or not symbol.lies_in_section or symbol.visibility != elf.DEFAULT:
        return False
    return bool(file.sections[symbol.section].flags & elf.WRITABLE) and not _NEVER.match(symbol.name)


def defined(path: Path) -> set[str]:
    """The names that an object file defines for others."""
    found = _symbols(_opened(path))
    return {s.name for s in found if s.defined and s.visibility == elf.DEFAULT and not _is_own(s.name)}


def keeps_state(path: Path, *, alone: bool = False) -> bool:
    """Whether an object file or a library has variables.

    Parameters
    ----------
    alone : bool
        Whether only those count that it shares with no other: its code can be in one file only.
    """
    file = _opened(path)
    return file is None or bool(_state(file, alone=alone))


def state_of(path: Path) -> set[int]:
    """The sections of an object file that have variables; empty for a file of another format."""
    file = _opened(path)
    return _state(file) if file else set()


def _state(file: Elf, *, alone: bool = False) -> set[int]:
    found = (s for s in file.symbols() if s.kind in _VARIABLES and (s.binding == elf.LOCAL or not alone))
    return {s.section for s in found if _is_writable(file, s) and not _NEVER.match(s.name)}


def is_unit(path: Path) -> bool:
    """Whether a second file of the same header would have a state, or functions, of its own beside an object file's.

    These are variables that are local to a file, also those of functions that are, and what is defined outright. It
    shows only in an object in which no variable is taken for a constant because this file does not write to it.
    """
    file = _opened(path)
    if file is None:
        return True
    return any(_is_own_of(file, s) for s in file.symbols() if not _NEVER.match(s.name))


def _is_own_of(file: Elf, symbol: Symbol) -> bool:
    if _is_own(symbol.name) or not symbol.defined:
        return False
    if symbol.binding == elf.LOCAL or symbol.visibility != elf.DEFAULT:
        return symbol.kind in _VARIABLES and _is_writable(file, symbol)
    # A variable of each thread is not made unique.
    return symbol.binding not in (elf.WEAK, elf.UNIQUE) or symbol.kind == elf.THREAD_LOCAL


def exported(library: Path, suffix: str) -> set[str]:
    """The names that a library defines under a suffix, without it."""
    found = _symbols(_opened(library), elf.DYNAMIC_SYMBOLS)
    return {s.name.removesuffix(suffix) for s in found if s.defined and s.name.endswith(suffix)}


def repeated(path: Path) -> set[str]:
    """The data of an object file that every file which needs it defines: variables, and tables of classes."""
    found = _symbols(_opened(path))
    return {s.name for s in found if _is_repeated(s) and not _is_own(s.name)}


def _is_repeated(symbol: Symbol) -> bool:
    weak = symbol.binding in (elf.WEAK, elf.UNIQUE) and symbol.lies_in_section
    return weak and symbol.kind in _VARIABLES and symbol.visibility == elf.DEFAULT


def keeps_repeated_state(path: Path) -> set[str]:
    """Of those the variables: what the program writes to."""
    file = _opened(path)
    found = (s for s in _symbols(file) if _is_repeated(s) and not _NEVER.match(s.name))
    return {s.name for s in found if file is not None and _is_writable(file, s)}


def take(path: Path, names: Collection[str]) -> None:
    """Have an object file take data from the libraries that it is linked with, and keep all else to itself.

    Parameters
    ----------
    path : Path
        The file, which is changed.
    names : collection of str
        What these libraries export.
    """
    file = _opened(path)
    if file is None:
        return
    for symbol in list(_symbols(file)):
        if _is_own(symbol.name):
            continue
        if _is_repeated(symbol) and symbol.name in names:
            file.undefine(symbol)
        elif symbol.defined and symbol.visibility == elf.DEFAULT and not _is_of_process(symbol):
            file.hide(symbol)
    path.write_bytes(file.data)


def share(
    path: Path, suffix: str, names: Collection[str], taken: Collection[str] = (), *, first: bool
) -> None:
    """Prepare one object file for a library that shares with others.

    Parameters
    ----------
    path : Path
        The file, which is changed.
    suffix : str
        What tells the names of these libraries from those of others.
    names : collection of str
        What the first library's sources define.
    taken : collection of str
        The data that libraries export which these are linked with.
    first : bool
        Whether this is the first library's; a later one takes from it what it does not define itself.
    """
    file = _opened(path)
    symbols = list(_symbols(file))
    if file is None or not symbols:
        return
    for symbol in [s for s in symbols if s.name in taken and _is_repeated(s)]:
        file.undefine(symbol)
        symbols.remove(symbol)
    unique = [s for s in symbols if _is_shared(file, s)]
    renamed = {s for s in symbols if s.name in names and (first or not s.defined)} | set(unique)
    for symbol in unique:
        file.make_unique(symbol)
    for symbol in symbols:
        if (
            symbol.defined
            and symbol not in renamed
            and symbol.visibility == elf.DEFAULT
            and not _is_own(symbol.name)
            and not _is_of_process(symbol)
        ):
            file.hide(symbol)
    file.rename({s: s.name + suffix for s in renamed})
    path.write_bytes(file.data)


def _is_of_process(symbol: Symbol) -> bool:
    """Whether it is a variable of the standard library's of which a process has one, as the threads at its atomics."""
    return symbol.binding == elf.UNIQUE and _STANDARD.match(symbol.name) is not None


def _is_own(name: str) -> bool:
    return name.startswith("samebytes")
