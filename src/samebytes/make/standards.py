"""Language standards: which are too old for samebytes, and which newer one accepts what the compiler refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..errors import BindError, CompileError
from ..later import later_pattern
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, check_syntax
from .request import Request
from .units import compile_flags

# Oldest first; g++ and clang know each under this name.
_STANDARDS = ("98", "03", "11", "14", "17", "20", "23")
_DRAFTS = {"0x": "11", "1y": "14", "1z": "17", "2a": "20", "2b": "23"}
_TOO_OLD = ("98", "03")
_NAMED = later_pattern(r"-std=(c|gnu)\+\+(\w+)")
# What compilers say of code for a newer standard: only then is it worth asking.
_NEWER = later_pattern(
    r"-std=|[Cc]\+\+ ?[0-9]|(?:member|template) (?:of|in namespace) 'std|<=>|'auto'"
    r"|\b(?:concept|requires|consteval|constinit|co_await|co_yield|co_return|char8_t|nullptr|constexpr|noexcept)\b"
)

# What g++ says of a name of the standard library that no header declares: newer standards' headers may do so by chance.
_FORGOTTEN = later_pattern(r"(std::\w+)\W+ is defined in header \W*?(<[\w.]+>)")


def check_standard(request: Request, language: str) -> None:
    """Raise for a standard in which the shims cannot be written.

    Raises
    ------
    BindError
        With the oldest that works.
    """
    if language == "c++" and _standard(request)[1] in _TOO_OLD:
        said = _said(request)
        raise BindError(
            f"{said}: C++ headers are bound from C++11 on; give std='c++11' or newer, or leave it out (gnu++17)"
        )


def advised(error: CompileError, request: Request, main: Path) -> CompileError:
    """The error, and which newer standard accepts the source, if one does."""
    if request.language == "c" or not _NEWER.search(error.output):
        return error
    if forgotten := _FORGOTTEN.search(error.output):
        return error.advised(
            f"{forgotten[1]} is of the header {forgotten[2]}, which the source does not include."
        )
    spoken, now = _standard(request)
    if now not in _STANDARDS or _accepts(request, main, f"{spoken}++{now}"):
        return error
    for newer in _STANDARDS[_STANDARDS.index(now) + 1 :]:
        if newer not in _TOO_OLD and _accepts(request, main, f"{spoken}++{newer}"):
            return error.advised(
                f"It is code for a newer standard: with std='{spoken}++{newer}' it compiles."
            )
    return error


def _standard(request: Request) -> tuple[str, str]:
    """The kind and the year of the C++ standard that counts: the last that is said."""
    for flag in reversed(request.shared_flags("c++")):
        if flag == "-ansi":
            return "c", "98"
        if named := _NAMED.fullmatch(flag):
            return named[1], _DRAFTS.get(named[2], named[2])
    return "gnu", ""


def _said(request: Request) -> str:
    given = [flag for flag in request.flags if flag == "-ansi" or flag.startswith("-std=")]
    return f"flags={given[-1:]!r}" if given else f"std={request.std!r}"


def _accepts(request: Request, main: Path, standard: str) -> bool:
    kept = tuple(f for f in request.flags if f != "-ansi" and not f.startswith("-std="))
    flags = compile_flags(replace(request, std=standard, flags=kept), "c++")
    try:
        check_syntax(CompileCommand(main, find_compiler("c++"), flags))
    except CompileError:
        return False
    return True
