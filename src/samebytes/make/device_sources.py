"""Sources beside a header of device code: each is a unit of its own, with which kernels are linked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from ..errors import BindError, CompileError
from ..frozen import frozen
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.cuda import find_nvrtc
from ..toolchain.verifying import file_digest
from .device_flags import PROOF, included_files, options
from .request import Request


@frozen(slots=False)
class DeviceSource:
    """One source file of CUDA C++.

    Attributes
    ----------
    request : Request
        Whose main file it is: it says the standard, the flags and where headers are.
    """

    request: Request

    def compile(self, cc: tuple[int, ...], *, lto: bool) -> bytes:
        """LTO-IR (or PTX text) for a compute capability, from the cache or made now.

        Raises
        ------
        CompileError
            If NVRTC refuses the source.
        """
        path = Path(self.request.main or "")
        macros = (f"-D{d}" for d in self.request.defines)
        flags = (
            *options(self.request, cc, path.parent),
            *macros,
            *(("-dlto",) if lto else ("-rdc=true",)),
        )
        nvrtc = find_nvrtc()
        key = ["device source", nvrtc.version, file_digest(nvrtc.path), str(path), flags]

        def make(work: Path) -> Inputs:
            done = nvrtc.compile(path.read_text(encoding="utf-8", errors="replace"), flags, name=str(path))
            if not done.ok:
                raise CompileError(
                    f"CUDA's compiler refused {path}:\n{done.log}", done.log, ("NVRTC", *flags)
                )
            (work / "code").write_bytes(done.ltoir if lto else done.ptx.encode())
            return Inputs(self.files())

        return default_cache().get(key, make).read("code")

    def files(self) -> tuple[str, ...]:
        """The files that it is made of."""
        path = self.request.main or ""
        try:
            return (path, *included_files(self.request, Path(path)))
        except BindError:  # CUDA's compiler finds what the parser does not
            return (path,)


def prove_sources(request: Request) -> list[str]:
    """Have the sources of a library compiled; the files that they are made of.

    Raises
    ------
    CompileError
        If NVRTC refuses one.
    """
    used: list[str] = []
    for source in device_sources(request):
        source.compile(PROOF, lto=False)
        used += source.files()
    return used


def device_sources(request: Request) -> tuple[DeviceSource, ...]:
    """The sources of a library; those that several libraries share are linked once."""
    whole = Request(
        "", dialect="cuda", target=request.target, std=request.std, flags=request.flags,
        defines=request.defines, include_dirs=request.include_dirs,
    )  # fmt: skip
    return tuple(_source(replace(whole, main=path)) for path in request.sources)


_source = cache(DeviceSource)
