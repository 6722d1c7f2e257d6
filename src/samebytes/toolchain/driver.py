"""Runs the compiler: objects from sources, one shared library from objects, readable failures."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ..errors import CompileError
from ..frozen import frozen
from ..later import later_pattern
from .compilers import Compiler
from .parallel import each
from .running import run

# In make's language, which dependencies are written in: backslashes with what they escape, plain text, gaps.
_WRITTEN = later_pattern(r"(\\+)([ \t#])?|([^ \t\r\n\\]+)|([ \t\r\n]+)")
_NO_LIBRARY = later_pattern(r"(?:cannot (?:find|open) |unable to find library )(?:-l:?)?([^\s:]+)")
_NO_HEADER = later_pattern(
    r"^[^:\n]+:\d+:(?:\d+:)? fatal error: (?:([^'\s][^:]*): No such file or directory|'([^']+)' file not found)$",
    re.MULTILINE,
)
_REFUSED = later_pattern(r"^([^:\n]+):\d+:(?:\d+:)? (?:fatal )?error: ", re.MULTILINE)
_FROM_SHIMS = later_pattern(r"\AIn file included from (?:[^:\n]*/)?shims\.[a-z]+:\d+:\n")
_UNDEFINED = later_pattern(r"undefined (?:reference to|symbol:?) [`'\"]?([^'\"\s]+)")


@frozen
class CompileCommand:
    """One source file and the compiler that takes it."""

    source: Path
    compiler: Compiler
    flags: tuple[str, ...]


class UndefinedSymbols(CompileError):
    """The link failed only for want of definitions.

    Attributes
    ----------
    symbols : frozenset of str
        The linker's names.
    weak : bool
        Whether they are weak: then there is a library without them, which finds null there.
    """

    symbols: frozenset[str] = frozenset()
    weak: bool = False


def first_error(output: str) -> str:
    """The compiler's first error line, or its last line."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines[-1:] or ["the compiler said nothing"])[0].strip()


def _refused(unit: CompileCommand, command: Sequence[str], output: str) -> CompileError:
    """The error of a source; shims include the user's, which is then what was refused."""
    name, missing = unit.source.name, _NO_HEADER.search(output)
    text = output
    if name.startswith("shims") and (place := _REFUSED.search(output)):
        name = Path(place[1]).name
        text = _FROM_SHIMS.sub("", output)
    if missing:
        return _failed(
            f"the compiler finds no header {(missing[1] or missing[2])!r} (include_dirs= or pkg= says where it is)",
            command,
            text,
        )
    error = _failed(f"the compiler refused {name}", command, text)
    error.output = output
    return error


def _failed(
    what: str, command: Sequence[str], output: str, kind: type[CompileError] = CompileError
) -> CompileError:
    first = first_error(output)
    begins = [
        line.strip() for line in output.strip().splitlines()[:3]
    ]  # whose includes it, "In function", the error
    # What begins with its error is not told it twice; of a linker's or a long one the first line is the summary.
    heading = what if first in begins else f"{what}: {first}"
    return kind(f"{heading}\n\n{output.rstrip()}\n\ncommand: {shlex.join(command)}", output, command)


def compile_object(unit: CompileCommand, target: Path) -> list[str]:
    """Compile one source into an object file.

    Returns
    -------
    list of str
        Absolute paths of every file that was read.

    Raises
    ------
    CompileError
        With the compiler's own messages.
    """
    return _compiled(unit, target, "-c")


def precompile(unit: CompileCommand, target: Path) -> list[str]:
    """Have GCC precompile a header of C++, for objects that are compiled with the same flags.

    Returns
    -------
    list of str
        Absolute paths of every file that was read.

    Raises
    ------
    CompileError
        With the compiler's own messages.
    """
    return _compiled(unit, target, "-x", "c++-header")


def _compiled(unit: CompileCommand, target: Path, *how: str) -> list[str]:
    depfile = target.with_suffix(".d")
    command = [
        *unit.compiler.command, *unit.flags, "-fPIC", "-MD", "-MF", str(depfile),
        *how, str(unit.source), "-o", str(target),
    ]  # fmt: skip
    done = run(command, cwd=target.parent)
    if done.returncode != 0:
        raise _refused(unit, command, done.stderr or done.stdout)
    return dependencies(depfile)


