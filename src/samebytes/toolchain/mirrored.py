"""The macros that the parser takes from the compiler: a header asks by them how it is compiled, and for what."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from .compilers import Compiler, environment_facts
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
_TARGET = re.compile(
    r"__(SSE|SSSE|AVX|FMA|MMX|3dNOW|BMI|TBM|XOP|LWP|ABM|POPCNT|LZCNT|F16C|AES|VAES|PCLMUL|VPCLMUL|GFNI|SHA|RDRND|RDSEED"
    r"|RDPID|ADX|MOVBE|XSAVE|FXSR|FSGSBASE|CLFLUSH|CLWB|CLDEMOTE|CLZERO|PRFCHW|PREFETCH|SGX|PKU|PTWRITE|WAITPKG|AMX"
    r"|ENQCMD|SERIALIZE|CRC32|MWAIT|LAHF_SAHF|GCC_ASM_FLAG_OUTPUTS|ARM_FEATURE_|ARM_NEON)\w*|__(tune_)?[a-z]+[a-z0-9_]*__"
)
# Those of such names that are no processor's.
_NO_PROCESSOR = re.compile(
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
_FRONT_END = re.compile(r"[ /]-?cc1(?:plus)?[\" ]")
_DEFINED = re.compile(r"#define (\w+) ?(.*)")


def mirrored_macros(compiler: Compiler, flags: Iterable[str]) -> tuple[str, ...]:
    """The macros that a compiler has with some flags and the parser would not know, as ``-D`` and ``-U`` flags.

    Those that a driver defines on its front end's command line are among them; they are part of its library's
    configuration: zig's says by them in which namespace its ``std::string`` lies.
    """
    return _mirrored(compiler, tuple(flags), environment_facts())


@cache
def _mirrored(
    compiler: Compiler, flags: tuple[str, ...], environment: tuple[str | None, ...]
) -> tuple[str, ...]:
    # As objects are compiled: position-independent. What a file that a flag includes defines, the parser reads there.
    done = run(
        (
            *compiler.command,
            *_without_includes(flags),
            "-fPIC",
            "-E",
            "-dM",
            "-v",
            "-x",
            compiler.language,
            "-",
        )
    )
    command = next((line for line in done.stderr.splitlines() if _FRONT_END.search(line)), "")
    implied = tuple(defined(shlex.split(command)))
    if done.returncode != 0:  # by a flag that it does not know: it will say so itself
        return implied
    matches = filter(None, map(_DEFINED.fullmatch, done.stdout.splitlines()))
    found = {match[1]: match[2] for match in matches}
    wanted = [name for name in found if is_mirrored(name)]
    gone = [f"-U{name}" for name in _OWN if name not in found]
    return (*gone, *(word for name in wanted for word in (f"-U{name}", f"-D{name}={found[name]}")), *implied)


def _without_includes(flags: Iterable[str]) -> Iterator[str]:
    """The flags but for those that include a file before the user's."""
    rest = iter(flags)
    for flag in rest:
        if flag in ("-include", "-imacros"):
            next(rest, None)
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
