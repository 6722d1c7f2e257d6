"""Where a header is, and which of the compiler's flags and directories the parser gets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from ...errors import BindError
from ...later import later_pattern

C_SUFFIXES = frozenset({".c"})
UNDECIDED_SUFFIXES = frozenset({".h", ""})

# Front-end flags that change what declarations mean; optimisation, warnings and linking do not.
_JOINED = ("-std=", "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include",
           "-march=", "-msse", "-mavx", "-mfma", "-mf16c", "--sysroot")  # fmt: skip
_WHOLE = frozenset(
    {"-fshort-enums", "-fno-short-enums", "-funsigned-char", "-fsigned-char", "-fshort-wchar",
     "-fms-extensions", "-fchar8_t", "-fno-char8_t",
     "-fno-exceptions", "-fno-rtti", "-ansi", "-pthread", "-fopenmp"}
)  # fmt: skip
_SEPARATE = frozenset({"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"})
# Directories of a C++ library: GNU's and LLVM's, or those of zig.
_CXX = re.compile(r"/c\+\+/|/libcxx(abi)?/")


def is_cxx(directory: str) -> bool:
    """Whether an include directory is one of the C++ library."""
    return _CXX.search(directory) is not None


def c_includes(system: tuple[str, ...]) -> tuple[str, ...]:
    """The compiler's include directories without those of the C++ library."""
    return tuple(directory for directory in system if not is_cxx(directory))


def locate(header: str, places: Iterable[str]) -> str | None:
    """The absolute path of a header in the first directory that has it; ``""`` is the current one."""
    for place in places:
        candidate = os.path.abspath(os.path.join(place, header))
        if os.path.isfile(candidate):
            return candidate
    return None


def find_header(
    main: Path, include_dirs: tuple[str, ...], flags: tuple[str, ...], system: tuple[str, ...]
) -> str:
    """The absolute path of a header given by path or by the name that ``#include <name>`` would find.

    Raises
    ------
    BindError
        If there is none; the message lists the directories searched.
    """
    if main.suffix in UNDECIDED_SUFFIXES and main.suffix:
        # C++ libraries wrap math.h and its like; the C library's own is meant.
        system = (*c_includes(system), *filter(is_cxx, system))
    places = [*include_dirs, *_flag_folders(flags), *system]
    found = locate(os.fspath(main), ("", *places))
    if found is not None:
        return found
    searched = ", ".join([".", *places])
    raise BindError(f"no such header: {main} (searched {searched})")


def _flag_folders(flags: tuple[str, ...]) -> list[str]:
    """The directories that flags name."""
    joined = [flag[2:] for flag in flags if flag.startswith("-I") and len(flag) > 2]
    return [*joined, *(b for a, b in pairwise(flags) if a in ("-I", "-isystem", "-iquote", "-idirafter"))]


# The header that one goes on with; ``c++/12/math.h`` names ``math.h``, and so is not included as what it is there.
_NEXT = later_pattern(rb'#\s*include_next\s*[<"]([^>"\n]+)[>"]')


def inclusion(header: str, flags: tuple[str, ...], places: Iterable[str]) -> str:
    """What stands behind ``#include`` so that a unit reads a header: its path, or its name.

    A header that has ``#include_next`` is included by its name. Compilers then know in which directory they found it,
    and go on with the next one; of a path they begin again with the first.

    Parameters
    ----------
    header : str
        Its absolute path.
    flags : tuple of str
        The compiler's.
    places : iterable of str
        The other directories searched, in order.
    """
    try:
        named = {os.fsdecode(name) for name in _NEXT.findall(Path(header).read_bytes())}
    except OSError:
        named = set()
    places = [os.path.abspath(place) for place in (*_flag_folders(flags), *places)] if named else []
    for place in places:
        name = os.path.relpath(header, place)
        if name in named and locate(name, places) == header:
            return f"<{name}>"
    return f'"{header}"'


def front_end_flags(flags: tuple[str, ...], language: str) -> list[str]:
    """The flags that decide what declarations mean, for the language that is parsed."""
    kept: list[str] = []
    rest = iter(flags)
    for flag in rest:
        if flag in _SEPARATE:
            kept += [flag, next(rest, "")]
        elif flag.startswith("-std="):
            if ("++" in flag) == (language == "c++"):
                kept.append(flag)
        elif flag in _WHOLE or flag.startswith(_JOINED):
            kept.append(flag)
    return kept
