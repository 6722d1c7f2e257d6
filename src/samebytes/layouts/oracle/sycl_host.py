"""The host's C++ compiler with DPC++'s headers as a judge of SYCL's host pass."""

from __future__ import annotations

from ...toolchain.compilers import find_compiler
from ...toolchain.sycl import sycl_headers
from .base import INCLUDE, Judge, Outcome, run

_FLAGS = ("-std=c++17", "-fsyntax-only", "-w", "-I", INCLUDE)


def _find() -> str:
    return f"{find_compiler('c++').version} with {sycl_headers()[1]}"


def _compile(text: str) -> Outcome:
    folder, _ = sycl_headers()
    return run(text, ".cpp", (*find_compiler("c++").command, *_FLAGS, "-isystem", folder, "{source}"))


JUDGE = Judge("sycl_host", ("sycl",), _find, _compile)
