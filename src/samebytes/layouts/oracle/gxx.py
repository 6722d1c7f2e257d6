"""The host's C++ compiler (``$CXX``, else g++) as a judge of host C++."""

from __future__ import annotations

from ...toolchain.compilers import find_compiler
from .base import INCLUDE, Judge, Outcome, run

_FLAGS = ("-std=c++17", "-Wno-invalid-offsetof", "-fsyntax-only", "-I", INCLUDE, "{source}")


def _compile(text: str) -> Outcome:
    return run(text, ".cpp", (*find_compiler("c++").command, *_FLAGS))


JUDGE = Judge("gxx", ("cxx",), lambda: find_compiler("c++").version, _compile)
