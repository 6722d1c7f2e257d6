"""The build of a request, from the cache where it is there; what makes one is loaded where it is not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..forks import importing
from ..frozen import frozen
from ..later import at_first_use
from ..toolchain import cuda
from ..toolchain.cache import Entry, Inputs, default_cache
from ..toolchain.code.presence import can_decode
from ..toolchain.compilers import environment_facts, find_compiler
from ..toolchain.own_sources import own_sources
from ..version import __version__
from .files import BATCH, CUBIN, HSACO, LIBRARY, MODEL, SHIMS, SPIRV
from .request import Request, is_c_source

if TYPE_CHECKING:
    from pathlib import Path

    from ..model.module import Module

pathlib: Any = at_first_use("pathlib")


@frozen
class Built:
    """A finished build.

    Attributes
    ----------
    module : Module
        With intents applied, and without what no library defines.
    entry : Entry
        Where it stands.
    file : str
        What is loaded.
    """

    module: Module
    entry: Entry
    file: str

    @property
    def library(self) -> Path:
        """The same as a path."""
        return pathlib.Path(self.file)  # type: ignore[no-any-return]


def stored(request: Request) -> Entry:
    """Where the build of a request stands in the cache; it is made where it is not there."""
    return default_cache().get(deciding(request), lambda work: _made(request, work))


def deciding(request: Request) -> list[object]:
    """All that decides a build and is no file that it reads: files are compared by content where an entry is found."""
    compiler = find_compiler("c++")
    companion = find_compiler("c") if _needs_c(request) else compiler
    return [
        __version__,
        _device_compiler(request),
        own_sources(),
        request.facts(),
        compiler.identity,
        companion.identity,
        environment_facts(),
        can_decode(),
    ]


def build(request: Request) -> Built:
    """The build of a request, from the cache where it is there."""
    with importing:  # it knows every class that a model is made of
        from .model_data import Unreadable, decode

    for attempts_left in (2, 1, 0):
        entry = stored(request)
        try:
            module = decode(entry.read(MODEL))
            break
        except (
            FileNotFoundError,
            Unreadable,
        ):  # another process has emptied the cache just now, or filled it oddly
            entry.remove()
            if not attempts_left:
                raise
    return Built(module, entry, product(request, entry))


def _device_compiler(request: Request) -> str:
    """The version of what compiles for a device; empty where nothing does."""
    if request.dialect == "sycl":
        with importing:
            from ..toolchain.sycl import sycl_headers
        return sycl_headers()[1]
    if request.dialect == "hip":
        with importing:
            from ..toolchain.hiprtc import find_hiprtc
            from ..toolchain.rocm import device_libraries, find_hip_clang, rocm_headers
        if (hiprtc := find_hiprtc()) is not None:
            return f"{hiprtc.identity} {rocm_headers()}"
        return f"{find_hip_clang().identity} {rocm_headers()} {device_libraries(request.arch)}"
    return f"{cuda.find_nvrtc().version}{_host_compiler(request)}" if request.dialect == "cuda" else ""


def _host_compiler(request: Request) -> str:
    """The version of what compiles functions of the host that launch, among kernels; empty where there are none."""
    if not request.launches or request.alone or request.library is not None:
        return ""
    if request.source is not None:
        text = request.source.encode(errors="surrogateescape")
    else:
        text = pathlib.Path(request.main or "").read_bytes()
    return f", {cuda.nvcc_identity()}" if b"<<<" in text else ""


def is_begun(home: str) -> bool:
    """Whether the shims of a build are built when they are needed: see :mod:`samebytes.make.batches`."""
    return os.path.exists(os.path.join(home, BATCH))


def product(request: Request, entry: Entry) -> str:
    """The file of a build that is loaded."""
    name = SHIMS if request.target == "numba_cuda" else LIBRARY
    if request.launches:
        name = {"sycl": SPIRV, "hip": HSACO}.get(request.dialect, CUBIN)
    return os.path.join(entry.place, name)


def _needs_c(request: Request) -> bool:
    return request.language != "c++" or any(map(is_c_source, request.sources))


def _made(request: Request, work: Path) -> Inputs:
    with importing:  # a fork waits for it
        from ..toolchain.parallel import said_if_long
        from .builder import make

    with said_if_long(_waiting(request)):
        return make(request, work)


def _waiting(request: Request) -> str:
    """What is said to somebody who waits."""
    what = os.path.basename(request.main) if request.main else "the source text"
    return f"samebytes: reading and compiling {what}; once, as the cache keeps it."
