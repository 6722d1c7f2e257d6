"""Skips the tests of a library whose development package is not installed, and says which it is."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from functools import cache

import pytest

from samebytes.read.clang.finding import locate
from samebytes.toolchain.compilers import find_compiler, system_includes


@pytest.fixture(scope="session")
def needs() -> Callable[..., None]:
    """``needs(header, package, *libraries)``: skip where the header is missing, or one of the libraries.

    A library is a name for the linker, ``"openblas"``, or the file that a program opens, ``"libsqlite3.so.0"``.
    """
    places = [d for language in ("c", "c++") for d in system_includes(find_compiler(language))]

    def check(header: str, package: str, *libraries: str) -> None:
        if locate(header, places) is None:
            pytest.skip(f"<{header}> is not installed: apt install {package}")
        for library in libraries:
            if not _is_there(library):
                pytest.skip(f"<{header}> is installed, but not {library}: apt install {package}")

    return check


@cache
def _is_there(library: str) -> bool:
    if ".so" in library:
        try:
            ctypes.CDLL(library)
        except OSError:
            return False
        return True
    command = [
        *find_compiler("c").command,
        "-shared",
        "-x",
        "c",
        "/dev/null",
        f"-l{library}",
        "-o",
        "/dev/null",
    ]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
