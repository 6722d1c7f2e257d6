"""What options mean for kernels: their flags, their architecture, and files of code that others compiled."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..errors import BindError
from ..toolchain import ptx
from ..toolchain.amd_code import amd_code
from ..toolchain.cuda import find_nvrtc
from ..toolchain.fatbin import chosen_code, fatbin_code, is_fatbin
from ..toolchain.flags import each_flag
from ..toolchain.kernel_metadata import code_architecture
from .applicability import CALLERS
from .host_launches import has_host_functions
from .request import Request

# Flags that are options of ours, or make something else than machine code for one device.
_STANDARD = re.compile(r"-?-std\b"), "std='c++20' says it"
_CUDA_REFUSED = (
    (re.compile(r"-arch\b|--gpu-architecture\b|--gpu-code\b|-code\b"), "arch='sm_90' says it"),
    _STANDARD,
    (re.compile(r"-dlto\b|-?-dlink-time-opt|-ltoir\b|-rdc=t|-dc\b|--relocatable-device-code=t|--device-c\b"),
     "a kernel is compiled to machine code, and linked with nothing"),
    (re.compile(r"-?-optix-ir|-?-pch|-?-create-pch|-?-use-pch|-?-keep\b|-o\b"), "it makes other files"),
)  # fmt: skip
_SYCL_REFUSED = (
    _STANDARD,
    (re.compile(r"-fsycl-targets|-Xs\b|-Xsycl"), "kernels are kept as SPIR-V, which each device compiles"),
    (re.compile(r"-o\b|-c\b|-S\b|-E\b|-l"), "a kernel is compiled alone, and linked with nothing"),
)  # fmt: skip
_HIP_REFUSED = (
    (re.compile(r"--offload-arch|--cuda-gpu-arch|-mcpu\b"), "arch='gfx90a' says it"),
    _STANDARD,
    (re.compile(r"-fgpu-rdc|-x\b"), "a kernel is compiled to machine code, and linked with nothing"),
    (re.compile(r"-o\b|-c\b|-S\b|-E\b|-l|--cuda-|--save-temps|-save-temps"), "it makes other files"),
)  # fmt: skip
_NUMBA_CUDA_REFUSED = (
    _STANDARD,
    (re.compile(r"(?!-[DUI]|-include)"),
     "cuda.jit says how kernels are compiled (fastmath=, lineinfo=, max_registers=); what a header means, -D, -U, -I "
     "and -include say"),
)  # fmt: skip
_REFUSED = {
    "hip": _HIP_REFUSED, "cuda": _CUDA_REFUSED, "sycl": _SYCL_REFUSED, "numba_cuda": _NUMBA_CUDA_REFUSED
}  # fmt: skip
_JOINED = frozenset({"-D", "-U", "-I", "-include", "-isystem"})
_ARCHITECTURE = re.compile(r"sm_(\d+)(\d)[af]?")


def capability(architecture: str) -> tuple[int, int]:
    """The compute capability of ``sm_90``, ``sm_100a``.

    Raises
    ------
    BindError
        If it is none.
    """
    found = _ARCHITECTURE.fullmatch(architecture)
    if found is None:
        raise BindError(f"arch is the name of an architecture, 'sm_90', got {architecture!r}")
    return int(found[1]), int(found[2])


def check_hip_architecture(architecture: str) -> str:
    """The name of one of AMD's architectures, without the features that a device has beside (``gfx90a:xnack-``).

    Raises
    ------
    BindError
        If it is none.
    """
    found = re.fullmatch(r"(gfx[0-9a-f]{3,5})(?::\S+)?", architecture)
    if found is None:
        raise BindError(f"arch is the name of an architecture, 'gfx90a', got {architecture!r}")
    return found[1]


def checked_for_kernels(request: Request) -> Request:
    """The request for kernels, with flags as their compiler takes them, and the file of their code.

    Raises
    ------
    BindError
        If a flag is none of theirs, or the file does not exist.
    """
    request = with_checked_flags(request, request.dialect)
    if request.library is not None:
        request = replace(request, library=_code_file(request.library, request.dialect))
    return request


def with_checked_flags(request: Request, caller: str) -> Request:
    """The request with the flags of a caller's compiler, each one word.

    Raises
    ------
    BindError
        If nothing would heed one.
    """
    words = tuple(_one_word(flag) for flag in each_flag(iter(request.flags)))
    for word in words:
        for pattern, why in _REFUSED[caller]:
            if pattern.match(word):
                raise BindError(f"flags=[{word!r}] is not for {CALLERS[caller]}: {why}")
    return replace(request, flags=words)


def is_for_nvcc(request: Request) -> bool:
    """Whether a source launches by ``<<<>>>``, and nvcc is there for it."""
    if request.dialect != "cuda" or request.library is not None or request.portable:
        return False
    return has_host_functions(request.source, request.main)


def file_architecture(file: str, asked: str | None, device: Callable[[], str]) -> str:
    """The architecture for which a file of kernels was compiled, which must be the one that is asked for, if any is.

    Of a fat binary it is that which is asked for, else that of the device in use: some of its code must run there.

    Raises
    ------
    BindError
        If the file is none of kernels, or for another architecture.
    """
    data = Path(file).read_bytes()
    if is_fatbin(data):
        return _checked_fatbin(file, data, asked or device())
    found = code_architecture(data)
    if not found:
        raise BindError(
            f"library={file!r} is neither a cubin nor PTX nor a fat binary; cuobjdump -xelf all takes "
            "cubins out of others"
        )
    if asked is not None and asked.rstrip("af") != found.rstrip("af"):
        raise BindError(f"arch={asked!r}: {file} was compiled for {found}")
    return asked or found


def _checked_fatbin(file: str, data: bytes, architecture: str) -> str:
    capability(architecture)
    images = fatbin_code(data)
    if not chosen_code(images, architecture):
        held = (
            ", ".join(f"{name}{' (PTX)' if ptx.is_ptx(code) else ''}" for name, code in images) or "no device"
        )
        raise BindError(f"{file} holds code for {held}, none of which runs on {architecture}")
    return architecture


def hip_file_architecture(file: str, asked: str | None) -> str:
    """The same of a code object for one of AMD's devices, or of Clang's bundle of several.

    Raises
    ------
    BindError
        As :func:`file_architecture`.
    """
    found = amd_code(Path(file).read_bytes())
    if not found:
        raise BindError(f"library={file!r} is neither a code object for AMD's devices nor a bundle of them")
    listed = ", ".join(found)
    if asked is None:
        if len(found) > 1:
            raise BindError(f"{file} holds code for {listed}: arch= says for which device")
        return next(iter(found))
    if check_hip_architecture(asked) not in found:
        raise BindError(f"arch={asked!r}: {file} was compiled for {listed}")
    return asked


def _code_file(library: str, dialect: str) -> str:
    path = os.path.abspath(library)
    if not os.path.isfile(path):
        raise BindError(f"library: {path} does not exist; kernels are {_WHERE[dialect]}")
    return path


_WHERE = {
    "cuda": "in a cubin or in PTX, or in a fat binary of them",
    "hip": "in a code object, .hsaco, or a bundle of them",
    "sycl": "in SPIR-V",
}


def _one_word(flag: tuple[str, ...]) -> str:
    return "".join(flag) if flag[0] in _JOINED else " ".join(flag)


def check_architecture(architecture: str) -> tuple[int, int]:
    """The compute capability, which NVRTC compiles for.

    Raises
    ------
    BindError
        If it does not; the message lists what it does.
    """
    major, minor = capability(architecture)
    nvrtc = find_nvrtc()
    known = nvrtc.capabilities
    if 10 * major + minor not in known:
        listed = ", ".join(f"sm_{number}" for number in known)
        raise BindError(
            f"arch={architecture!r}: {nvrtc.version} compiles for {listed}; another version of NVRTC may for others"
        )
    return major, minor
