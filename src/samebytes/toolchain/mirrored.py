"""The macros that the parser takes from the compiler: a header asks by them how it is compiled, and for what."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise

from ..later import later_pattern
from .answers import about_front_end
from .compilers import Compiler, environment_facts, find_compiler
from .own_sources import own_sources
from .programs import program_path
from .running import run

# What compilers define by themselves as their flags, their mode or their driver say. Who the compiler is, and what it
# can (__clang__, __GNUC__, __cpp_concepts, __has_builtin), stays the parser's: a header asks by these for what its
# reader understands. Limits and sizes of types stay the parser's, too: it is built for the same ABI, and assertions in
# the shims prove each layout.
_MIRRORED = {
    "optimisation": (
        "__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__", "__FAST_MATH__", "__FINITE_MATH_ONLY__",
        "__NO_MATH_ERRNO__", "__RECIPROCAL_MATH__", "__ASSOCIATIVE_MATH__", "__NO_SIGNED_ZEROS__",
        "__NO_TRAPPING_MATH__", "__ROUNDING_MATH__", "__SUPPORT_SNAN__", "_FORTIFY_SOURCE", "NDEBUG",
    ),
    "language": (
        "__cplusplus", "__STDC_VERSION__", "__STRICT_ANSI__", "__EXCEPTIONS", "__cpp_exceptions", "__GXX_RTTI",
        "__cpp_rtti", "__CHAR_UNSIGNED__", "__GNUC_GNU_INLINE__", "__GNUC_STDC_INLINE__", "_OPENMP", "_REENTRANT",
        "__GXX_ABI_VERSION",
    ),
    "instrumentation": (
        "__SANITIZE_ADDRESS__", "__SANITIZE_THREAD__", "__SANITIZE_HWADDRESS__", "__SSP__", "__SSP_ALL__",
        "__SSP_STRONG__", "__SSP_EXPLICIT__", "__CET__", "__pic__", "__PIC__", "__pie__", "__PIE__",
    ),
}  # fmt: skip
# The target's: what a processor can, and which one it is.
_TARGET = later_pattern(
    r"__(SSE|SSSE|AVX|FMA|MMX|3dNOW|BMI|TBM|XOP|LWP|ABM|POPCNT|LZCNT|F16C|AES|VAES|PCLMUL|VPCLMUL|GFNI|SHA|RDRND|RDSEED"
    r"|RDPID|ADX|MOVBE|XSAVE|FXSR|FSGSBASE|CLFLUSH|CLWB|CLDEMOTE|CLZERO|PRFCHW|PREFETCH|SGX|PKU|PTWRITE|WAITPKG|AMX"
    r"|ENQCMD|SERIALIZE|CRC32|MWAIT|LAHF_SAHF|GCC_ASM_FLAG_OUTPUTS|ARM_FEATURE_|ARM_NEON)\w*|__(tune_)?[a-z]+[a-z0-9_]*__"
)
# Those of such names that are no processor's.
_NO_PROCESSOR = later_pattern(
    r"__(tune_)?(gnu_linux|linux|unix|clang\w*|llvm|restrict\w*|private_extern|amd64|x86_64|aarch64|pi[ce])__"
)
# What clang defines by itself, and goes where the compiler lacks it.
_OWN = (
    "__NO_INLINE__", "__EXCEPTIONS", "__cpp_exceptions", "__GXX_RTTI", "__cpp_rtti", "__FINITE_MATH_ONLY__", "__MMX__",
    "__SSE__", "__SSE2__", "__SSE_MATH__", "__SSE2_MATH__", "__FXSR__", "__k8__", "__tune_k8__", "__LAHF_SAHF__",
    "__GNUC_STDC_INLINE__", "__GNUC_GNU_INLINE__", "__pic__", "__PIC__", "__pie__", "__PIE__", "__STRICT_ANSI__",
    "__GCC_ASM_FLAG_OUTPUTS__",
)  # fmt: skip
_NAMES = frozenset(name for names in _MIRRORED.values() for name in names)
# The line of `-v` that starts the front end: g++'s is a program of its own.
_FRONT_END = later_pattern(r"[ /]-?cc1(?:plus)?[\" ]")
_DEFINED = later_pattern(r"#define (\w+) ?(.*)")


def mirrored_macros(compiler: Compiler, flags: Iterable[str]) -> tuple[str, ...]:
    """The macros that a compiler has with some flags and the parser would not know, as ``-D`` and ``-U`` flags.

    Those that a driver defines on its front end's command line are among them; they are part of its library's
    configuration: zig's says by them in which namespace its ``std::string`` lies.
    """
    return _mirrored(compiler, tuple(flags), environment_facts())


class Mirrored(Mapping[str, tuple[str, ...]]):
    """The macros of each language's compiler, which is asked for them when they are first needed.

    Parameters
    ----------
    flags : mapping of str to tuple of str
        By language, what its compiler is called with.
    """

    def __init__(self, flags: Mapping[str, tuple[str, ...]]) -> None:
        self._flags = dict(flags)
        self._compilers = os.environ.get("CXX"), os.environ.get("CC"), environment_facts()

    def __getitem__(self, language: str) -> tuple[str, ...]:
        return mirrored_macros(find_compiler(language), self._flags[language])

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mirrored):
            return NotImplemented
        return (self._flags, self._compilers) == (other._flags, other._compilers)

    __hash__ = None  # type: ignore[assignment]


@cache
def _mirrored(
    compiler: Compiler, flags: tuple[str, ...], environment: tuple[str | None, ...]
) -> tuple[str, ...]:
    words = (*_without_includes(flags), "-fPIC")  # as objects are compiled: position-independent
    driver = program_path(compiler.command[0])
    if driver is None or len(compiler.command) > 1 or not all(map(_SELF_CONTAINED.fullmatch, words)):
        return tuple(_asked(compiler, words)[0])
    # Which of the macros count is said above.
    question = (own_sources(), compiler.identity, compiler.language, words, environment)
    return tuple(about_front_end(os.path.realpath(driver), question, lambda: _asked(compiler, words)))


# The flags by which a front end needs no other file, and looks at no processor.
_SELF_CONTAINED = later_pattern(
    r"-[DU].*|-O\w*|-std=[\w+]+|-w|-W[\w=-]+|-f([\w-]+|(visibility|sanitize)=[\w,-]+)|-g[\w-]*|-pthread"
    r"|-m(?!.*native)[\w.=-]+",
    re.DOTALL,
)


def _asked(compiler: Compiler, words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The macros, and the files on which they hang, there or not; none where nobody can tell."""
    done = run((*compiler.command, *words, "-E", "-dM", "-v", "-x", compiler.language, "-"))
    lines = done.stderr.splitlines()
    command = shlex.split(next((line for line in lines if _FRONT_END.search(line)), ""))
    implied = [*defined(command)]
    if done.returncode != 0:  # by a flag that it does not know: it will say so itself
        return implied, []
    matches = filter(None, map(_DEFINED.fullmatch, done.stdout.splitlines()))
    found = {match[1]: match[2] for match in matches}
    wanted = [name for name in found if is_mirrored(name)]
    gone = [f"-U{name}" for name in _OWN if name not in found]
    said = [*gone, *(word for name in wanted for word in (f"-U{name}", f"-D{name}={found[name]}")), *implied]
    return said, _files(command, lines)


