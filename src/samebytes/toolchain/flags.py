"""Flags as users write them for a compiler's driver, sorted by who takes them: the compiler, the linker, or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from ..frozen import frozen

# Flags whose value may be the next word.
_TWO_WORDS = frozenset({
    "-D", "-U", "-I", "-L", "-l", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-x", "-u",
    "-z", "-T", "-target", "-Xlinker", "-Xclang", "-Xpreprocessor", "-mllvm", "-o", "-MF", "-MT", "-MQ", "-MJ",
})  # fmt: skip
# What only a link has a use for.
_LINKING = (
    "-Wl,", "-Xlinker", "-rdynamic", "-static-lib", "-fuse-ld=", "-nostartfiles", "-nodefaultlibs", "-u", "-z", "-T",
)  # fmt: skip
# What a compilation and a link must agree on: it adds a library of the compiler's own, or says how code is made, which
# -flto leaves to the link. Not -Ofast, -ffast-math, -mpc64 and their like: with them a link adds code that changes how
# the whole process computes, Python's numbers too, from when the library is loaded.
_BOTH = (
    "-fopenmp", "-fopenacc", "-fsanitize", "-fno-sanitize", "-pthread", "-flto", "-fno-lto", "-stdlib=", "--coverage",
    "-fprofile-", "-fcoverage-", "-pg", "--sysroot=", "-isysroot", "--target=", "-target", "--gcc-toolchain=",
    "-nostdlib", "-march=", "-mtune=", "-mcpu=", "-m32", "-m64",
)  # fmt: skip
_NAMING = {"-l": "libraries", "-L": "library_dirs", "-I": "include_dirs"}


@frozen
class SortedFlags:
    """Flags by who takes them.

    Attributes
    ----------
    compiler : tuple of str
        The compiler's, and the parser's.
    linker : tuple of str
        The linker's: those of its own, and those that both take.
    libraries, library_dirs, include_dirs : tuple of str
        What ``-l``, ``-L`` and ``-I`` name.
    """

    compiler: tuple[str, ...] = ()
    linker: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    library_dirs: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()


def sort_flags(flags: Iterable[str], *, includes: bool = False) -> SortedFlags:
    """The flags, each list in their order; what is not known is the compiler's.

    Parameters
    ----------
    flags : iterable of str
    includes : bool
        Whether ``-I`` is told apart, too: else it stays among the compiler's, where it is searched first.
    """
    found: dict[str, list[str]] = {part.name: [] for part in fields(SortedFlags)}
    for words in each_flag(iter(flags)):
        name = _NAMING.get(words[0][:2])
        if name is not None and (includes or name != "include_dirs"):
            found[name].append(words[0][2:] or words[-1])
        elif words[0].startswith(_LINKING):
            found["linker"] += words
        else:
            found["compiler"] += words
            found["linker"] += words if words[0].startswith(_BOTH) else ()
    return SortedFlags(**{name: tuple(values) for name, values in found.items()})


def each_flag(words: Iterator[str]) -> Iterator[tuple[str, ...]]:
    """Each flag with its value, where that is the next word."""
    for word in words:
        value = next(words, None) if word in _TWO_WORDS else None
        yield (word,) if value is None else (word, value)
