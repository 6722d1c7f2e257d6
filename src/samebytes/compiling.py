"""From a module to its library: the shims' text, compiled in as many pieces as it is worth, and linked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from . import families, portable
from .errors import CompileError
from .generate.base import part
from .generate.lazy import stand_ins
from .generate.shims import GENERATORS
from .generate.shims.direct import DIRECT
from .headers.model import Module
from .refusals import without_refused, without_unknown
from .request import Request, is_c_source
from .toolchain import Inputs, default_cache, find_compiler
from .toolchain.cache import digest
from .toolchain.compilers import Compiler, environment_facts
from .toolchain.driver import (
    UndefinedSymbols,
    Unit,
    check_syntax,
    compile_object,
    compile_units,
    link_library,
)
from .undefined import symbol_of, without

EXTENSION = {"c++": "cpp", "c": "c"}
_ALWAYS = ("-fvisibility=hidden", "-w")
_OPTIMISED = "-O3"
# The shims of a large C library only pass arguments on: what more optimisation would find there costs minutes.
_LARGE, _LARGE_OPTIMISED = 256, "-O1"
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
    plain = request.target == "host" and request.source is None and not request.portable
    if module.language == "c" and plain and len(module.functions) > _LARGE:
        try:
            return _compile_once(request, main, module, library)
        except CompileError as error:
            if not any(words in error.output for words in _DEFINED_TWICE):
                raise  # else the header itself defines something: it goes into one file
    while True:
        text = _text(request, main, module)
        try:
            objects, used = _compile(request, [text], module, library.parent)
        except CompileError as error:
            less = without_refused(module, error, text)
            if less is None and module.language == "c++" and not request.portable:
                less = without_unknown(module, partial(_refused, request, main, module, library.parent))
            if less is None:
                raise
            module = less
            continue
        try:
            linked = _link_lazily(request, module, objects, library)
        except UndefinedSymbols as error:
            rest = without(module, error.symbols, error.uses)
            if rest is None:
                raise
            module = rest
            continue
        if linked == module or not request.portable:
            return linked, used
        module = linked  # what a package's library says of its declarations holds for these


def _compile_once(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """A large C library: its shims are compiled side by side, and not again as functions turn out to be missing."""
    objects, used = _compile_apart(request, main, module, library.parent)
    module = replace(module, numbers=tuple(range(len(module.functions))))
    missing: set[str] = set()
    while True:
        try:
            stubs = _stubs(missing, library.parent)
            return _link_lazily(request, module, [*objects, *stubs], library), used
        except UndefinedSymbols as error:
            named = error.symbols - missing
            rest = without(module, named, error.uses)
            if rest is None:
                raise
            if rest.variables != module.variables:
                return compile_shims(request, main, replace(rest, numbers=()), library)
            missing |= named & {*map(symbol_of, module.functions)}
            module = rest


def _compile_apart(request: Request, main: Path, module: Module, work: Path) -> tuple[list[Path], list[str]]:
    pieces = min(os.cpu_count() or 1, 1 + len(module.functions) // _LARGE)
    texts = GENERATORS[module.language].emit_parts(module, prologue(request, main, module), pieces)
    return _compile(request, texts, module, work, _LARGE_OPTIMISED)


def _compile(
    request: Request, texts: Sequence[str], module: Module, work: Path, optimised: str = _OPTIMISED
) -> tuple[list[Path], list[str]]:
    compiler = find_compiler(module.language)
    shared = families.flags(request, module)
    # The unit itself has the macros, in the prologue: before our part they would stand in for its names.
    plain = replace(request, defines=())
    flags = (*compile_flags(plain, module.language, optimised), *_portable_flags(request), *shared)
    files = [work / f"shims{n or ''}.{EXTENSION[module.language]}" for n in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    units = [Unit(file, compiler, flags) for file in files]
    sources = () if families.first_library(request) else _sources(request, module.language, shared)
    objects, used = compile_units([*units, *sources], work)
    families.prepare(request, module, objects, len(units), "".join(texts))
    return objects, used


def _link(request: Request, module: Module, objects: Iterable[Path], library: Path) -> None:
    own = portable.link_flags(request) if request.portable else request.link_flags()
    flags = (*_report(request, find_compiler(module.language)), *own)
    flags = (*families.link_flags(request, module, library.parent), *flags)
    first = families.first_library(request)
    link_library(
        [*objects, *([first] if first else [])], library, linker=find_compiler("c++"), link_flags=flags
    )


def _link_lazily(request: Request, module: Module, objects: Sequence[Path], library: Path) -> Module:
    """Link, where ``library=`` is given with jumps to what nothing defines; the module that says which these are.

    Raises
    ------
    UndefinedSymbols
        If more is missing than functions that can be looked up later.
    """
    while True:
        try:
            _link(request, module, [*objects, *_stand_ins(module, library.parent)], library)
            return module
        except UndefinedSymbols as error:
            later = [name for name in map(symbol_of, module.functions) if name in error.symbols]
            if request.library is None or not later:
                raise
            module = replace(module, lazy=tuple(dict.fromkeys((*module.lazy, *later))))


def _text(request: Request, main: Path, module: Module) -> str:
    """The shims; those that compiled code calls stand behind those of Python."""
    text = GENERATORS[module.language].emit(module, prologue(request, main, module))
    if request.portable:
        text = f"{text}{portable.stamp(request, str(main), module)}\n"
    if request.target == "host":
        return text
    return "\n".join([DIRECT.prologue(module.language), text, DIRECT.emit(module), ""])


def _report(request: Request, compiler: Compiler) -> tuple[str, ...]:
    """The object that turns C++ exceptions into error records; it is compiled once for each compiler."""
    if compiler.language != "c++":
        return ()
    flags = (_OPTIMISED, *_ALWAYS, *request.abi_flags("c++"))
    text = part("report.cpp")

    def make(work: Path) -> Inputs:
        source = work / "report.cpp"
        source.write_text(text)
        return Inputs(tuple(compile_object(Unit(source, compiler, flags), work / "report.obj")))

    key = ["report", digest(text.encode()), compiler.identity, flags, environment_facts()]
    return (str(default_cache().get(key, make).file("report.obj")),)


def compile_flags(request: Request, language: str, optimised: str = _OPTIMISED) -> tuple[str, ...]:
    """The flags with which the shims of a language are compiled."""
    includes = [flag for directory in request.includes() for flag in ("-I", directory)]
    return (
        optimised,
        *_ALWAYS,
        *request.shared_flags(language),
        *includes,
        *(("-Wno-invalid-offsetof",) if language == "c++" else ()),
    )


def _portable_flags(request: Request) -> tuple[str, ...]:
    return portable.flags(request, request.main) if request.portable and request.main else ()


def prologue(request: Request, main: Path, module: Module) -> str:
    """What makes the declarations visible to the shims."""
    include = f'#include "{main.name if request.source is not None else main}"'
    if request.portable:
        before = [f"#include <{name}>" for name in module.prelude]
        include = "\n".join([*before, f"#include {portable.include_name(request, str(main))}"])
    # A macro of a function's or a field's name would stand in for it in every expression of the shims.
    fields = {field.name for record in module.records for field in record.members}
    named = {f.qualified for f in module.functions} | {v.qualified for v in module.variables}
    names = sorted({name for name in named if name.isidentifier()} | fields)
    return "\n".join([*macro_lines(request), include, *(f"#undef {name}" for name in names)])


def macro_lines(request: Request) -> list[str]:
    """The macros of ``defines``, as a compiler's ``-D`` has them."""
    return [
        f"#define {name} {value if given else 1}"
        for name, given, value in (d.partition("=") for d in request.defines)
    ]


