"""Finds CUDA without a GPU: NVRTC and headers in PyPI's wheels or in a toolkit, and nvcc."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import MissingDependency
from ..frozen import frozen
from .compilers import Compiler, named_compiler

# Names the library of CUDA's driver, where it is not the system's own.
DRIVER_VARIABLE = "SAMEBYTES_CUDA_DRIVER"
_ADVICE = "pip install 'samebytes[cuda]' (NVRTC and CUDA's headers, no GPU needed)"


@frozen
class NvrtcOutput:
    """What one run of NVRTC gave: its log, and PTX text, LTO-IR or a cubin, empty if it refused the source."""

    ok: bool
    log: str
    ptx: str = ""
    ltoir: bytes = b""
    cubin: bytes = b""


@frozen(slots=False)
class Nvrtc:
    """NVIDIA's run-time compiler of device code.

    Attributes
    ----------
    path : str
        The library.
    includes : tuple of str
        Directories with CUDA's headers.
    """

    path: str
    includes: tuple[str, ...]

    @property
    def version(self) -> str:
        """``NVRTC 13.0``."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        _check(self, _library(self.path).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        return f"NVRTC {major.value}.{minor.value}"

    @property
    def capabilities(self) -> tuple[int, ...]:
        """The compute capabilities that it compiles for: ``90`` for ``sm_90``."""
        library, count = _library(self.path), ctypes.c_int()
        _check(self, library.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
        found = (ctypes.c_int * count.value)()
        _check(self, library.nvrtcGetSupportedArchs(found))
        return tuple(found)

    def compile(
        self, text: str, options: Sequence[str] = (), *, name: str = "source.cu", cubin: bool = False,
        wanted: Sequence[str] = (),
    ) -> NvrtcOutput:  # fmt: skip
        """Compile one source for devices; a refusal is told by ``ok``, worded by ``log``.

        To LTO-IR with ``-dlto``, and with ``cubin``, for an architecture like ``sm_90``, also to its machine code.
        ``name`` is the file's in messages; ``wanted`` are addresses of kernels, as C++ spells them, of which it makes
        code although nothing uses them: instantiations.
        """
        library, program = _library(self.path), ctypes.c_void_p()
        source = name.encode("utf-8", "surrogateescape")
        _check(
            self,
            library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), source, 0, None, None),
        )
        try:
            for address in wanted:
                _check(self, library.nvrtcAddNameExpression(program, address.encode()))
            flags = [option.encode() for option in (*options, *(f"-I{path}" for path in self.includes))]
            code = library.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
            log = _bytes(library, program, "nvrtcGetProgramLog").rstrip(b"\0").decode(errors="replace")
            if code:
                return NvrtcOutput(False, log)
            if "-dlto" in options:
                return NvrtcOutput(True, log, ltoir=_bytes(library, program, "nvrtcGetLTOIR"))
            ptx = _bytes(library, program, "nvrtcGetPTX").rstrip(b"\0").decode(errors="replace")
            made = _bytes(library, program, "nvrtcGetCUBIN") if cubin else b""
            return NvrtcOutput(True, log, ptx, cubin=made)
        finally:
            library.nvrtcDestroyProgram(ctypes.byref(program))


def _check(nvrtc: Nvrtc, code: int) -> None:
    if code:
        raise MissingDependency(f"{nvrtc.path} does not work (error {code}): {_ADVICE}")


def _bytes(library: ctypes.CDLL, program: ctypes.c_void_p, name: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(library, name + "Size")(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(max(size.value, 1))
    getattr(library, name)(program, buffer)
    return buffer.raw[: size.value]


@cache
def _library(path: str) -> ctypes.CDLL:
    # The builtins lie beside the library, where the loader does not look by itself.
    try:
        for builtins in sorted(Path(path).parent.glob("libnvrtc-builtins.so*")):
            ctypes.CDLL(str(builtins), ctypes.RTLD_GLOBAL)
        return ctypes.CDLL(path)
    except OSError as error:
        raise MissingDependency(f"{path} does not load ({error}): {_ADVICE}") from error


def _wheels() -> list[Path]:
    """The folders that NVIDIA's wheels share (13.x: one, 12.x: one for each wheel)."""
    spec = importlib.util.find_spec("nvidia")
    places = spec.submodule_search_locations if spec else None
    return sorted((f for place in places or () for f in Path(place).iterdir() if f.is_dir()), reverse=True)


def _toolkits() -> list[Path]:
    named = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    program = shutil.which("nvcc")
    beside = [str(Path(os.path.realpath(program)).parents[1])] if program else []
    return [Path(p) for p in (*filter(None, named), *beside, "/usr/local/cuda") if Path(p).is_dir()]


def _roots() -> list[Path]:
    return list(dict.fromkeys([*_wheels(), *_toolkits()]))


def _headers(roots: Sequence[Path]) -> tuple[str, ...]:
    """The include directories, the first ones that have each of what device code includes."""
    found: list[str] = []
    for wanted in ("cuda_fp8.h", "cuda/std/cstdint"):
        for root in roots:
            for folder in (root / "include", root / "include" / "cccl"):
                if (folder / wanted).is_file():
                    found.append(str(folder))
                    break
            else:
                continue
            break
    return tuple(dict.fromkeys(found))


def cuda_driver() -> str:
    """The library of CUDA's driver, as the dynamic linker takes it."""
    return os.environ.get(DRIVER_VARIABLE, "libcuda.so.1")


@cache
def find_nvrtc() -> Nvrtc:
    """NVRTC and the headers that belong to it.

    Raises
    ------
    MissingDependency
        If there is no NVRTC.
    """
    roots = _roots()
    for root in roots:
        for folder in (root / "lib", root / "lib64"):
            for library in sorted(folder.glob("libnvrtc.so*")):
                return Nvrtc(str(library), _headers([root, *roots]))
    raise MissingDependency(f"NVRTC was not found: {_ADVICE}")


@cache
def cuda_headers() -> tuple[str, ...]:
    """The directories of CUDA's headers, for host compilers.

    Raises
    ------
    MissingDependency
        If there are none.
    """
    found = _headers([*_toolkits(), *_wheels()])
    if not found:
        raise MissingDependency(f"CUDA's headers were not found: {_ADVICE}")
    return found


@cache
def find_nvcc() -> Compiler:
    """CUDA's compiler driver.

    Raises
    ------
    MissingDependency
        If there is none.
    """
    beside = (str(root / "bin" / "nvcc") for root in _roots() if (root / "bin" / "nvcc").is_file())
    return named_compiler(("nvcc", *beside), "cuda", "install the CUDA toolkit")


@cache
def find_cudart() -> str:
    """CUDA's runtime that belongs to nvcc, a shared library; empty: there is none."""
    for root in [*_toolkits(), *_wheels()]:
        for folder in (root / "lib64", root / "lib"):
            for library in sorted(folder.glob("libcudart.so*")):
                return str(library)
    return ""


def nvcc_version(compiler: Compiler) -> str:
    """``nvcc 13.0.88``: nvcc's first line names nobody."""
    match = re.search(r"V(\d+\.\d+\.\d+)", compiler.identity)
    return f"nvcc {match[1]}" if match else compiler.version


def nvcc_identity() -> str:
    """Which nvcc there is; empty: none."""
    try:
        return find_nvcc().identity
    except MissingDependency:
        return ""
