"""Finds DPC++ without its compiler: the headers of SYCL, and the runtime that compiles device code."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path

from ..errors import MissingDependency

_ADVICE = "pip install 'samebytes[sycl]' (DPC++'s headers and runtime, no GPU needed)"


def _prefixes() -> list[Path]:
    places = (os.environ.get("CMPLR_ROOT"), sys.prefix, "/opt/intel/oneapi/compiler/latest")
    return [Path(place) for place in places if place]


@cache
def sycl_headers() -> tuple[str, str]:
    """The directory of DPC++'s headers, and their version: ``DPC++ 20260930``.

    Raises
    ------
    MissingDependency
        If there are none.
    """
    for prefix in _prefixes():
        version = prefix / "include" / "sycl" / "version.hpp"
        if version.is_file():
            match = re.search(r"__SYCL_COMPILER_VERSION\s+(\d+)", version.read_text())
            return str(prefix / "include"), f"DPC++ {match[1] if match else '(unknown version)'}"
    raise MissingDependency(f"DPC++'s headers were not found: {_ADVICE}")


@cache
def sycl_runtime() -> tuple[str, dict[str, str]]:
    """The directory of DPC++'s libraries with its run-time compiler, and the environment that it needs.

    Where there is Intel's OpenCL for CPUs beside it, that is the device; else whatever the machine has.

    Raises
    ------
    MissingDependency
        If there is no run-time compiler.
    """
    for prefix in _prefixes():
        folder = prefix / "lib"
        if (folder / "libsycl-jit.so").is_file() and (folder / "libsycl.so").is_file():
            environment = {"LD_LIBRARY_PATH": f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
            cpu = folder / "libintelocl.so"
            if cpu.is_file():
                environment["OCL_ICD_FILENAMES"] = str(cpu)
            return str(folder), environment
    raise MissingDependency(f"DPC++'s run-time compiler was not found: {_ADVICE}")
