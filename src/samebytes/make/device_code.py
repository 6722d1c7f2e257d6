"""The device code of a library: how its header is read as CUDA C++, and how NVRTC compiles its shims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from ..emit.shims import GENERATORS
from ..emit.shims.direct import DEVICE_DIRECT
from ..errors import BindError, CompileError
from ..forks import importing
from ..model.module import Module, Skipped
from ..model.signature import Location, Signature
from ..read.header import read_header
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.cuda import find_nvrtc
from ..toolchain.verifying import digest, file_digest
from ..types import in_memory
from .constructors import constructors
from .device_flags import PROOF, options, parser_flags
from .files import SHIMS
from .request import Request
from .units import macro_lines, prologue

_SHIM = re.compile(r"\bsamebytes_[fd](\d+)_\d+\(")
_PLACE = re.compile(r"^source\.cu\((\d+)\):", re.MULTILINE)
_ERROR_BEGINS = re.compile(r"\n(?=.+\(\d+\): (?:\w+ )?error\b)")
_SAID = re.compile(r"\berror\b[^:\n]*: (.+)")
_ABSENT = re.compile("'.+' file not found")
_NO_HOST = (
    "CUDA's run-time compiler has no headers of the host: its own are <cuda/std/...>, include_dirs= names others, and "
    "code of the host stands between #ifndef __CUDACC_RTC__ and #endif"
)
_UNREACHED = "a variable of the device has no address that the host knows; {} is bound"
# Behind the header: an instantiation that is built on its own is compiled for kernels as a further part of one unit.
_PART = "// samebytes: a part begins here"
_SYMBOL = re.compile(r"\bsamebytes_([fd])(?=\d)")


def read_device(
    request: Request, main: Path, capability: tuple[int, int] = PROOF, *, kernels: bool = False
) -> Module:
    """Read a header as device code for a compute capability; with ``kernels``, what the host launches of it.

    Raises
    ------
    MissingDependency
        If CUDA's headers are not installed.
    BindError
        If the header cannot be read.
    """
    nvrtc = find_nvrtc()
    try:
        module = read_header(
            main, language="c++", flags=parser_flags(request, nvrtc, capability), include_dirs=request.includes(),
            system_includes=nvrtc.includes, expose=request.expose, only=request.curation.files, dialect="cuda",
            instances=request.instances, alone=request.alone, kernels=kernels,
        )  # fmt: skip
    except BindError as error:
        if _ABSENT.search(str(error)):
            raise BindError(f"{error}; {_NO_HOST}") from error.__cause__
        raise
    if kernels:
        return module
    why = _UNREACHED.format("a __device__ function that returns it")
    lost = tuple(
        Skipped(v.qualified, "variable", why, v.location or Location("", 0)) for v in module.variables
    )
    records = tuple(r.with_parts(lambda part: in_memory(part, "cuda")) for r in module.records)
    return replace(
        module, records=records, variables=(), skipped=(*module.skipped, *lost),
        constructors=constructors(module, "cuda"),
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
        done = find_nvrtc().compile(text, options(request, PROOF, work))
        if done.ok:
            (work / SHIMS).write_text(text)
            return module, _prove_sources(request)
        kept = _without_refused(module, text, done.log)
        if len(kept.functions) == len(module.functions):
            raise CompileError(f"CUDA's compiler refused the library:\n{done.log}", done.log, ("NVRTC",))
        _check_instances(module, kept, done.log)
        module = kept


def _prove_sources(request: Request) -> list[str]:
    """Have the sources beside the header compiled; the files that they are made of."""
    if not request.sources or request.alone:  # an instantiation is linked with its library's
        return []
    with importing:  # few libraries have any
        from .device_sources import prove_sources
    return prove_sources(request)


def _text(request: Request, main: Path, module: Module) -> str:
    lines, first = prologue(request, main, module).split("\n"), len(macro_lines(request)) + 1
    text = GENERATORS["cuda"].emit(module, "\n".join([*lines[:first], _PART, *lines[first:]]))
    # The name of nullptr's type is that of a header which NVRTC does not have.
    return "\n".join([text, DEVICE_DIRECT.emit(module), ""]).replace("std::nullptr_t", "decltype(nullptr)")


def _check_instances(before: Module, after: Module, log: str) -> None:
    """Instantiations that were asked for are bound or an error, never skipped."""
    left = {f.instance for f in after.functions}
    gone = next((f.instance for f in before.functions if f.instance and f.instance not in left), None)
    if gone is not None:
        raise CompileError(f"CUDA's compiler refused {gone}:\n{log}", log, ("NVRTC",))


def _without_refused(module: Module, text: str, log: str) -> Module:
    """The module without the functions in whose shims the compiler found errors."""
    owner: dict[int, int] = {}
    current = -1
    for number, line in enumerate(text.splitlines(), 1):
        if (found := _SHIM.search(line)) and "SAMEBYTES_" in line:
            current = int(found[1])
        owner[number] = current
    reasons: dict[int, str] = {}
    for part in _ERROR_BEGINS.split(log):  # notes belong to the error before them
        said = _SAID.search(part)
        for line_number in _PLACE.findall(part) or re.findall(r"at line (\d+)", part):
            index = owner.get(int(line_number), -1)
            if index >= 0 and said:
                reasons.setdefault(index, said[1].strip())
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


@dataclass(eq=False)
class DeviceCode:
    """What kernels are linked with: a library's shims and those of its instantiations, compiled as one unit.

    One unit, because a header's own functions and variables are then there once. It is compiled when a kernel is
    linked, with what has been instantiated by then.

    Attributes
    ----------
    request : Request
        The library's own.
    shims : Path
        As :func:`compile_device` wrote them.
    name : str
        What its symbols have in them: see :func:`tag`.
    parts : list of Path
        The shims of instantiations that were built on their own.
    """

    request: Request
    shims: Path
    name: str
    parts: list[Path] = field(default_factory=list)

    def add(self, shims: Path) -> None:
        """Have an instantiation's shims linked, too."""
        if shims not in (self.shims, *self.parts):
            self.parts.append(shims)

    def _texts(self) -> Iterator[str]:
        yield _tagged(self.shims, self.name)
        for shims in self.parts:
            yield _tagged(shims, tag(shims)).partition(_PART)[2]

    @property
    def units(self) -> tuple[Callable[..., bytes], ...]:
        """What compiles each unit that kernels are linked with: the shims', then those of the library's sources."""
        if not self.request.sources:
            return (self.compile,)
        with importing:  # few libraries have any
            from .device_sources import device_sources
        return (self.compile, *(source.compile for source in device_sources(self.request)))

    def compile(self, cc: tuple[int, ...], *, lto: bool) -> bytes:
        """LTO-IR (or PTX text) for a compute capability, from the cache or made now.

        Raises
        ------
        CompileError
            If NVRTC refuses the shims for this architecture.
        """
        text = "\n".join(self._texts())
        flags = (*options(self.request, cc, self.shims.parent), *(("-dlto",) if lto else ("-rdc=true",)))
        nvrtc = find_nvrtc()
        key = ["device code", nvrtc.version, file_digest(nvrtc.path), digest(text.encode()), flags]

        def make(work: Path) -> Inputs:
            done = nvrtc.compile(text, flags)
            if not done.ok:
                where = f"compute capability {cc[0]}.{cc[1]}"
                raise CompileError(
                    f"CUDA's compiler refused the library for {where}:\n{done.log}", done.log, flags
                )
            (work / "code").write_bytes(done.ltoir if lto else done.ptx.encode())
            return Inputs(())

        return default_cache().get(key, make).read("code")


def tag(shims: Path) -> str:
    """What tells a build's symbols from those of others, with which a kernel may be linked as well."""
    return digest(shims.parent.name.encode())[:12]


def _tagged(shims: Path, name: str) -> str:
    return _SYMBOL.sub(lambda found: f"samebytes_{found[1]}{name}_", shims.read_text())


@cache
def device_code(request: Request, shims: Path) -> DeviceCode:
    """The one code of a build, so that kernels are linked with it once."""
    return DeviceCode(request, shims, tag(shims))
