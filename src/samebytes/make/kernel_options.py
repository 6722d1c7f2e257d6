"""What options mean for kernels: those that nothing would heed are refused, and the flags are NVRTC's."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..errors import BindError
from ..forks import importing
from ..toolchain import ptx
from ..toolchain.amd_code import amd_code
from ..toolchain.cuda import find_nvrtc
from ..toolchain.fatbin import chosen_code, fatbin_code, is_fatbin
from ..toolchain.flags import each_flag
from ..toolchain.kernel_metadata import code_architecture
from .request import Request

_ONE_UNIT = "kernels are one source, which is linked with nothing: #include what else they call"
_NO_OUTPUTS = "a kernel writes to the arrays that it is given"
_C_API = "it is for C headers"
# What a request may hold that a build of kernels does not ask for: the attribute, the option, and why.
_UNUSED = (
    ("sources", "sources", _ONE_UNIT),
    ("libraries", "libraries", _ONE_UNIT),
    ("library_dirs", "library_dirs", _ONE_UNIT),
    ("sanitize", "sanitize", "sanitizers of kernels are run on the whole program"),
    ("intents", "arg_intent", _NO_OUTPUTS),
    ("owns", "owns", _NO_OUTPUTS),
    ("keeps", "keeps", _NO_OUTPUTS),
    ("counts", "counts", "pointers of structs are the device's own, and are read there"),
    ("style", "style", _C_API),
    ("allocations", "allocations", _C_API),
    ("texts", "texts", _C_API),
    ("unchecked", "unchecked_formats", _C_API),
    ("pythonic", "Pythonize", "structs of kernels have no methods in Python"),
)
# What is for functions of the host, where nvcc compiles these with the kernels.
OF_HOST = ("libraries", "library_dirs", "intents")
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
_REFUSED = {"hip": _HIP_REFUSED, "cuda": _CUDA_REFUSED, "sycl": _SYCL_REFUSED}
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
    """The request with flags as NVRTC takes them, each one word.

    Raises
    ------
    BindError
        If something was asked for that kernels do not have.
    """
    asked = f"dialect={request.dialect!r}"
    if request.language == "c":
        raise BindError(f"language='c' is not for {asked}: kernels are C++")
    for attribute, option, why in _UNUSED:
        if getattr(request, attribute) and not (attribute in OF_HOST and _has_functions(request)):
            raise BindError(f"{option}= is not for {asked}: {why}")
    words = tuple(_one_word(flag) for flag in each_flag(iter(request.flags)))
    for word in words:
        for pattern, why in _REFUSED[request.dialect]:
            if pattern.match(word):
                raise BindError(f"flags=[{word!r}] is not for {asked}: {why}")
    if request.library is not None:
        request = replace(request, library=_code_file(request.library, request.dialect))
    return replace(request, flags=words)


def _has_functions(request: Request) -> bool:
    """Whether a source has functions of the host, which more can be said of."""
    with importing:  # few sources have
        from .host_launches import is_for_nvcc
    return is_for_nvcc(request)


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
