"""Finds the host's C and C++ compilers and says exactly which compiler each one is."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from ..errors import MissingDependency
from ..forks import importing
from ..frozen import frozen
from ..later import at_first_use
from .answers import about_driver, about_folders
from .programs import program_path

if TYPE_CHECKING:
    from subprocess import CompletedProcess

shlex = at_first_use("shlex")

# language -> environment variable, program names in order, subcommand of the ziglang wheel
_SEARCH: dict[str, tuple[str, tuple[str, ...], str]] = {
    "c++": ("CXX", ("c++", "g++", "clang++"), "c++"),
    "c": ("CC", ("cc", "gcc", "clang"), "cc"),
}

# By itself zig compiles for the processor it runs on: a package would not run on an older one.
_ZIG_FLAGS = ("-mcpu=baseline",)
_FIRST_LINK = (
    "samebytes: zig builds its own C and C++ libraries before it first links; it takes a minute or two, once."
)

# How hard the compiler optimises what samebytes builds: 0, 1, 2 or 3.
OPTIMIZE = "SAMEBYTES_OPTIMIZE"

# What changes a compiler's result without standing on its command line.
RELEVANT_ENVIRONMENT = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
    "SOURCE_DATE_EPOCH", "SAMEBYTES_LIBCLANG", OPTIMIZE,
)  # fmt: skip


@frozen
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
    def only_checked(self) -> tuple[str, ...]:
        """The flags that make it judge a source; zig looks for an object even where it is told to make none."""
        return ("-c", "-o", "checked.o") if "ziglang" in self.command else ("-fsyntax-only",)

    @property
    def slow_to_link(self) -> str:
        """Why linking may take minutes, as a sentence; empty where it does not."""
        return _FIRST_LINK if "ziglang" in self.command else ""

    @property
    def version(self) -> str:
        """The first line of ``--version``."""
        return self.identity.split("\n")[1]

    @property
    def described(self) -> str:
        """The version, and whose compiler it is where that does not say so: zig's calls itself Clang."""
        return f"{self.version} of zig, the ziglang wheel" if "ziglang" in self.command else self.version


def _identify(command: tuple[str, ...], language: str) -> Compiler | None:
    path = program_path(command[0])
    if path is None:
        return None
    real = os.path.realpath(path)
    said = about_driver(real, (path, *command, environment_facts()), lambda: _said_by(command))
    if said is None:
        return None
    stamp = os.stat(real)
    identity = "\n".join((" ".join(command), *said, f"{real} {stamp.st_size} {stamp.st_mtime_ns}"))
    return Compiler(command, language, identity)


def _said_by(command: tuple[str, ...]) -> list[str] | None:
    """A driver's version and machine; None where it does not run."""
    version = _run((*command, "--version"))
    if version.returncode != 0:
        return None
    return [version.stdout.strip(), _run((*command, "-dumpmachine")).stdout.strip()]


def _run(command: tuple[str, ...]) -> CompletedProcess[str]:
    with importing:  # a process that finds its library in the cache starts none
        from .running import run

    return run(command)


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
        compiler = _identify((sys.executable, "-m", "ziglang", zig, *_ZIG_FLAGS), language)
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


# Flags that choose another standard library or another root of headers.
_CHOOSING = ("-stdlib=", "--sysroot=", "-isysroot", "--target=", "--gcc-toolchain=", "-nostdinc")


@cache
def _directories(
    compiler: Compiler, flags: tuple[str, ...], environment: tuple[str | None, ...]
) -> tuple[str, ...]:
    """The directories that a driver has each translation unit search."""
    question = (compiler.language, flags, environment)  # one driver may be asked for C and for C++
    named = about_folders(compiler.identity, question, lambda: _named_folders(compiler, flags))
    return tuple(os.path.abspath(line.strip()) for line in named if line.startswith(" "))


def _named_folders(compiler: Compiler, flags: tuple[str, ...]) -> list[str]:
    """The folders that a driver searches, in its order and indented, and those that it passes over."""
    done = _run((*compiler.command, *flags, "-E", "-v", "-x", compiler.language, "-"))
    before, said, tail = done.stderr.partition("#include <...> search starts here:\n")
    listing, ended, _ = tail.partition("End of search list.")
    # It was killed, or knows no such flag: headers would be missed.
    if (said and not ended) or (done.returncode and not said):
        errors = (line for line in done.stderr.splitlines() if "error" in line)
        words = next(errors, f"it ended with {done.returncode}")
        command = " ".join((*compiler.command, *flags))
        raise MissingDependency(f"{command} does not say where it looks for headers: {words}")
    # What is a file now, or cannot be read, may be a folder the next time: a complaint is no path, and not remembered.
    passed_over = re.findall(
        r'^ignoring .*directory "(.*)"$|^(.+: (?:warning|error): .*)', before, re.MULTILINE
    )
    return [line for line in listing.splitlines() if line.startswith(" ")] + [*map("".join, passed_over)]


def _chosen(flags: Iterable[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if flag.startswith(_CHOOSING))


def system_includes(compiler: Compiler, flags: Iterable[str] = ()) -> tuple[str, ...]:
    """The directories that this compiler searches for ``#include <…>``, in its order.

    Parameters
    ----------
    compiler : Compiler
    flags : iterable of str
        What it is called with; some choose another standard library.
    """
    return _directories(compiler, _chosen(flags), environment_facts())


def environment_facts() -> tuple[str | None, ...]:
    """The values of :data:`RELEVANT_ENVIRONMENT`."""
    return tuple(os.environ.get(name) for name in RELEVANT_ENVIRONMENT)