def _refused(request: Request, main: Path, module: Module, work: Path, lines: Sequence[str]) -> set[int]:
    """The places of those of some declarations, which stand behind the user's, that the compiler refuses."""
    before = prologue(request, main, module)
    asked = [f"namespace samebytes_known{n} {{ {line} }}" for n, line in enumerate(lines)]
    source = work / "known.cpp"
    source.write_text("\n".join([before, *asked, ""]))
    try:
        check_syntax(Unit(source, find_compiler("c++"), compile_flags(request, "c++")))
    except CompileError as error:
        first = before.count("\n") + 2
        found = {int(place) - first for place in _KNOWN_PLACE.findall(error.output)}
        return {n for n in found if 0 <= n < len(lines)}
    return set()


def _sources(request: Request, language: str, shared: tuple[str, ...]) -> list[Unit]:
    units = []
    for source in request.sources:
        spoken = "c" if is_c_source(source) else "c++"
        own = request if spoken == language or request.std is None else replace(request, std=None)
        flags = (*compile_flags(own, spoken), *_portable_flags(request), *shared)
        units.append(Unit(Path(source), find_compiler(spoken), flags))
    return units


# --- what is declared, and defined nowhere ---


def _stubs(symbols: set[str], work: Path) -> list[Path]:
    """An object with hidden definitions of symbols that no library has; no Python function leads to them."""
    if not symbols:
        return []
    source, target = work / "stubs.c", work / "stubs.o"
    lines = (f"void {name}(void) {{ __builtin_trap(); }}" for name in sorted(symbols))
    source.write_text("\n".join([*lines, ""]))
    compile_object(Unit(source, find_compiler("c"), ("-fvisibility=hidden", "-w", "-fno-builtin")), target)
    return [target]


def _stand_ins(module: Module, work: Path) -> list[Path]:
    """An object with jumps to the functions of a library that is opened later, if there are any."""
    if not module.lazy:
        return []
    source, target = work / "lazy.c", work / "lazy.o"
    source.write_text(stand_ins(module.lazy))
    compile_object(Unit(source, find_compiler("c"), _ALWAYS), target)
    return [target]