def check_syntax(unit: CompileCommand) -> None:
    """Let the compiler judge one source without building it.

    Raises
    ------
    CompileError
        If it refuses the source.
    """
    command = [
        *unit.compiler.command,
        *unit.flags,
        *unit.compiler.only_checked,
        "-x",
        unit.compiler.language,
        str(unit.source),
    ]
    done = run(command, cwd=unit.source.parent)
    if done.returncode != 0:
        raise _refused(unit, command, done.stderr or done.stdout)


def dependencies(depfile: Path) -> list[str]:
    """The files that a compiler's ``-MD`` output names, as absolute paths."""
    text = os.fsdecode(depfile.read_bytes()).replace("\\\n", " \n")
    return [os.path.join(depfile.parent, name) for name in _names(text[text.index(": ") + 1 :]) if name]


def _names(text: str) -> Iterator[str]:
    """The names in a list: a space is escaped by a backslash, and the backslashes before it are doubled."""
    name = ""
    for backslashes, escaped, plain, gap in _WRITTEN.findall(text):
        if escaped == "#":
            name += backslashes[:-1] + "#"
        elif escaped:
            name += "\\" * (len(backslashes) // 2) + escaped * (len(backslashes) % 2)
        name += plain.replace("$$", "$") + ("" if escaped else backslashes)
        if gap or (escaped in (" ", "\t") and len(backslashes) % 2 == 0):
            yield name
            name = ""
    yield name


def build_library(
    units: Sequence[CompileCommand], output: Path, *, linker: Compiler, link_flags: Iterable[str] = ()
) -> list[str]:
    """Compile every unit and link them into one shared library.

    Parameters
    ----------
    units : sequence of CompileCommand
    output : Path
        The library to write; objects are written beside it.
    linker : Compiler
        The driver that links.
    link_flags : iterable of str
        Libraries and search paths, in order.

    Returns
    -------
    list of str
        Absolute paths of every file that was read.

    Raises
    ------
    CompileError
        With the compiler's own messages.
    UndefinedSymbols
        If only definitions were missing.
    """
    objects, used = compile_units(units, output.parent)
    link_library(objects, output, linker=linker, link_flags=link_flags)
    return used


def compile_units(
    units: Sequence[CompileCommand],
    folder: Path,
    how: Callable[[CompileCommand, Path], list[str] | None] = lambda unit, target: None,
) -> tuple[list[Path], list[str]]:
    """Compile every unit, side by side.

    Parameters
    ----------
    units : sequence of CompileCommand
    folder : Path
    how : callable
        Compiles a unit, and gives the files that were read; None of one that :func:`compile_object` is to compile.

    Returns
    -------
    objects : list of Path
        In ``folder``.
    used : list of str
        Absolute paths of every file that was read.

    Raises
    ------
    CompileError
        With the compiler's own messages.
    """
    objects = [folder / f"unit{i}.o" for i in range(len(units))]

    def compiled(pair: tuple[CompileCommand, Path]) -> list[str]:
        found = how(*pair)
        return compile_object(*pair) if found is None else found

    used = each(compiled, [*zip(units, objects, strict=True)])
    return objects, [file for files in used for file in files]


def link_library(
    objects: Iterable[Path], output: Path, *, linker: Compiler, link_flags: Iterable[str] = ()
) -> None:
    """Link objects into one shared library.

    Raises
    ------
    UndefinedSymbols
        If only definitions were missing.
    CompileError
        If something else fails.
    """
    command = [
        *linker.command, "-shared", "-o", str(output), *map(str, objects),
        "-Wl,-Bsymbolic", "-Wl,-z,defs", *linker.raw_symbols, *link_flags,
    ]  # fmt: skip
    done = run(command, cwd=output.parent, slow=linker.slow_to_link)
    if done.returncode != 0:
        message = done.stderr or done.stdout
        missing = frozenset(_UNDEFINED.findall(message))
        if missing:
            from .demangling import demangled, demangled_text

            names = sorted(map(demangled, missing))
            shown = ", ".join(names[:3]) + f", … ({len(names)} in all)" * (len(names) > 3)
            what = f"the linker found no definition of {shown} (sources= or libraries= says where it is)"
            error = _failed(what, command, demangled_text(message), UndefinedSymbols)
            error.output = message
            error.symbols = missing  # type: ignore[attr-defined]
            raise error
        lacking = ", ".join(dict.fromkeys(map(repr, _NO_LIBRARY.findall(message))))
        where = "" if os.sep in lacking else " (library_dirs=, prefixes= or pkg= says where it is)"
        what = f"the linker finds no library {lacking}{where}"
        raise _failed(what if lacking else "the linker failed", command, message)
