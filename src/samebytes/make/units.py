"""What the compiler is given for a library: flags, what stands before the shims, and the units beside them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ..emit.base import report as report_text
from ..emit.lazy import pointers, stand_ins
from ..emit.shims import hidden_macros, hidden_names, set_aside
from ..errors import BindError
from ..model.module import Module
from ..read.clang.finding import inclusion
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.compilers import OPTIMIZE, Compiler, environment_facts, find_compiler, system_includes
from ..toolchain.driver import CompileCommand, compile_object
from ..toolchain.verifying import digest
from . import portable
from .request import Request, is_c_source

EXTENSION = {"c++": "cpp", "c": "c"}
OPTIMISED = "-O3"
_LEVELS = ("0", "1", "2", "3")
# A section for each function tells what each needs.
_ALWAYS = ("-fvisibility=hidden", "-w", "-ffunction-sections", "-fdata-sections")
# GCC compiles a `printf` of a std::string, which prints bytes of the object: it warns, if `-w` does not forbid it.
_NO_OBJECTS_AS_TEXT = ("-Werror=conditionally-supported", "-Wno-unknown-warning-option")


def compile_flags(request: Request, language: str, optimised: str = OPTIMISED) -> tuple[str, ...]:
    """The flags with which the shims of a language are compiled."""
    includes = [flag for directory in request.includes() for flag in ("-I", directory)]
    # Python says std::string of a text where C++ would deduce an address: a template that needs that must not compile.
    texts = language == "c++" and any("std::string" in text for asked in request.instances for text in asked)
    always = (*(flag for flag in _ALWAYS if flag != "-w"), *_NO_OBJECTS_AS_TEXT) if texts else _ALWAYS
    return (
        _level(optimised),
        *always,
        *request.shared_flags(language),
        *includes,
        *(("-Wno-invalid-offsetof",) if language == "c++" else ()),
    )


def _level(usual: str) -> str:
    """The flag that says how hard the compiler optimises: the environment's, or the usual one."""
    if not (level := os.environ.get(OPTIMIZE)):
        return usual
    if level not in _LEVELS:
        raise BindError(
            f"{OPTIMIZE} is {level!r}: it is one of {', '.join(_LEVELS)}, as the compiler's -O has it"
        )
    return f"-O{level}"


def debug_flags(request: Request, work: Path) -> tuple[str, ...]:
    """Where a debugger finds source text: the folder in which it is compiled is gone, or has another name, by then."""
    levels = [flag for flag in request.flags if flag.startswith("-g") and not flag.startswith("-gno-")]
    if request.source is None or not levels or levels[-1] == "-g0":
        return ()
    name, text = f"source.{EXTENSION[request.language or 'c++']}", request.source

    def make(folder: Path) -> Inputs:
        (folder / name).write_text(text)
        return Inputs(())

    stored = default_cache().get(["source text", name, digest(text.encode())], make)
    return (f"-ffile-prefix-map={work}={stored.path}",)


def portable_flags(request: Request) -> tuple[str, ...]:
    return portable.flags(request, request.main) if request.portable and request.main else ()


def prologue(request: Request, main: Path, module: Module) -> str:
    """What makes the declarations visible to the shims."""
    include = f'#include "{main.name}"'
    if request.source is None:
        folders = (*request.includes(), *system_includes(find_compiler(request.language or "c++")))
        include = f"#include {inclusion(str(main), request.flags, folders)}"
    if request.portable:
        before = [f"#include <{name}>" for name in module.prelude]
        include = "\n".join([*before, f"#include {portable.include_name(request, str(main))}"])
    names = sorted({*hidden_names(module), *module.pointed})
    macros = pointers(module.pointed)
    kept = set_aside(hidden_macros(module))
    return "\n".join(
        [*macro_lines(request), *macros, include, *kept, *(f"#undef {name}" for name in names), *macros]
    )


def macro_lines(request: Request) -> list[str]:
    """The macros of ``defines``, as a compiler's ``-D`` has them."""
    return [
        f"#define {name} {value if given else 1}"
        for name, given, value in (d.partition("=") for d in request.defines)
    ]


def source_units(request: Request, language: str, shared: tuple[str, ...]) -> list[CompileCommand]:
    units = []
    for source in request.sources:
        spoken = "c" if is_c_source(source) else "c++"
        own = request if spoken == language or request.std is None else replace(request, std=None)
        flags = (*compile_flags(own, spoken), *portable_flags(request), *shared)
        units.append(CompileCommand(Path(source), find_compiler(spoken), flags))
    return units


def report(request: Request, compiler: Compiler) -> tuple[str, ...]:
    """The object that turns C++ exceptions into error records; it is compiled once for each compiler."""
    if compiler.language != "c++":
        return ()
    # What runs once for each exception: to optimise it further costs more than it saves.
    flags = ("-O1", *_ALWAYS, *request.abi_flags("c++"))
    text = report_text()

    def make(work: Path) -> Inputs:
        source = work / "report.cpp"
        source.write_text(text)
        return Inputs(tuple(compile_object(CompileCommand(source, compiler, flags), work / "report.obj")))

    key = ["report", digest(text.encode()), compiler.identity, flags, environment_facts()]
    return (str(default_cache().get(key, make).file("report.obj")),)


def stubs(symbols: set[str], work: Path) -> list[Path]:
    """An object with hidden definitions of symbols that no library has; no Python function leads to them."""
    if not symbols:
        return []
    source, target = work / "stubs.c", work / "stubs.o"
    lines = (f"void {name}(void) {{ __builtin_trap(); }}" for name in sorted(symbols))
    source.write_text("\n".join([*lines, ""]))
    compile_object(
        CompileCommand(source, find_compiler("c"), ("-fvisibility=hidden", "-w", "-fno-builtin")), target
    )
    return [target]


def jumps(module: Module, work: Path) -> list[Path]:
    """An object with jumps to the functions of a library that is opened later, if there are any."""
    if not module.lazy:
        return []
    source, target = work / "lazy.c", work / "lazy.o"
    source.write_text(stand_ins(module.lazy, module.pointed))
    compile_object(CompileCommand(source, find_compiler("c"), _ALWAYS), target)
    return [target]
