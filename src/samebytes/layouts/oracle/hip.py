"""Clang's HIP as a judge: device pass, host pass, and the metadata by which a kernel receives its arguments.

It needs neither ROCm's compiler nor a GPU; types that ROCm's headers declare need those headers.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...errors import CompileError, MissingDependency
from ...toolchain.rocm import find_hip_clang, rocm_headers
from .base import INCLUDE, Judge, Outcome, run, run_in

_FLAGS = (
    "-x", "hip", "-std=c++17", "-nogpulib", "-nogpuinc", "--offload-arch=gfx90a", "-ferror-limit=0",
    "-Wno-invalid-offsetof", "-I", INCLUDE,
)  # fmt: skip
_ROCM = ("-include", "__clang_hip_runtime_wrapper.h", "-D__HIP_PLATFORM_AMD__=1")
_ARGUMENT = re.compile(r"^\s+(?:- )?\.(offset|size):\s+(\d+)$", re.MULTILINE)


def _command(text: str, *role: str) -> tuple[str, ...]:
    # Only a text that asks for them: without them Clang's own types are judged alone.
    headers: tuple[str, ...] = ()
    if re.search(r"#include <.*\bhip\b", text):
        folder = rocm_headers()[0]
        # Saying what Clang searches anyway would change its order.
        headers = (*_ROCM, *(("-isystem", folder) if folder != "/usr/include" else ()))
    return (*find_hip_clang().command, *_FLAGS, *headers, *role, "{source}")


def compile_role(text: str, role: str) -> Outcome:
    """Judge a text in the device's or the host's pass (``--cuda-device-only``, ``--cuda-host-only``)."""
    return run(text, ".hip", _command(text, role, "-fsyntax-only"))


def _arguments(preamble: str, spellings: Sequence[str]) -> list[tuple[int, int]]:
    parameters = ", ".join(f"{spelling} a{i}" for i, spelling in enumerate(spellings))
    text = f'{preamble}\nextern "C" __attribute__((global)) void samebytes_kernel({parameters}) {{}}\n'
    with tempfile.TemporaryDirectory(prefix="samebytes-") as folder:
        done = run_in(
            Path(folder), text, ".hip", (*_command(text, "--cuda-device-only", "-S"), "-o", "{output}")
        )
        if not done.ok:
            raise CompileError(f"Clang refused the kernel:\n{done.output}", done.output, (done.command,))
        assembly = Path(folder, "output").read_text()
    numbers = [int(number) for _, number in _ARGUMENT.findall(assembly.partition(".args:")[2])]
    # What follows the parameters are arguments that the compiler adds.
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    return pairs[: len(spellings)]


def find_role(role: str) -> str:
    """Clang's version, the pass, and the version of ROCm's headers if they are there."""
    try:
        headers = f", {rocm_headers()[1]}'s headers"
    except MissingDependency:
        headers = ""
    return f"{find_hip_clang().version}, {role} pass of HIP{headers}"


JUDGE = Judge(
    "hip",
    ("hip",),
    lambda: find_role("device"),
    lambda text: compile_role(text, "--cuda-device-only"),
    _arguments,
)
