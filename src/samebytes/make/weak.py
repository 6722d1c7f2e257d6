"""Weak symbols that nothing defines: the linker says nothing of them, C finds null there, and a call leads nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ..emit.lazy import slot_names
from ..model.module import Module
from ..read.curating.undefined import symbol_of
from ..toolchain import elf
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, UndefinedSymbols, compile_object
from ..toolchain.elf import Elf

_PROBE = "weak"
# What the compiler's own start files ask for in every library.
_OF_ALL = {"__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize"}


def check_weak(module: Module, library: Path, link: Callable[[Iterable[Path], Path], None]) -> None:
    """Raise for weak symbols that declarations mean and neither a source nor a library defines.

    Code of the header's own that asks whether there is one (``if (hook)``) stays as it is.

    Parameters
    ----------
    library : Path
        What was linked.
    link : callable
        Links further objects with it, into another file.

    Raises
    ------
    UndefinedSymbols
        With ``weak`` set.
    """
    if not (names := _undefined(library)):
        return
    declared = {*map(symbol_of, module.functions), *map(symbol_of, module.variables)}
    declared.update(slot_names(module.pointed))
    if not (names := names & declared):
        return
    work = library.parent
    source, target = work / f"{_PROBE}.c", work / f"{_PROBE}.o"
    lines = [f'extern char a{n}[] __asm__("{name}");' for n, name in enumerate(sorted(names))]
    places = ", ".join(f"a{n}" for n in range(len(names)))
    source.write_text("\n".join([*lines, f"void* samebytes_weak[] = {{{places}}};", ""]))
    compile_object(CompileCommand(source, find_compiler("c"), ("-fPIC", "-w")), target)
    probe = work / f"{_PROBE}{library.suffix}"
    try:
        link([target], probe)
    except UndefinedSymbols as error:
        error.weak = True
        raise
    finally:
        for file in (source, target, probe):
            file.unlink(missing_ok=True)


def _undefined(library: Path) -> set[str]:
    """The weak symbols that a library leaves to others."""
    try:
        symbols = Elf(library.read_bytes()).symbols(elf.DYNAMIC_SYMBOLS)
        return {s.name for s in symbols if not s.defined and s.binding == elf.WEAK} - _OF_ALL
    except ValueError:
        return set()