def _files(command: list[str], lines: list[str]) -> list[str]:
    """What decides what GCC's front end defines: itself, specifications that there may be, and the C library's header
    that comes before every source.
    """
    if not command or "Using built-in specs." not in lines or any("=native'" in line for line in lines):
        return []  # the processor decides, or others' specifications
    told = (line.partition("=")[2] for line in lines if line.startswith(("COMPILER_PATH=", "LIBRARY_PATH=")))
    homes = dict.fromkeys(home for line in told for home in line.split(":") if home)
    includes = [line.strip() for line in lines if line.startswith(" /") and not _FRONT_END.search(line)]
    before = []
    for folder in includes:
        before.append(os.path.join(folder, "stdc-predef.h"))
        if os.path.exists(before[-1]):
            break
    files = [command[0], *(os.path.join(home, "specs") for home in homes), *before]
    return files if all(map(os.path.isabs, files)) else []


def _without_includes(flags: Iterable[str]) -> Iterator[str]:
    """The flags but for those that include a file before the user's, which the parser reads there, and for folders that
    decide no macro.
    """
    rest = iter(flags)
    for flag in rest:
        if flag in ("-include", "-imacros"):
            next(rest, None)
        elif flag == "-I":
            folder = next(rest, "")
            if os.path.exists(os.path.join(folder, "stdc-predef.h")):  # it is included before every source
                yield from (flag, folder)
        elif not flag.startswith(("-include", "-imacros")):
            yield flag


def is_mirrored(name: str) -> bool:
    """Whether the parser takes a macro from the compiler."""
    return name in _NAMES or (bool(_TARGET.fullmatch(name)) and not _NO_PROCESSOR.fullmatch(name))


def defined(words: list[str]) -> Iterator[str]:
    """The macros on a front end's command line, however they are written."""
    for word, after in pairwise((*words, "")):
        if word == "-D":
            yield f"-D{after}"
        elif word.startswith("-D"):
            yield word
