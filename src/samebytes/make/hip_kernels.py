"""Kernels of HIP: what of a source is bound, and how Clang makes machine code of it for one of AMD's devices."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..emit.shims.hip import GENERATOR
from ..errors import CompileError
from ..model.module import Module
from ..toolchain.amd_code import amd_code
from ..toolchain.headers import INCLUDE
from ..toolchain.hiprtc import Hiprtc, find_hiprtc
from ..toolchain.kernel_metadata import variable_sizes
from ..toolchain.rocm import DEVICE_FLAGS, device_libraries, find_hip_clang, rocm_headers
from ..toolchain.running import run
from .files import HSACO
from .kernel_options import check_hip_architecture
from .kernel_sources import read_source, searched, standard
from .kernels import bound_kernels, check_shared, defined_kernels
from .request import Request
from .units import prologue

PARSER, DEVICE = "samebytes/hip_parser.hpp", "samebytes/hip_device.hpp"
_AMD = "-D__HIP_PLATFORM_AMD__=1"
SOURCE = "samebytes.hip"
_ABSENT = re.compile(r"'[^']+' file not found")
_NO_HOST = (
    "\nHIP's run-time compiler has no headers of the host: $HIP_CLANG names a Clang, which has them, and "
    "include_dirs= names others"
)
_NO_LIBRARY = (
    "\nROCm's device libraries, which have that function, were not found for this architecture: install ROCm, or "
    "Debian's rocm-device-libs"
)


def read_hip_kernels(request: Request, main: Path) -> Module:
    """The kernels of a source, the variables of the device and what they are made of.

    Raises
    ------
    MissingDependency
        If HIP's headers are not installed.
    BindError
        If the source cannot be read.
    """
    module = read_source(request, main, PARSER, rocm_headers()[0], [_AMD])
    return bound_kernels(module, "hip")


def compile_hip_kernels(
    request: Request, main: Path, module: Module, library: Path
) -> tuple[Module, list[str]]:
    """Write machine code beside ``library``; the source's own unit asserts what was read of it.

    Raises
    ------
    CompileError
        With the compiler's own words and the lines of the source.
    """
    work = library.parent
    if request.library is not None:
        return _of_file(request, main, module, work)
    text = _written(request, main, module, work)
    if (hiprtc := find_hiprtc()) is None:
        _run(request, work, "-O3", "-o", HSACO)
    else:
        (work / HSACO).write_bytes(_by_hiprtc(hiprtc, request, text, work))
    code = (work / HSACO).read_bytes()
    check_shared(request, module, variable_sizes(code))
    return defined_kernels(module, code), []


def _of_file(request: Request, main: Path, module: Module, work: Path) -> tuple[Module, list[str]]:
    """Keep code that others compiled; Clang proves what was read of its header, of which no code is made."""
    file = Path(request.library or "")
    code = amd_code(file.read_bytes())[check_hip_architecture(request.arch)]
    module = defined_kernels(module, code)
    text = _written(request, main, module, work)
    if (hiprtc := find_hiprtc()) is None:
        _run(request, work, "-fsyntax-only")  # nothing is linked: what the header only declares, the file has
    else:
        _by_hiprtc(hiprtc, request, text, work)
    (work / HSACO).write_bytes(code)
    return module, [str(file)]


def _written(request: Request, main: Path, module: Module, work: Path) -> str:
    """The source and its proofs, which a file has, too."""
    text = GENERATOR.emit(module, prologue(request, main, module))
    (work / SOURCE).write_text(text)
    return text


def _by_hiprtc(hiprtc: Hiprtc, request: Request, text: str, work: Path) -> bytes:
    """What the run-time compiler makes of the source and its proofs."""
    options = (
        f"--offload-arch={request.arch}", f"-std={standard(request)}", "-O3", "-w", "-DNDEBUG", *request.flags,
        *searched(request, work), f"-I{rocm_headers()[0]}",
    )  # fmt: skip
    done = hiprtc.compile(text, options, SOURCE)
    if not done.ok:
        advice = _NO_HOST if _ABSENT.search(done.log) else ""
        words = f"HIP's compiler refused the source:\n{done.log}{advice}"
        raise CompileError(words, done.log, ("hiprtc", *options))
    found = amd_code(done.code)
    architecture = check_hip_architecture(request.arch)
    if architecture not in found:
        made = ", ".join(found) or "nothing that is known here"
        raise CompileError(f"HIP's run-time compiler made code for {made}, not for {architecture}", done.log)
    return found[architecture]


def _run(request: Request, work: Path, *more: str) -> None:
    """Let Clang compile the source and its proofs."""
    clang, (include, _), found = find_hip_clang(), rocm_headers(), device_libraries(request.arch)
    # Saying what Clang searches anyway would change its order.
    headers = () if include == "/usr/include" else ("-isystem", include)
    libraries = (f"--rocm-device-lib-path={found}",) if found else ("-nogpulib",)
    own = () if found else ("-include", os.path.join(INCLUDE, DEVICE))
    command = (
        *clang.command, *DEVICE_FLAGS, f"-std={standard(request)}", f"--offload-arch={request.arch}", *libraries,
        "-w", "-DNDEBUG", _AMD, *headers, "-include", "hip/hip_runtime.h", *own, *request.flags,
        *searched(request, work), SOURCE, *more,
    )  # fmt: skip
    done = run(command, cwd=work)
    if done.returncode:
        said = done.stdout + done.stderr
        advice = _NO_LIBRARY if not found and "undefined hidden symbol: __o" in said else ""
        raise CompileError(f"HIP's compiler refused the source:\n{said}{advice}", said, command)
