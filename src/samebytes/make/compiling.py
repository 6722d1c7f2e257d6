"""From a module to its library: the shims' text, compiled in as many pieces as it is worth, and linked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..emit.lazy import unknown_pointers
from ..emit.shims import GENERATORS, Piece, Shims, joined
from ..emit.shims.direct import DIRECT
from ..errors import CompileError
from ..model.module import Module, Variable
from ..read.curating import hidden as hidden_variables
from ..read.curating.undefined import symbol_of, without
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, UndefinedSymbols, compile_units
from ..toolchain.objects import Needs
from ..toolchain.parallel import beside
from ..toolchain.sharing import keeps_state
from ..types import CArray, Const, Enum, Pointer, Scalar, unqualified
from . import families, portable
from .apart import check_stateless
from .elsewhere import ambiguous, elsewhere
from .isolating import of_shims
from .isolation import Isolation, shim_flags
from .joining import Later, link_lazily, users_of
from .precompiling import behind
from .request import Request
from .units import (
    EXTENSION,
    OPTIMISED,
    debug_flags,
    prologue,
    report,
    source_units,
    stubs,
)

# A library of more functions is compiled once: what turns out to be missing is stubbed.
LARGE = 256
# So many functions are worth a piece beside others: each parses the header, and makes what templates of it give, again.
_PIECE = {"c": 256, "c++": 1024}
# The shims of a C library only pass arguments on: what more optimisation would find there costs minutes.
LARGE_OPTIMISED = {"c": "-O1", "c++": OPTIMISED}
# A variable that this file does not write to, others may: it is no constant.
SEPARATE = ("-fno-ipa-reference-addressable",)
_DEFINED_TWICE = ("multiple definition", "duplicate symbol")


class Compiled(NamedTuple):
    """The objects of a library, what they were made of, and variables that are not a library's, with the reason."""

    objects: list[Path]
    used: list[str]
    hidden: dict[str, str]

    def told(self, module: Module) -> Module:
        """The module that says which variables those are."""
        return hidden_variables.without_hidden(module, self.hidden) if self.hidden else module


