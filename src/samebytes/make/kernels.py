"""Kernels that the host launches: what of a source is bound, and how NVRTC compiles it for one architecture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..emit.shims.kernels import GENERATOR
from ..errors import BindError, CompileError
from ..layouts import has_pointers
from ..model.module import DEVICE_KIND, Module, Skipped
from ..model.signature import Location, Signature
from ..read.cxxtypes.devices import CALLED_BY_KERNELS
from ..toolchain.cuda import find_nvrtc
from ..toolchain.kernel_metadata import every_kernel
from ..types import VOID, Aligned, Atomic, CArray, Enum, Named, Pointer, Scalar, Struct, Type, Vector
from .device_code import options, read_device
from .model_data import CUBIN, PTX
from .request import Request
from .units import prologue

_ARCHITECTURE = re.compile(r"sm_(\d+)(\d)[af]?")
# By value: plain bytes, which have the same meaning in the memory of the host and of the device.
_BY_VALUE = (Scalar, Enum, Vector, Struct)
_POINTEES = (*_BY_VALUE, Aligned, Atomic, CArray)
_UNDEFINED = "its compiled code is not there: it is declared, and not defined, or static"
_LATER = "a template is not instantiated as a kernel yet: a kernel that is none may call it"


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


def read_kernels(request: Request, main: Path) -> Module:
    """The kernels of a source, the host's device and what they are made of.

    Raises
    ------
    MissingDependency
        If CUDA's headers are not installed.
    BindError
        If the source cannot be read, or ``arch`` is none.
    """
    module = read_device(request, main, capability(request.arch), kernels=True)
    overloads = Counter(f.qualified for f in module.functions)
    records = {record.name: record for record in module.records}
    told = ((f, _refusal(f, overloads[f.qualified], records)) for f in module.functions)
    refused = {f: why for f, why in told if why}
    skipped = [
        *(replace(s, kind=DEVICE_KIND) if CALLED_BY_KERNELS in s.reason else s for s in module.skipped),
        *(Skipped(f.qualified, "kernel", why, f.location or Location("", 0)) for f, why in refused.items()),
        *(Skipped(t.qualified, DEVICE_KIND, _LATER, t.location) for t in module.templates),
    ]
    left = tuple(f for f in module.functions if f not in refused)
    return replace(module, functions=left, skipped=tuple(skipped), templates=(), later=())


def _refusal(kernel: Signature, overloads: int, records: Mapping[str, Type]) -> str:
    """Why a kernel is not launched yet; empty: it is."""
    if overloads > 1:
        return "kernels of one name are not launched yet: give each a name of its own"
    if kernel.result != VOID:
        return "a kernel returns nothing"
    for place, parameter in enumerate(kernel.parameters, 1):
        if parameter.passing != "value" or not _crosses(parameter.value_type, records):
            return f"parameter {place} '{parameter.name}' ({parameter.spelling}): kernels do not take it yet"
    return ""


def _crosses(type_: Type, records: Mapping[str, Type]) -> bool:
    if isinstance(type_, Pointer):
        target = type_.target
        if isinstance(target, Named):
            target = records.get(target.name, target)
        return target == VOID or (isinstance(target, _POINTEES) and not has_pointers(target))
    return isinstance(type_, _BY_VALUE) and not has_pointers(type_)


def compile_kernels(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """Write machine code and PTX beside ``library``; the source's own unit asserts what was read of it.

    Raises
    ------
    CompileError
        With the compiler's own words and the lines of the source.
    """
    work = library.parent
    flags = [f for f in options(request, capability(request.arch), work) if not f.startswith("-arch=")]
    text = GENERATOR.emit(module, prologue(request, main, module))
    done = find_nvrtc().compile(text, [f"-arch={request.arch}", *flags], name="samebytes.cu", cubin=True)
    if not done.ok:
        raise CompileError(f"CUDA's compiler refused the source:\n{done.log}", done.log, ("NVRTC", *flags))
    (work / CUBIN).write_bytes(done.cubin)
    (work / PTX).write_text(done.ptx)
    return _defined(module, done.cubin), []


def _defined(module: Module, code: bytes) -> Module:
    """The module without kernels that are only declared."""
    known = every_kernel(code)
    gone = [f for f in module.functions if f.symbol not in known]
    skipped = [Skipped(f.qualified, "kernel", _UNDEFINED, f.location or Location("", 0)) for f in gone]
    left = tuple(f for f in module.functions if f.symbol in known)
    return replace(module, functions=left, skipped=(*module.skipped, *skipped))
