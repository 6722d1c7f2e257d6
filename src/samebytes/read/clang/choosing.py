"""Which libclang reads: the one that is named, the package's own, or the newest of the system."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any

from ...errors import BindError, MissingDependency
from ...later import later_pattern

VARIABLE = "SAMEBYTES_LIBCLANG"
OLDEST = 18
# Where distributions and LLVM's own installer put it; the number is the version.
_PLACES = (
    "/usr/lib/llvm-*/lib/libclang-*.so*",
    "/usr/lib/*-linux-gnu/libclang-*.so*",
    "/usr/lib64/libclang.so*",
    "/usr/lib64/llvm*/lib*/libclang.so*",
    "/usr/local/lib/libclang.so*",
)
_NUMBER = later_pattern(r"llvm-?(\d+)/|libclang-(\d+)|libclang\.so\.(\d{2,})")
MISSING = f"reading C++ needs libclang {OLDEST} or newer: pip install libclang, or apt install libclang1-19"


def on_the_system() -> dict[int, str]:
    """The files of the system that are new enough, the newest first, by version."""
    found: dict[int, str] = {}
    for pattern in _PLACES:
        for path in sorted(glob.glob(pattern)):
            number = _version_in(path)
            if number >= OLDEST:
                found.setdefault(number, path)
    return dict(sorted(found.items(), reverse=True))


def choose(binding: Any) -> None:
    """Have clang's Python binding load the library that is wanted.

    Raises
    ------
    BindError
        If what ``SAMEBYTES_LIBCLANG`` names is not there, or comes too late.
    MissingDependency
        If there is none.
    """
    asked = os.environ.get(VARIABLE, "")
    if not asked and _own(binding):
        return
    path = _named(asked) if asked else next(iter(on_the_system().values()), "")
    if not path:
        raise MissingDependency(MISSING)
    if binding.Config.loaded:
        if asked and binding.Config.library_file != path:
            raise BindError(f"{VARIABLE}={asked}: another libclang was loaded by this process before")
        return
    binding.Config.set_library_file(path)


def _own(binding: Any) -> bool:
    """Whether the binding has a library of its own, as PyPI's libclang has, or was told of one."""
    native = Path(binding.__file__ or "").with_name("native")
    return binding.Config.loaded or bool(binding.Config.library_file) or native.is_dir()


def _named(asked: str) -> str:
    """The file that a path or a version means."""
    there = on_the_system()
    path = there.get(int(asked), "") if asked.isdecimal() else asked
    if not os.path.isfile(path):
        listed = ", ".join(f"{number} ({file})" for number, file in there.items()) or "none"
        raise BindError(f"{VARIABLE}={asked} is no libclang; the system has {listed}")
    return path


def _version_in(path: str) -> int:
    """The version that a path says: its own number, else that of the file that it leads to."""
    numbers = (_NUMBER.search(name) for name in (path, os.path.realpath(path)))
    return next((int(next(filter(None, found.groups()))) for found in numbers if found), 0)


def version_of(words: str) -> int:
    """The version in what ``clang_getClangVersion`` says.

    Raises
    ------
    MissingDependency
        If it is too old.
    """
    found = re.search(r"version (\d+)", words)
    number = int(found[1]) if found else 0
    if number < OLDEST:
        raise MissingDependency(f"{words} was loaded, and {MISSING}")
    return number