def compile_shims(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """Build the library.

    Returns
    -------
    module : Module
        Without what is declared and nothing defines.
    used : list of str
        The files that the compiler read.
    """
    later = elsewhere(request, module)
    barred = frozenset(ambiguous(later, module))
    later -= barred
    functions: set[str] = set()
    while True:
        told = replace(module, pointed=tuple(sorted(later)), lazy=tuple(sorted(functions)))
        try:
            return _compile_shims(request, main, told, library, barred)
        except Later as found:
            functions |= found.functions
            barred |= found.barred | ambiguous(found.names, module)
            later = (later | found.names) - barred
        except CompileError as error:
            if not later:
                raise
            undeclared = later.intersection(unknown_pointers(error.output))
            if not undeclared:
                # The name of such a variable has another meaning in the header, too.
                return _compile_shims(request, main, module, library, None)
            barred, later = barred | undeclared, later - undeclared


def _compile_shims(
    request: Request, main: Path, module: Module, library: Path, barred: frozenset[str] | None
) -> tuple[Module, list[str]]:
    isolation = Isolation(request, main, library.parent)
    plain = request.target == "host" and request.source is None and not request.portable
    if plain and len(module.functions) > LARGE:
        if (pieces := _pieces(module)) > 1:
            module = _accepted(isolation, request, main, module)
        module, done = _compile_once(request, main, module, library, barred, isolation, pieces)
        if done is not None:
            return done
    while True:
        shims = _shims(request, main, module)
        try:
            made = compile_texts(request, [shims.text], module, library.parent, *_apart(request, module))
        except CompileError as error:
            module = isolation.less(module, error, shims)
            continue
        try:
            linked = link_lazily(request, module, made.objects, library, barred)
        except UndefinedSymbols as error:
            rest = without(module, error.symbols, users_of(Needs(made.objects), error.symbols))
            if rest is None:
                raise
            module = rest
            continue
        if linked == module or not request.portable:
            return made.told(linked), made.used
        module = linked  # what a package's library says of its declarations holds for these


def _apart(request: Request, module: Module) -> tuple[str, tuple[str, ...], Callable[[Sequence[Path]], None]]:
    """How shims are optimised, with which further flags, and what is asked of their code."""
    if not request.apart:
        return OPTIMISED, (), lambda shims: None
    return OPTIMISED, SEPARATE, partial(check_stateless, request, module)


def _accepted(isolation: Isolation, request: Request, main: Path, module: Module) -> Module:
    """The module without what the compiler refuses, which it says in a fraction of the time that code takes it."""
    while module.language == "c++":
        shims = _shims(request, main, module)
        if (error := isolation.error(module, shims)) is None:
            break
        module = isolation.less(module, error, shims)
    return module


def _pieces(module: Module) -> int:
    """Of how many files that are compiled side by side a large library is worth to be made."""
    if any(v.repeated and not _is_constant(v) for v in module.variables):
        return 1  # each file would have its own
    return min(os.cpu_count() or 1, 1 + len(module.functions) // _PIECE[module.language])


def _is_constant(variable: Variable) -> bool:
    """Whether nobody writes to a variable: a class's object may be made when the program begins, const or not."""
    inner = unqualified(variable.type)
    while isinstance(inner, CArray):
        inner = unqualified(inner.element)
    return isinstance(variable.type, Const) and isinstance(inner, Scalar | Enum | Pointer)


def _compile_once(
    request: Request,
    main: Path,
    module: Module,
    library: Path,
    barred: frozenset[str] | None,
    isolation: Isolation,
    pieces: int,
) -> tuple[Module, tuple[Module, list[str]] | None]:
    """A large library: its shims are compiled once, and not again as functions turn out to be missing.

    Returns
    -------
    module : Module
        Without what the compiler refuses.
    done : (Module, list of str) or None
        What :func:`compile_shims` returns. None where several files have to be one: the header itself defines
        something, or has variables that each file would have a copy of.
    """
    while True:
        try:
            made = _compile_in(pieces, request, main, module, library)
            break
        except CompileError as error:
            if not of_shims(error):
                raise
            if pieces > 1 or module.language != "c++":
                return module, None  # what only code shows: one file tells which shim it is
            # The compiler refuses it before it makes any code: a check beforehand would cost as much.
            module = isolation.less(module, error, _shims(request, main, module))
    if pieces > 1 and any(keeps_state(o, alone=True) for o in made.objects[:pieces]):
        return module, None
    return module, _link_once(request, module, library, barred, made)


def _compile_in(pieces: int, request: Request, main: Path, module: Module, library: Path) -> Compiled:
    texts = GENERATORS[module.language].emit_parts(module, prologue(request, main, module), pieces)
    return compile_texts(request, texts, module, library.parent, LARGE_OPTIMISED[module.language])


def _link_once(
    request: Request, module: Module, library: Path, barred: frozenset[str] | None, made: Compiled
) -> tuple[Module, list[str]] | None:
    """A large library of its objects, with stubs for what is missing; None where it has to be compiled again."""
    module = replace(module, numbers=tuple(range(len(module.functions))))
    missing: set[str] = set()
    while True:
        try:
            own = stubs(missing, library.parent)
            linked = link_lazily(request, module, [*made.objects, *own], library, barred)
            return made.told(linked), made.used
        except UndefinedSymbols as error:
            named = error.symbols - missing
            rest = without(module, named, users_of(Needs(made.objects), named))
            if rest is None:
                raise
            functions = {*map(symbol_of, module.functions)}
            named &= functions if named & functions else named
            if rest.variables != module.variables or rest.records != module.records or not _in_c(named):
                return None
            if not error.weak:  # C finds null where nothing defines a weak one, and a stub is none
                missing |= named
            module = rest
        except CompileError as error:
            if not any(words in error.output for words in _DEFINED_TWICE):
                raise
            return None


def _in_c(names: Iterable[str]) -> bool:
    """Whether stubs of these names can be written: zig's linker says those of C++."""
    return all(name.isidentifier() for name in names)


def compile_texts(
    request: Request,
    texts: Sequence[str],
    module: Module,
    work: Path,
    optimised: str = OPTIMISED,
    further: tuple[str, ...] = (),
    examine: Callable[[Sequence[Path]], None] = lambda shims: None,
) -> Compiled:
    """The objects of some files of shims, and of the sources beside them.

    Parameters
    ----------
    further : tuple of str
        Flags for the shims.
    examine : callable
        Called with the shims' objects as the compiler made them, before they are made those of a family.
    """
    compiler = find_compiler(module.language)
    shared = families.flags(request, module)
    flags = (*shim_flags(request, module, optimised), *debug_flags(request, work), *further)
    files = [work / f"shims{n or ''}.{EXTENSION[module.language]}" for n in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    units = [CompileCommand(file, compiler, flags) for file in files]
    sources = () if families.first_library(request) else source_units(request, module.language, shared)

    def of_shims(unit: CompileCommand, target: Path) -> list[str] | None:
        return behind(request, unit, target) if unit in units else None

    # Where nobody has compiled it yet, the report is compiled beside them.
    with beside(lambda: report(request, compiler)):
        objects, used = compile_units([*units, *sources], work, of_shims)
    examine(objects[: len(units)])
    if request.apart:
        return Compiled(objects, used, {})  # without variables it has none to share
    hidden = families.prepare(request, module, objects, len(units), "".join(texts))
    return Compiled(objects, [*used, *map(str, families.linked(request, module).files)], hidden)


def _shims(request: Request, main: Path, module: Module) -> Shims:
    """The shims; those that compiled code calls stand behind those of Python."""
    pieces = GENERATORS[module.language].pieces(module, prologue(request, main, module))
    if request.portable:
        pieces.append(Piece(None, f"{portable.stamp(request, str(main), module)}\n"))
    if request.target != "host":
        pieces = [Piece(None, DIRECT.prologue(module.language)), *pieces, *DIRECT.pieces(module)]
    return joined(pieces)
