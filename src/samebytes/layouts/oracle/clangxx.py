"""Clang as a judge of host C++."""

from __future__ import annotations

from ...toolchain.compilers import Compiler, named_compiler
from .base import INCLUDE, Judge, Outcome, run

_NAMES = ("clang++", *(f"clang++-{n}" for n in range(25, 10, -1)))
_FLAGS = (
    "-std=c++17", "-Wno-invalid-offsetof", "-ferror-limit=0", "-fsyntax-only", "-I", INCLUDE, "{source}",
)  # fmt: skip


def _clang() -> Compiler:
    return named_compiler(_NAMES, "c++", "install Clang (Debian: apt install clang)")


def _compile(text: str) -> Outcome:
    return run(text, ".cpp", (*_clang().command, *_FLAGS))


JUDGE = Judge("clangxx", ("cxx",), lambda: _clang().version, _compile)
