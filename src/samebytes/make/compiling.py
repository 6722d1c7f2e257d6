"""From a module to its library: the shims' text, compiled in as many pieces as it is worth, and linked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..emit.lazy import unknown_pointers
from ..emit.shims import GENERATORS
from ..emit.shims.direct import DIRECT
from ..errors import CompileError
from ..model.module import Module
from ..read.curating.undefined import symbol_of, without
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, UndefinedSymbols, check_syntax, compile_units
from ..toolchain.objects import Needs
from ..toolchain.sharing import keeps_state
from . import families, portable
from .elsewhere import ambiguous, elsewhere
from .joining import Later, link_lazily, users_of
from .refusals import without_blamed, without_refused, without_unknown
from .request import Request
from .units import (
    EXTENSION,
    OPTIMISED,
    compile_flags,
    portable_flags,
    prologue,
    report,
    source_units,
    stubs,
)

# A library of so many functions is compiled in pieces, side by side.
_LARGE = 256
# The shims of a C library only pass arguments on: what more optimisation would find there costs minutes.
_LARGE_OPTIMISED = {"c": "-O1", "c++": OPTIMISED}
_KNOWN_PLACE = re.compile(r"known\.cpp:(\d+)")
_DEFINED_TWICE = ("multiple definition", "duplicate symbol")


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
    while True:
        try:
            return _compile_shims(
                request, main, replace(module, pointed=tuple(sorted(later))), library, barred
            )
        except Later as found:
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
    plain = request.target == "host" and request.source is None and not request.portable
    if plain and len(module.functions) > _LARGE:
        module = _accepted(request, main, module, library.parent)
        if (done := _compile_once(request, main, module, library, barred)) is not None:
            return done
    while True:
        text = _text(request, main, module)
        try:
            objects, used = _compile(request, [text], module, library.parent)
        except CompileError as error:
            module = _less(request, main, module, library.parent, error, text)
            continue
        try:
            linked = link_lazily(request, module, objects, library, barred)
        except UndefinedSymbols as error:
            rest = without(module, error.symbols, users_of(Needs(objects), error.symbols))
            if rest is None:
                raise
            module = rest
            continue
        if linked == module or not request.portable:
            return linked, used
        module = linked  # what a package's library says of its declarations holds for these


def _less(request: Request, main: Path, module: Module, work: Path, error: CompileError, text: str) -> Module:
    """The module without what the compiler refused; other errors go on."""
    less = without_refused(module, error, text)
    if less is None and module.language == "c++" and not request.portable:
        less = without_unknown(module, partial(_refused, request, main, module, work))
    if less is None:
        less = without_blamed(module, error, text)
    if less is None:
        raise error
    return less


def _accepted(request: Request, main: Path, module: Module, work: Path) -> Module:
    """The module without what the compiler refuses, which it says in a fraction of the time that code takes it."""
    flags = _shim_flags(request, module, OPTIMISED)
    while module.language == "c++":
        text = _text(request, main, module)
        source = work / "shims.cpp"
        source.write_text(text)
        try:
            check_syntax(CompileCommand(source, find_compiler("c++"), flags))
            break
        except CompileError as error:
            module = _less(request, main, module, work, error, text)
    return module


def _compile_once(
    request: Request, main: Path, module: Module, library: Path, barred: frozenset[str] | None
) -> tuple[Module, list[str]] | None:
    """A large library: its shims are compiled side by side, and not again as functions turn out to be missing.

    None where it has to go into one file: the header itself defines something, or has variables that each file would
    have a copy of.
    """
    pieces = min(os.cpu_count() or 1, 1 + len(module.functions) // _LARGE)
    texts = GENERATORS[module.language].emit_parts(module, prologue(request, main, module), pieces)
    objects, used = _compile(request, texts, module, library.parent, _LARGE_OPTIMISED[module.language])
    if pieces > 1 and any(keeps_state(o, alone=True) for o in objects[: len(texts)]):
        return None
    module = replace(module, numbers=tuple(range(len(module.functions))))
    missing: set[str] = set()
    while True:
        try:
            own = stubs(missing, library.parent)
            return link_lazily(request, module, [*objects, *own], library, barred), used
        except UndefinedSymbols as error:
            named = error.symbols - missing
            rest = without(module, named, users_of(Needs(objects), named))
            if rest is None:
                raise
            functions = {*map(symbol_of, module.functions)}
            named &= functions if named & functions else named
            if rest.variables != module.variables or rest.records != module.records or not _in_c(named):
                return None
            missing |= named
            module = rest
        except CompileError as error:
            if not any(words in error.output for words in _DEFINED_TWICE):
                raise
            return None


def _in_c(names: Iterable[str]) -> bool:
    """Whether stubs of these names can be written: zig's linker says those of C++."""
    return all(name.isidentifier() for name in names)


def _compile(
    request: Request, texts: Sequence[str], module: Module, work: Path, optimised: str = OPTIMISED
) -> tuple[list[Path], list[str]]:
    compiler = find_compiler(module.language)
    shared = families.flags(request, module)
    flags = _shim_flags(request, module, optimised)
    files = [work / f"shims{n or ''}.{EXTENSION[module.language]}" for n in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    units = [CompileCommand(file, compiler, flags) for file in files]
    sources = () if families.first_library(request) else source_units(request, module.language, shared)
    with ThreadPoolExecutor(
        1
    ) as pool:  # where nobody has compiled it yet, the report is compiled beside them
        pool.submit(report, request, compiler)
        objects, used = compile_units([*units, *sources], work)
    families.prepare(request, module, objects, len(units), "".join(texts))
    return objects, used


def _shim_flags(request: Request, module: Module, optimised: str) -> tuple[str, ...]:
    # The unit itself has the macros, in the prologue: before our part they would stand in for its names.
    plain = replace(request, defines=())
    own = compile_flags(plain, module.language, optimised)
    return (*own, *portable_flags(request), *families.flags(request, module))


def _text(request: Request, main: Path, module: Module) -> str:
    """The shims; those that compiled code calls stand behind those of Python."""
    text = GENERATORS[module.language].emit(module, prologue(request, main, module))
    if request.portable:
        text = f"{text}{portable.stamp(request, str(main), module)}\n"
    if request.target == "host":
        return text
    return "\n".join([DIRECT.prologue(module.language), text, DIRECT.emit(module), ""])


def _refused(request: Request, main: Path, module: Module, work: Path, lines: Sequence[str]) -> set[int]:
    """The places of those of some declarations, which stand behind the user's, that the compiler refuses."""
    before = prologue(request, main, module)
    asked = [f"namespace samebytes_known{n} {{ {line} }}" for n, line in enumerate(lines)]
    source = work / "known.cpp"
    source.write_text("\n".join([before, *asked, ""]))
    try:
        check_syntax(CompileCommand(source, find_compiler("c++"), compile_flags(request, "c++")))
    except CompileError as error:
        first = before.count("\n") + 2
        found = {int(place) - first for place in _KNOWN_PLACE.findall(error.output)}
        return {n for n in found if 0 <= n < len(lines)}
    return set()
