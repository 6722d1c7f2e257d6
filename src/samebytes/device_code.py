"""The device code of a library: how its header is read as CUDA C++, and how NVRTC compiles its shims."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from . import headers
from .compiling import prologue
from .errors import CompileError
from .generate.shims import GENERATORS
from .generate.shims.direct import DEVICE_DIRECT
from .headers.model import Module, Skipped
from .request import INCLUDE, Request
from .signature import Location, Signature
from .toolchain import default_cache, find_nvrtc
from .toolchain.cache import Inputs, digest, file_digest

PARSER = "samebytes/cuda_parser.hpp"
SHIMS = "shims.cu"
# Where proofs are made; kernels are linked with code for their own architecture.
_PROOF = (8, 0)
_SHIM = re.compile(r"\bsamebytes_[fd](\d+)_\d+\(")
_PLACE = re.compile(r"^source\.cu\((\d+)\):", re.MULTILINE)


def read_device(request: Request, main: Path) -> Module:
    """Read a header as device code.

    Raises
    ------
    MissingDependency
        If CUDA's headers are not installed.
    BindError
        If the header cannot be read.
    """
    nvrtc = find_nvrtc()
    major, _, minor = nvrtc.version.removeprefix("NVRTC ").partition(".")
    arch = f"{_PROOF[0]}{_PROOF[1]}0"
    macros = {
        "__CUDACC__": "1", "__CUDACC_RTC__": "1", "__EDG__": "1", "__CUDA_ARCH__": arch, "__CUDA_ARCH_LIST__": arch,
        "__CUDACC_VER_MAJOR__": major, "__CUDACC_VER_MINOR__": minor, "__CUDACC_VER_BUILD__": "0",
        "__CUDA_API_VER_MAJOR__": major, "__CUDA_API_VER_MINOR__": minor,
        "CUDART_VERSION": str(1000 * int(major) + 10 * int(minor)),
    }  # fmt: skip
    flags = (
        f"-std={_standard(request)}", *(f"-D{n}={v}" for n, v in macros.items()), "-U__GNUC__", "-U__clang__",
        "-include", str(INCLUDE / PARSER), *(f"-D{d}" for d in request.defines), *request.flags,
    )  # fmt: skip
    module = headers.read(
        main, language="c++", flags=flags, include_dirs=request.includes(), system_includes=nvrtc.includes,
        expose=request.expose, only=request.curation.files, dialect="cuda",
    )  # fmt: skip
    lost = tuple(
        Skipped(
            v.qualified,
            "variable",
            "a variable of the device has no address that the host knows",
            v.location or Location("", 0),
        )
        for v in module.variables
    )
    return replace(module, variables=(), skipped=(*module.skipped, *lost))


def _standard(request: Request) -> str:
    return (request.std or "c++17").replace("gnu++", "c++")


def options(request: Request, cc: tuple[int, ...], beside: Path) -> tuple[str, ...]:
    """NVRTC's options for a compute capability; ``beside`` holds source given as text."""
    includes = (str(beside), *((os.path.dirname(request.main),) if request.main else ()), *request.includes())
    return (
        f"-std={_standard(request)}", f"-arch=compute_{cc[0]}{cc[1]}", "-w", "-default-device", "-device-int128",
        "-DNDEBUG",
        *(f"-D{d}" for d in request.defines), *(f for f in request.flags if f.startswith(("-D", "-U", "-I"))),
        *(f"-I{d}" for d in includes),
    )  # fmt: skip


def compile_device(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """Write the shims beside ``library``, proven by NVRTC; the module is without the functions that it refused.

    Raises
    ------
    CompileError
        If it refuses what is no function's fault.
    """
    work = library.parent
    while True:
        text = _text(request, main, module)
        done = find_nvrtc().compile(text, options(request, _PROOF, work))
        if done.ok:
            (work / SHIMS).write_text(text)
            return module, []
        kept = _without_refused(module, text, done.log)
        if len(kept.functions) == len(module.functions):
            raise CompileError(f"CUDA's compiler refused the library:\n{done.log}", done.log, ("NVRTC",))
        module = kept


def _text(request: Request, main: Path, module: Module) -> str:
    text = GENERATORS["cuda"].emit(module, prologue(request, main, module))
    return "\n".join([text, DEVICE_DIRECT.emit(module), ""])


def _without_refused(module: Module, text: str, log: str) -> Module:
    """The module without the functions in whose shims the compiler found errors."""
    owner: dict[int, int] = {}
    current = -1
    for number, line in enumerate(text.splitlines(), 1):
        if (found := _SHIM.search(line)) and "SAMEBYTES_" in line:
            current = int(found[1])
        owner[number] = current
    reasons: dict[int, str] = {}
    for part in re.split(r"\n(?=\S+\(\d+\): )", log):
        if "error" not in part:
            continue
        for line_number in _PLACE.findall(part) or re.findall(r"at line (\d+)", part):
            index = owner.get(int(line_number), -1)
            if index >= 0:
                reasons.setdefault(
                    index, part.strip().splitlines()[0].partition("error: ")[2] or part.strip()
                )
    gone = [
        Skipped(
            _name(f), "function", f"CUDA's compiler refused it: {reasons[i]}", f.location or Location("", 0)
        )
        for i, f in enumerate(module.functions)
        if i in reasons
    ]
    rest = tuple(f for i, f in enumerate(module.functions) if i not in reasons)
    return replace(module, functions=rest, skipped=(*module.skipped, *gone))


def _name(signature: Signature) -> str:
    return f"{signature.qualified}({', '.join(p.spelling for p in signature.parameters)})"


def device_code(request: Request, shims: Path, cc: tuple[int, ...], *, lto: bool) -> bytes:
    """LTO-IR (or PTX text) of a library's shims for a compute capability, from the cache or made now.

    Raises
    ------
    CompileError
        If NVRTC refuses the shims for this architecture.
    """
    flags = (*options(request, cc, shims.parent), *(("-dlto",) if lto else ("-rdc=true",)))
    nvrtc = find_nvrtc()
    key = ["device code", nvrtc.version, file_digest(nvrtc.path), digest(shims.read_bytes()), flags]

    def make(work: Path) -> Inputs:
        done = nvrtc.compile(shims.read_text(), flags)
        if not done.ok:
            where = f"compute capability {cc[0]}.{cc[1]}"
            raise CompileError(
                f"CUDA's compiler refused the library for {where}:\n{done.log}", done.log, flags
            )
        (work / "code").write_bytes(done.ltoir if lto else done.ptx.encode())
        return Inputs(())

    return default_cache().get(key, make).file("code").read_bytes()
