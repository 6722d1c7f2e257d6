"""Finds what HIP needs without ROCm's compiler: a Clang that knows AMD's devices, and ROCm's headers."""

from __future__ import annotations

import importlib.util
import os
import re
from functools import cache
from pathlib import Path

from ..errors import MissingDependency
from .compilers import Compiler, named_compiler
from .rocm_api import rocm_library

DRIVER_VARIABLE = "SAMEBYTES_HIP_DRIVER"

_CLANGS = ("amdclang++", *(f"clang++-{n}" for n in range(25, 14, -1)), "clang++")
_ADVICE = "install a Clang of version 15 or newer (Debian: apt install clang-19)"


def find_hip_clang() -> Compiler:
    """The Clang that compiles HIP: ``$HIP_CLANG``, ROCm's own, else the newest of the system.

    Raises
    ------
    MissingDependency
        If there is none.
    """
    chosen = os.environ.get("HIP_CLANG")
    return named_compiler((chosen,) if chosen else _CLANGS, "hip", _ADVICE)


def _folders() -> list[Path]:
    """Where ROCm's headers may lie: ROCm itself, the triton wheel (which brings newer ones than Debian), /usr."""
    roots = [Path(p, "include") for p in (os.environ.get("ROCM_PATH"), "/opt/rocm") if p]
    spec = importlib.util.find_spec("triton")
    places = spec.submodule_search_locations if spec else None
    roots += [Path(place, "backends", "amd", "include") for place in places or ()]
    return [*roots, Path("/usr/include")]


# Machine code alone, as a file of its own, with the headers that Clang itself has for HIP.
DEVICE_FLAGS = (
    "-x", "hip", "-nogpuinc", "--cuda-device-only", "--no-gpu-bundle-output", "-include",
    "__clang_hip_runtime_wrapper.h",
)  # fmt: skip
_BITCODE = "amdgcn/bitcode"


@cache
def device_libraries(architecture: str) -> str:
    """The folder of ROCm's device libraries that know an architecture; empty: there is none."""
    roots = [Path(p) for p in (os.environ.get("ROCM_PATH"), "/opt/rocm") if p]
    known = f"oclc_isa_version_{architecture.removeprefix('gfx')}.bc"
    for folder in (*(root / _BITCODE for root in roots), *Path("/usr/lib").glob(f"*/{_BITCODE}")):
        if (folder / known).is_file() and (folder / "ockl.bc").is_file():
            return str(folder)
    return ""


def hip_runtime() -> str:
    """The library of HIP's runtime, which is its driver: ``$SAMEBYTES_HIP_DRIVER``, ROCm's, or the system's."""
    return os.environ.get(DRIVER_VARIABLE) or rocm_library("libamdhip64.so")


@cache
def rocm_headers() -> tuple[str, str]:
    """The directory of ROCm's headers, and their version: ``ROCm 7.1.25424``.

    Raises
    ------
    MissingDependency
        If there are none with half precision, which samebytes needs; triton's wheels 3.3 to 3.5 have it.
    """
    for folder in _folders():
        version = folder / "hip" / "hip_version.h"
        if version.is_file() and (folder / "hip" / "hip_fp16.h").is_file():
            numbers = re.findall(r"define HIP_VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)", version.read_text())
            return str(folder), f"ROCm {'.'.join(numbers)}"
    raise MissingDependency(
        "ROCm's headers were not found: install ROCm or Debian's libamdhip64-dev (PyPI's triton 3.3 to 3.5 has "
        "them too)"
    )
