"""The host's C++ compiler with CUDA's headers: what host code that is not compiled by nvcc sees."""

from __future__ import annotations

from ...toolchain.compilers import find_compiler
from ...toolchain.cuda import cuda_headers
from .base import INCLUDE, Judge, Outcome, run

_FLAGS = ("-std=c++17", "-fsyntax-only", "-Wno-invalid-offsetof", "-I", INCLUDE)


def _find() -> str:
    cuda_headers()
    return f"{find_compiler('c++').version} with CUDA's headers"


def _compile(text: str) -> Outcome:
    folders = [word for folder in cuda_headers() for word in ("-isystem", folder)]
    return run(text, ".cpp", (*find_compiler("c++").command, *_FLAGS, *folders, "{source}"))


JUDGE = Judge("cuda_host", ("cuda",), _find, _compile)
