"""Finds the host's C and C++ compilers and says exactly which compiler each one is."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from functools import cache

from ..errors import MissingDependency
from .running import run

# language -> environment variable, program names in order, subcommand of the ziglang wheel
_SEARCH: dict[str, tuple[str, tuple[str, ...], str]] = {
    "c++": ("CXX", ("c++", "g++", "clang++"), "c++"),
    "c": ("CC", ("cc", "gcc", "clang"), "cc"),
}

# What changes a compiler's result without standing on its command line.
RELEVANT_ENVIRONMENT = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
    "SOURCE_DATE_EPOCH",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiler:
    """One compiler driver.

    Attributes
    ----------
    command : tuple of str
        How it is started, without arguments.
    language : str
        ``"c"`` or ``"c++"``.
    identity : str
        Path, version text, target and driver file stamp: two compilers that differ in any way differ here.
    """

    command: tuple[str, ...]
    language: str
    identity: str

    @property
    def raw_symbols(self) -> tuple[str, ...]:
        """The flags that make the linker name symbols as they are; zig's linker knows no such flag."""
        return () if "ziglang" in self.command else ("-Wl,--no-demangle",)

    @property
    def version(self) -> str:
        """The first line of ``--version``."""
        return self.identity.split("\n")[1]


def _identify(command: tuple[str, ...], language: str) -> Compiler | None:
    path = shutil.which(command[0])
    if path is None:
        return None
    version = run((*command, "--version"))
    if version.returncode != 0:
        return None
    machine = run((*command, "-dumpmachine"))
    real = os.path.realpath(path)
    stamp = os.stat(real)
    identity = "\n".join(
        (
            " ".join(command),
            version.stdout.strip(),
            machine.stdout.strip(),
            f"{real} {stamp.st_size} {stamp.st_mtime_ns}",
        )
    )
    return Compiler(command, language, identity)


@cache
def _search(language: str, override: str | None) -> Compiler:
    variable, names, zig = _SEARCH[language]
    if override:
        compiler = _identify(tuple(shlex.split(override)), language)
        if compiler is None:
            raise MissingDependency(
                f"${variable} is {override!r}, which is not a working compiler; correct it or unset it."
            )
        return compiler
    for name in names:
        compiler = _identify((name,), language)
        if compiler is not None:
            return compiler
    if importlib.util.find_spec("ziglang") is not None:
        compiler = _identify((sys.executable, "-m", "ziglang", zig), language)
        if compiler is not None:
            return compiler
    raise MissingDependency(
        f"no {language.upper()} compiler was found (${variable}, {', '.join(names)}): install g++ "
        "(Debian: apt install g++) or the wheel `pip install samebytes[compiler]`."
    )


def find_compiler(language: str = "c++") -> Compiler:
    """The compiler of ``$CXX``/``$CC``, else the system's, else the ``ziglang`` wheel's.

    Raises
    ------
    MissingDependency
        If there is none, or the variable names one that does not run.
    """
    return _search(language, os.environ.get(_SEARCH[language][0]))


@cache
def named_compiler(names: tuple[str, ...], language: str, advice: str) -> Compiler:
    """The first compiler of these names or paths that runs.

    Raises
    ------
    MissingDependency
        If none does; ``advice`` says what to install.
    """
    for name in names:
        compiler = _identify((name,), language)
        if compiler is not None:
            return compiler
    raise MissingDependency(f"none of {', '.join(names)} was found: {advice}")


@cache
def _includes(compiler: Compiler, environment: tuple[str | None, ...]) -> tuple[str, ...]:
    report = run((*compiler.command, "-E", "-v", "-x", compiler.language, "-")).stderr
    _, _, tail = report.partition("#include <...> search starts here:\n")
    listing, _, _ = tail.partition("End of search list.")
    return tuple(os.path.abspath(line.strip()) for line in listing.splitlines() if line.startswith(" "))


def system_includes(compiler: Compiler) -> tuple[str, ...]:
    """The directories that this compiler searches for ``#include <…>``, in its order."""
    return _includes(compiler, environment_facts())


def environment_facts() -> tuple[str | None, ...]:
    """The values of :data:`RELEVANT_ENVIRONMENT`."""
    return tuple(os.environ.get(name) for name in RELEVANT_ENVIRONMENT)
