"""What this machine has for samebytes, and what each missing part would add."""

from __future__ import annotations

import ctypes.util
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..errors import Error
from ..frozen import frozen
from ..read.clang.choosing import on_the_system
from ..read.clang.libclang import cindex, index
from ..read.clang.libclang import version as version_of_libclang
from ..toolchain.compilers import find_compiler
from ..toolchain.cuda import find_nvrtc
from ..toolchain.rocm import find_hip_clang, rocm_headers
from ..toolchain.sycl import sycl_headers, sycl_runtime


@frozen
class Check:
    """One part of the machine.

    Attributes
    ----------
    group, name : str
        Where it stands in the report.
    find : callable
        What was found, in words, or None.
    missing : str
        One sentence: what it would add, and what to install.
    required : bool
        Whether samebytes cannot do its main job without it.
    """

    group: str
    name: str
    find: Callable[[], str | None]
    missing: str
    required: bool = False


def _program(name: str, *arguments: str) -> str | None:
    """The last line that says a version, or the only line, of a program's output."""
    path = shutil.which(name)
    if path is None:
        return None
    try:
        done = subprocess.run(
            [path, *(arguments or ("--version",))], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode or not lines:
        return None
    return next((line for line in lines if "release" in line), lines[0])


def _package(*names: str) -> str | None:
    for name in names:
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
    return None


def _library(*names: str) -> str | None:
    return next(filter(None, map(ctypes.util.find_library, names)), None)


def _told(find: Callable[[], str]) -> str | None:
    """What a finder of the toolchain says; None where it says what to install."""
    try:
        return find()
    except (Error, OSError):
        return None


def _core() -> str | None:
    try:
        core = import_module("samebytes._native")
    except ImportError:
        return None
    return Path(core.__file__ or "").name


def _parser() -> str | None:
    try:
        index()
        found = f"libclang {version_of_libclang()}"
    except Exception:  # clang.cindex raises its own LibclangError, which is no ImportError
        return None
    file = cindex().Config.library_file
    others = ", ".join(str(number) for number in on_the_system())
    return f"{found} ({file or 'its package'})" + (f"; the system has {others}" if others else "")


def _nodes(folder: str, pattern: str) -> str | None:
    found = sorted(path.name for path in Path(folder).glob(pattern))
    return ", ".join(found) or None


def _amd() -> str | None:
    return _program("rocminfo") or ("/dev/kfd" if Path("/dev/kfd").exists() else None)


CHECKS = (
    Check("samebytes itself", "compiled core", _core,
          "Every call needs it: pip install --force-reinstall samebytes.", True),
    Check("samebytes itself", "NumPy", partial(_package, "numpy"),
          "Arrays and scalars: pip install numpy.", True),
    Check("samebytes itself", "ml_dtypes", partial(_package, "ml_dtypes"),
          "bfloat16 and the 8-bit floats: pip install ml_dtypes.", True),
    Check("samebytes itself", "libclang", _parser,
          "It reads signatures out of C++: pip install libclang, or apt install libclang1-19.", True),
    Check("samebytes itself", "Capstone", partial(_package, "capstone"),
          "It reads code, so that calls of short functions keep the GIL, which costs less: pip install capstone."),
    Check("samebytes itself", "C++ compiler", partial(_told, lambda: find_compiler("c++").described),
          "It builds what you bind: apt install g++, or pip install 'samebytes[compiler]'.", True),
    Check("other C++ compilers", "g++", partial(_program, "g++"),
          "The usual compiler of Linux: apt install g++."),
    Check("other C++ compilers", "clang++", partial(_program, "clang++"),
          "A second compiler to build with, through CXX=clang++: apt install clang."),
    Check("other C++ compilers", "zig c++", partial(_package, "ziglang"),
          "A whole compiler without a system one: pip install 'samebytes[compiler]'."),
    Check("array libraries", "PyTorch", partial(_package, "torch"),
          "Its tensors as arguments, without copies: pip install torch."),
    Check("array libraries", "JAX", partial(_package, "jax"),
          "Its arrays as read-only arguments, without copies: pip install jax."),
    Check("array libraries", "PyArrow", partial(_package, "pyarrow"),
          "Its buffers and arrays as arguments, without copies: pip install pyarrow."),
    Check("Numba", "Numba", partial(_package, "numba"),
          "What you bind in code that Numba compiles: pip install 'samebytes[numba]'."),
    Check("Numba", "numba-cuda", partial(_package, "numba-cuda"),
          "What you bind in CUDA kernels that Numba compiles: pip install 'samebytes[numba-cuda]'."),
    Check("CUDA", "NVRTC", partial(_told, lambda: find_nvrtc().version),
          "It proves CUDA layouts and compiles C++ for kernels, without a GPU: pip install 'samebytes[cuda]'."),
    Check("CUDA", "nvcc", partial(_program, "nvcc"),
          "It proves CUDA layouts once more: install NVIDIA's CUDA toolkit."),
    Check("CUDA", "cuda.core", partial(_package, "cuda-core"),
          "It allocates CUDA memory, sb.DeviceArray.empty(n, device='cuda:0'): pip install cuda-core."),
    Check("CUDA", "CuPy", partial(_package, "cupy-cuda13x", "cupy-cuda12x", "cupy"),
          "Its arrays, without copies: pip install cupy-cuda13x."),
    Check("CUDA", "driver", partial(_library, "cuda"),
          "Without it there is no CUDA memory, and no kernel runs: install NVIDIA's driver."),
    Check("CUDA", "GPU", partial(_program, "nvidia-smi", "-L"),
          "None is seen: nvidia-smi, which comes with the driver, would show it."),
    Check("HIP", "Clang", partial(_told, lambda: find_hip_clang().version),
          "It proves HIP layouts, without a GPU: apt install clang-19."),
    Check("HIP", "headers", partial(_told, lambda: rocm_headers()[1]),
          "ROCm's own types and C APIs: install AMD's ROCm, or apt install libamdhip64-dev."),
    Check("HIP", "runtime", partial(_library, "amdhip64"),
          "HIP's functions, sb.bind('hip/hip_runtime_api.h'): install AMD's ROCm, or apt install libamdhip64-5."),
    Check("HIP", "HIP Python", partial(_package, "hip-python"),
          "It allocates HIP memory, sb.DeviceArray.empty(n, device='hip:0'): pip install hip-python."),
    Check("HIP", "GPU", _amd,
          "None is seen: AMD's driver would show it as /dev/kfd."),
    Check("SYCL", "headers", partial(_told, lambda: sycl_headers()[1]),
          "DPC++'s own types, whose layouts a compiler proves: pip install 'samebytes[sycl]'."),
    Check("SYCL", "runtime", partial(_told, lambda: sycl_runtime()[0]),
          "It proves SYCL layouts on a device, on a CPU too: pip install 'samebytes[sycl]'."),
    Check("SYCL", "dpctl", partial(_package, "dpctl"),
          "Its queues, and USM memory, sb.DeviceArray.empty(n, device='sycl'): pip install dpctl."),
    Check("SYCL", "dpnp", partial(_package, "dpnp"),
          "Its arrays in USM memory, without copies: pip install dpnp."),
    Check("SYCL", "GPU", partial(_nodes, "/dev/dri", "renderD*"),
          "None is seen: its driver would show it as /dev/dri/renderD128."),
)  # fmt: skip

MARKS = {(True, True): "[green]yes[/]", (True, False): "[green]yes[/]",
         (False, True): "[red]NEEDED[/]", (False, False): "[dim]no[/]"}  # fmt: skip


def facts(checks: Sequence[Check] = CHECKS) -> dict[str, Any]:
    """The report as plain facts: versions, and each part with what was found of it."""
    parts = [
        {
            "group": c.group, "name": c.name, "found": c.find(), "missing": c.missing, "required": c.required,
        }
        for c in checks
    ]  # fmt: skip
    return {
        "samebytes": version("samebytes"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "parts": parts,
    }


def complete(found: Mapping[str, Any]) -> bool:
    """Whether everything required is among the facts."""
    return all(part["found"] is not None or not part["required"] for part in found["parts"])


def examine(console: Console, checks: Sequence[Check] = CHECKS) -> bool:
    """Print the report.

    Returns
    -------
    bool
        Whether everything required was found.
    """
    found = facts(checks)
    heading = f"samebytes {found['samebytes']}, Python {found['python']}, {found['platform']}"
    table = Table(title=heading, title_justify="left", title_style="bold")
    table.add_column("part")
    table.add_column("found", justify="center")
    table.add_column("what it is, or what it would add")
    for group, members in groupby(found["parts"], key=itemgetter("group")):
        table.add_section()
        table.add_row(f"[bold]{group}[/]")
        for part in members:
            there = part["found"] is not None
            words = escape(part["found"]) if there else f"[dim]{escape(part['missing'])}[/]"
            table.add_row(f"  {part['name']}", MARKS[there, part["required"]], words)
    console.print(table)
    whole = complete(found)
    console.print("All that is needed is here." if whole else "[red]Something that is needed is missing.[/]")
    return whole
