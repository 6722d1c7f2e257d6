"""DPC++'s run-time compiler of device code: from SYCL C++ to SPIR-V, in a program of its own, whose end is not ours."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import CompileError
from ..frozen import frozen
from .cache import Inputs, default_cache
from .compilers import find_compiler
from .sycl import sycl_headers, sycl_runtime

_PROGRAM = Path(__file__).with_name("sycl_compiler.cpp")
_CRASHED = (
    "the compiler itself has crashed; it knows no dynamic scratch memory, for one (local_accessor is taken)"
)


@frozen
class SyclOutput:
    """What the compiler said, and the modules that it made: kernels that need the same of a device share one."""

    ok: bool
    log: str
    modules: tuple[bytes, ...] = ()


@cache
def _program() -> str:
    compiler, (include, version), (libraries, _) = find_compiler("c++"), sycl_headers(), sycl_runtime()

    def build(folder: Path) -> Inputs:
        command = [
            *compiler.command, "-std=c++17", "-w", f"-I{include}", str(_PROGRAM), "-o", str(folder / "compiler"),
            f"-L{libraries}", "-lsycl",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise CompileError(f"DPC++'s headers were refused:\n{done.stderr}", done.stderr, command)
        return Inputs((str(_PROGRAM),))

    request = {"program": "sycl_compiler", "compiler": compiler.identity, "headers": [include, version]}
    return str(default_cache().get(request, build).file("compiler"))


def compile_sycl(text: str, options: Sequence[str]) -> SyclOutput:
    """The device code of a unit.

    Raises
    ------
    MissingDependency
        If DPC++'s headers or its runtime are not there.
    """
    with tempfile.TemporaryDirectory() as folder:
        # The runtime writes each module that it loads into the folder in which it runs.
        environment = {**os.environ, **sycl_runtime()[1], "SYCL_DUMP_IMAGES": "1", "LC_ALL": "C"}
        done = subprocess.run(
            [_program(), *options], input=text, capture_output=True, text=True, errors="replace", env=environment,
            cwd=folder, check=False,
        )  # fmt: skip
        files = sorted(Path(folder).glob("*.spv"))
        log = done.stderr + done.stdout
        if done.returncode:
            return SyclOutput(False, f"{log}{_CRASHED}" if done.returncode not in (1, 2) else log)
        return SyclOutput(True, log, tuple(file.read_bytes() for file in files))
