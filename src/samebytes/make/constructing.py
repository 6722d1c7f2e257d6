"""Constructors of kernels' structs, compiled by the host's compiler when Python first calls one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from ..errors import BindError, CompileError, MissingDependency, first_sentence
from ..model.module import Module
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.cuda import find_nvrtc
from ..toolchain.rocm import rocm_headers
from ..toolchain.sycl import sycl_headers
from .builds import deciding
from .compiling import compile_shims
from .device_flags import READ
from .files import LIBRARY
from .host_launches import blocks, without_bodies
from .model_data import encode
from .request import Request

_DEVICE = re.compile(r"\b__(device|global|tile)__|\bSYCL_EXT_ONEAPI_FUNCTION_PROPERTY\b")
_HOST = re.compile(r"\b__host__\b|\bconstexpr\b")
# What C++'s host compiler has to know of a dialect, and where its headers are.
_CUDA = "samebytes/cuda_constructors.hpp"
_DIALECTS: dict[str, tuple[str, tuple[str, ...], Callable[[], Iterable[str]]]] = {
    "cuda": (_CUDA, (), lambda: find_nvrtc().includes),
    "hip": ("hip/hip_runtime.h", ("-D__HIP_PLATFORM_AMD__=1",), lambda: [rocm_headers()[0]]),
    "sycl": ("sycl/sycl.hpp", (), lambda: [sycl_headers()[0]]),
}
_REFUSED = "the host's compiler does not make it: {}. Give each field instead, where C++ allows it"


def build_constructors(request: Request, module: Module) -> str:
    """The library with the constructors of a module, from the cache where it is there.

    Parameters
    ----------
    request : Request
        That of the kernels.
    module : Module
        Of the constructors.

    Raises
    ------
    BindError
        If the host's compiler does not compile them.
    """
    header, flags, includes = _DIALECTS[request.dialect]
    main = Path(request.main) if request.main else None
    text = request.source if main is None else main.read_text(encoding="utf-8", errors="surrogateescape")
    try:
        own = replace(
            request, source=_of_host(text or "", header), main=None, dialect="cxx", target="host", arch="",
            std=request.std or "c++17", language="c++", sources=(), libraries=(), library=None, instances=(),
            flags=(*flags, *(f for f in request.flags if f.startswith(READ))), intents=(), alone=False,
            include_dirs=(*((str(main.parent),) if main else ()), *request.include_dirs, *includes()),
        )  # fmt: skip
        entry = default_cache().get(
            ["constructors", deciding(own), encode(module).decode()], lambda work: _made(own, module, work)
        )
        return os.path.join(entry.place, LIBRARY)
    except (CompileError, MissingDependency) as error:
        why = first_sentence(error) if isinstance(error, CompileError) else str(error)
        raise BindError(_REFUSED.format(why)) from error


def _made(request: Request, module: Module, work: Path) -> Inputs:
    main = work / "source.cpp"
    main.write_text(request.source or "", encoding="utf-8", errors="surrogateescape")
    module = replace(module, numbers=tuple(range(len(module.functions))))
    _, used = compile_shims(request, main, module, work / LIBRARY)
    return Inputs(tuple(path for path in used if Path(path) != main))


def _of_host(text: str, header: str) -> str:
    """The source as the host's compiler takes it: of what runs on devices alone there are declarations."""
    found = [b for b in blocks(text) if b.launches or (_DEVICE.search(b.head) and not _HOST.search(b.head))]
    return f'#include "{header}"\n#line 1 "source"\n{without_bodies(text, found)}'
