"""How CUDA's compiler, and the parser in its place, are asked about device code."""

from __future__ import annotations

import os
from pathlib import Path

from ..read.header import files_of_header
from ..toolchain.cuda import Nvrtc, find_nvrtc
from ..toolchain.headers import INCLUDE
from .request import Request

PARSER = "samebytes/cuda_parser.hpp"
# Where proofs are made; kernels are linked with code for their own architecture.
PROOF = (8, 0)
# The flags that decide what a header says.
READ = ("-D", "-U", "-I", "-include")


def parser_flags(request: Request, nvrtc: Nvrtc, capability: tuple[int, int]) -> tuple[str, ...]:
    """What makes of a parser for the host one of device code for a compute capability."""
    major, _, minor = nvrtc.version.removeprefix("NVRTC ").partition(".")
    arch = f"{capability[0]}{capability[1]}0"
    macros = {
        "__CUDACC__": "1", "__CUDACC_RTC__": "1", "__EDG__": "1", "__CUDA_ARCH__": arch, "__CUDA_ARCH_LIST__": arch,
        "__CUDACC_VER_MAJOR__": major, "__CUDACC_VER_MINOR__": minor, "__CUDACC_VER_BUILD__": "0",
        "__CUDA_API_VER_MAJOR__": major, "__CUDA_API_VER_MINOR__": minor,
        "CUDART_VERSION": str(1000 * int(major) + 10 * int(minor)),
    }  # fmt: skip
    return (
        f"-std={_standard(request)}", *(f"-D{n}={v}" for n, v in macros.items()), "-U__GNUC__", "-U__clang__",
        "-include", os.path.join(INCLUDE, PARSER), *(f"-D{d}" for d in request.defines), *request.flags,
    )  # fmt: skip


def included_files(request: Request, main: Path) -> tuple[str, ...]:
    """The files that some device code includes.

    Raises
    ------
    BindError
        If the parser does not find one.
    """
    nvrtc = find_nvrtc()
    return files_of_header(
        main, language="c++", flags=parser_flags(request, nvrtc, PROOF), include_dirs=request.includes(),
        system_includes=nvrtc.includes, dialect="cuda",
    )  # fmt: skip


def _standard(request: Request) -> str:
    return (request.std or "c++17").replace("gnu++", "c++")


def searched_beside(request: Request, beside: Path) -> tuple[str, ...]:
    """The flags that name the folders of ``#include``; ``beside`` holds source given as text."""
    includes = (str(beside), *((os.path.dirname(request.main),) if request.main else ()), *request.includes())
    return tuple(f"-I{d}" for d in includes)


def options(request: Request, cc: tuple[int, ...], beside: Path) -> tuple[str, ...]:
    """NVRTC's options for a compute capability; ``beside`` holds source given as text."""
    return (
        f"-std={_standard(request)}", f"-arch=compute_{cc[0]}{cc[1]}", "-w", "-default-device", "-device-int128",
        "-DNDEBUG",
        *(f for f in request.flags if f.startswith(READ)), *searched_beside(request, beside),
    )  # fmt: skip
