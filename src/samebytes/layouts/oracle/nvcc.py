"""nvcc as a judge of CUDA: its device pass and its host pass see the same assertions."""

from __future__ import annotations

from ...toolchain.cuda import cuda_headers, find_nvcc, nvcc_version
from .base import INCLUDE, Judge, Outcome, run

_FLAGS = ("-std=c++17", "-c", "-Wno-deprecated-declarations", "-I", INCLUDE)


def _compile(text: str) -> Outcome:
    cccl = [word for folder in cuda_headers() for word in ("-I", folder)]
    command = (*find_nvcc().command, *_FLAGS, *cccl, "{source}", "-o", "{output}")
    return run(text, ".cu", command)


# Like NVRTC, its front end stops at a hundred errors.
JUDGE = Judge("nvcc", ("cuda",), lambda: nvcc_version(find_nvcc()), _compile, limit=90)
