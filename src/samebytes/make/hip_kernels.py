"""Kernels of HIP: what of a source is bound, and how Clang makes machine code of it for one of AMD's devices."""

from __future__ import annotations

import os
from pathlib import Path

from ..emit.shims.hip import GENERATOR
from ..errors import CompileError
from ..model.module import Module
from ..read.header import read_header
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.headers import INCLUDE
from ..toolchain.kernel_metadata import variable_sizes
from ..toolchain.rocm import DEVICE_FLAGS, device_libraries, find_hip_clang, rocm_headers
from ..toolchain.running import run
from .files import HSACO
from .kernels import bound_kernels, check_shared, defined_kernels
from .request import Request
from .units import prologue

PARSER, DEVICE = "samebytes/hip_parser.hpp", "samebytes/hip_device.hpp"
_AMD = "-D__HIP_PLATFORM_AMD__=1"
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
    include, _ = rocm_headers()
    flags = (
        f"-std={_standard(request)}", _AMD, "-include", os.path.join(INCLUDE, PARSER),
        *(f"-D{d}" for d in request.defines), *request.flags,
    )  # fmt: skip
    module = read_header(
        main, language="c++", flags=flags, include_dirs=request.includes(),
        system_includes=(*system_includes(find_compiler("c++"), request.flags), include),
        expose=request.expose, only=request.curation.files, dialect="hip", instances=request.instances,
        alone=request.alone, kernels=True,
    )  # fmt: skip
    return bound_kernels(module, "hip")


def _standard(request: Request) -> str:
    return (request.std or "c++17").replace("gnu++", "c++")


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
    text = GENERATOR.emit(module, prologue(request, main, module))
    (work / "samebytes.hip").write_text(text)
    clang, (include, _), found = find_hip_clang(), rocm_headers(), device_libraries(request.arch)
    beside = (os.path.dirname(request.main),) if request.main else ()
    includes = (str(work), *beside, *request.includes(), str(INCLUDE))
    # Saying what Clang searches anyway would change its order.
    headers = () if include == "/usr/include" else ("-isystem", include)
    libraries = (f"--rocm-device-lib-path={found}",) if found else ("-nogpulib",)
    own = () if found else ("-include", os.path.join(INCLUDE, DEVICE))
    command = (
        *clang.command, *DEVICE_FLAGS, f"-std={_standard(request)}", f"--offload-arch={request.arch}", *libraries,
        "-O3", "-w", "-DNDEBUG", _AMD, *headers, "-include", "hip/hip_runtime.h", *own, *request.flags,
        *(f"-I{path}" for path in includes), "samebytes.hip", "-o", HSACO,
    )  # fmt: skip
    done = run(command, cwd=work)
    if done.returncode:
        said = done.stdout + done.stderr
        advice = _NO_LIBRARY if not found and "undefined hidden symbol: __o" in said else ""
        raise CompileError(f"HIP's compiler refused the source:\n{said}{advice}", said, command)
    code = (work / HSACO).read_bytes()
    check_shared(request, variable_sizes(code))
    return defined_kernels(module, code), []
