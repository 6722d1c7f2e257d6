"""DPC++'s run-time compiler as a judge of SYCL's device code, through a small program of ours; a CPU will do."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from ...errors import CompileError, MissingDependency
from ...toolchain.cache import Inputs, default_cache
from ...toolchain.compilers import find_compiler
from ...toolchain.sycl import sycl_headers, sycl_runtime
from .base import INCLUDE, Judge, Outcome

_PROGRAM = Path(__file__).with_suffix(".cpp")
_OPTIONS = ("-ferror-limit=0", "-Wno-invalid-offsetof", f"-I{INCLUDE}")
# Without a kernel there is nothing to compile for the device.
_KERNEL = """
#include <sycl/sycl.hpp>
extern "C" SYCL_EXTERNAL
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void samebytes_kernel(int* out) { *out = 1; }
"""


@cache
def _program() -> str:
    compiler, (include, version), (libraries, _) = find_compiler("c++"), sycl_headers(), sycl_runtime()

    def build(folder: Path) -> Inputs:
        command = [
            *compiler.command, "-std=c++17", "-w", f"-I{include}", str(_PROGRAM), "-o", str(folder / "judge"),
            f"-L{libraries}", "-lsycl",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise CompileError(f"the judge of SYCL was refused:\n{done.stderr}", done.stderr, command)
        return Inputs((str(_PROGRAM),))

    request = {"judge": "sycl_device", "compiler": compiler.identity, "headers": [include, version]}
    return str(default_cache().get(request, build).file("judge"))


def _run(text: str) -> Outcome:
    environment = {**os.environ, **sycl_runtime()[1], "LC_ALL": "C"}
    done = subprocess.run(
        [_program(), *_OPTIONS], input=text + _KERNEL, capture_output=True, text=True, errors="replace",
        env=environment, check=False,
    )  # fmt: skip
    return Outcome(done.returncode == 0, done.stderr + done.stdout, f"{_program()} {' '.join(_OPTIONS)}")


@cache
def _find() -> str:
    found = _run("")
    if not found.ok:
        raise MissingDependency(f"DPC++'s run-time compiler does not work here: {found.output.strip()}")
    return f"{sycl_headers()[1]}, run-time compiler of device code"


JUDGE = Judge("sycl_device", ("sycl",), _find, _run)
