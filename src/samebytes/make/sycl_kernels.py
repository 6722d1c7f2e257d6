"""Kernels of SYCL: what of a source is bound, and how DPC++'s run-time compiler makes SPIR-V of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..emit.shims.sycl import GENERATOR
from ..errors import CompileError, InstantiationError
from ..model.module import Module, Skipped
from ..model.signature import Location, Signature
from ..toolchain import spirv
from ..toolchain.sycl import sycl_headers
from ..toolchain.sycl_compiler import compile_sycl
from ..types import Pointer, Struct, in_memory
from .constructors import constructors
from .files import SPIRV
from .kernel_sources import read_source, searched, standard
from .kernels import NOT_YET, UNDEFINED, refusal, taken_kernels
from .request import Request
from .units import prologue

PARSER = "samebytes/sycl_parser.hpp"
_NO_VARIABLE = "variables of SYCL's devices are not reached from the host: give kernels an array"
_NO_DIMENSIONS = "its property says the dimensions of its range by no number: nd_range_kernel<2> does"
_NOT_THERE = "it calls {}, which is in no module: only DPC++'s own compiler links that"


def read_sycl_kernels(request: Request, main: Path) -> Module:
    """The kernels of a source and what they are made of.

    Raises
    ------
    MissingDependency
        If DPC++'s headers are not installed.
    BindError
        If the source cannot be read.
    """
    module = read_source(request, main, PARSER, sycl_headers()[0])
    records = {record.name: record for record in module.records}
    left, skipped = taken_kernels(module, lambda kernel, others: _refusal(kernel, others, records))
    lost = (
        Skipped(v.qualified, "variable", _NO_VARIABLE, v.location or Location("", 0))
        for v in module.variables
    )
    there = tuple(record.with_parts(lambda part: in_memory(part, "sycl")) for record in module.records)
    return replace(
        module, functions=left, records=there, variables=(), skipped=(*skipped, *lost), later=(),
        constructors=constructors(module, "sycl"),
    )  # fmt: skip


def _refusal(kernel: Signature, overloads: list[Signature], records: Mapping[str, Struct]) -> str:
    for place, parameter in enumerate(kernel.parameters, 1):
        type_ = parameter.value_type
        if isinstance(type_, Pointer) and isinstance(type_.target, Pointer):
            return f"parameter {place} '{parameter.name}' ({parameter.spelling}): {NOT_YET}"
    return refusal(kernel, overloads, records) or (_NO_DIMENSIONS if kernel.dimensions < 0 else "")


def compile_sycl_kernels(
    request: Request, main: Path, module: Module, library: Path
) -> tuple[Module, list[str]]:
    """Write SPIR-V beside ``library``; the source's own unit asserts what was read of it.

    Raises
    ------
    CompileError
        With the compiler's own words and the lines of the source.
    """
    work = library.parent
    text = GENERATOR.emit(module, prologue(request, main, module))
    options = (
        f"-std={standard(request)}",
        "-w",
        "-DNDEBUG",
        *request.flags,
        *searched(request, library.parent),
    )
    done = compile_sycl(text, options)
    if not done.ok:
        raise CompileError(f"SYCL's compiler refused the source:\n{done.log}", done.log, ("DPC++", *options))
    used: list[str] = []
    if request.library is not None:  # of the header's own unit no code is used
        used = [request.library]
        modules = list(spirv.unpacked(Path(request.library).read_bytes()))
    else:
        modules = [m for m in done.modules if spirv.kernels(m)]
    (work / SPIRV).write_bytes(spirv.packed(modules))
    return _defined(module, modules), used


def _defined(module: Module, modules: list[bytes]) -> Module:
    """The module without kernels that are only declared, or call what is not there."""
    why = dict.fromkeys((f.symbol for f in module.functions), UNDEFINED)
    for code in modules:
        missing = spirv.missing(code)
        for name in spirv.kernels(code):
            why[spirv.symbol(name)] = _NOT_THERE.format(", ".join(missing)) if missing else ""
    for kernel in module.functions:
        if kernel.instance and why[kernel.symbol]:
            raise InstantiationError(kernel.instance, why[kernel.symbol], crossing=True)
    gone = [f for f in module.functions if why[f.symbol]]
    lost = (Skipped(f.qualified, "kernel", why[f.symbol], f.location or Location("", 0)) for f in gone)
    left = tuple(f for f in module.functions if not why[f.symbol])
    return replace(module, functions=left, skipped=(*module.skipped, *lost))
