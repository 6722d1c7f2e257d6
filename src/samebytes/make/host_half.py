"""The host half of a ``.cu`` that launches by ``<<<>>>``: its functions, compiled by nvcc together with the kernels."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ..emit.shims.host_half import GENERATOR, launches
from ..errors import BindError
from ..layouts import walk
from ..model.intents import IN
from ..model.module import Module, Skipped
from ..model.names import describe, names_of
from ..model.signature import Location, Parameter, Signature
from ..read.curating.applying import apply_intents
from ..read.curating.undefined import without
from ..read.cxxtypes.devices import NOT_OF_THE_HOST, OF_THE_DEVICE
from ..read.header import read_header
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.cuda import cuda_headers, find_cudart
from ..toolchain.driver import CompileCommand, UndefinedSymbols, compile_object, link_library
from ..toolchain.headers import INCLUDE
from ..toolchain.mirrored import mirrored_macros
from ..toolchain.nvcc import NvccOutput, compile_unit
from ..toolchain.objects import Needs
from ..types import (
    ANY_DEVICE,
    CHAR,
    Array,
    Callback,
    Const,
    Function,
    Handle,
    Named,
    Pointer,
    Span,
    Struct,
    Type,
    in_memory,
)
from .device_flags import READ, searched_beside
from .files import HOST_MODEL, LIBRARY
from .joining import users_of
from .model_data import encode
from .request import Request
from .units import prologue, report

PARSER, UNIT = "samebytes/cuda_source.hpp", "host.cu"
_SHIM = re.compile(r"samebytes_f(\d+)_")
_MEMBER = "it is a member of a class of the host: of a .cu its functions that are no members are called"
_TEMPLATE = "it is a template of the host: of a .cu its functions that are no templates are called"
_NO_TYPE = "parameter '{}' ({}): functions of a .cu do not take it yet"
_NO_RESULT = "functions of a .cu do not return {} yet"
_COPY = "it uses {}(), and CUDA's runtime would look for a copy of the kernels and variables of its own"
_NO_RUNTIME = "it uses {}(), and CUDA's runtime (libcudart.so) was not found beside nvcc"
_TAKEN = "a kernel has its name"
# What of CUDA's runtime knows nothing of the code of units: memory, streams, events and devices. It shares the
# driver's primary context with everything here.
_RUNTIME = re.compile(
    r"cuda(Malloc|Free|Host|Mem(cpy|set|Get|Pool|Prefetch|Advise)|Stream|Event|Device|[GS]etDevice|ChooseDevice|Init|"
    r"IpcGet|IpcOpen|IpcClose|PointerGetAttributes|(Driver|Runtime)GetVersion|Ctx|GetError)(?!\w*(Symbol|Func|Kernel))\w*"
)
_OF_CUDA = re.compile(r"(__)?cuda[A-Z_]\w*")
# What emit/parts/launches.cpp has.
_SERVED = re.compile(r"^SERVED .*?(\w+)\(", re.MULTILINE)
_WRAPPED = ("cudaGetLastError", "cudaPeekAtLastError")


def read_by_nvcc(request: Request, main: Path) -> Module:
    """The kernels of a source as nvcc sees it, which has headers of the host.

    Raises
    ------
    BindError
        If it cannot be read.
    """
    module = _read(request, main, kernels=True)
    return replace(
        module, functions=tuple(f for f in module.functions if f.kind in ("function", "constructor"))
    )


def compile_by_nvcc(
    request: Request, main: Path, module: Module, work: Path
) -> tuple[Module, NvccOutput, tuple[str, ...]]:
    """Compile the kernels and write the library of the host's functions and their model beside them.

    Parameters
    ----------
    module : Module
        Of the kernels.

    Returns
    -------
    module : Module
        Of the kernels, which says what of the host is not bound.
    made : NvccOutput
        With the code of the kernels, which the host's functions launch.
    used : tuple of str
        The files that were read.

    Raises
    ------
    BindError, CompileError
        If it cannot be read, or nvcc refuses it.
    """
    if request.alone:  # the functions are those of the library beside
        made = _compile(request, main, Module("c++"), module, work)
        return module, made, ()
    read = _read(request, main)
    kernels = {name for f in module.functions for name in names_of(f)}
    if wrong := next((name for name, _ in request.intents if name in kernels), ""):
        raise BindError(
            f"arg_intent is not for the kernel {wrong!r}: it writes to the arrays that it is given"
        )
    read = apply_intents(_named_as_given(read, work), request.intents)
    host, lost = _bound(read, module)
    while True:
        made = _compile(request, main, host, module, work)
        less, refused = _linked(request, host, made, work)
        if less == host:
            break
        host, lost = less, [*lost, *refused]
    (work / HOST_MODEL).write_bytes(encode(host))
    return _told(module, host, lost), made, read.included


def _read(request: Request, main: Path, *, kernels: bool = False) -> Module:
    """What nvcc sees of the source: functions of the host, or kernels."""
    compiler = find_compiler("c++")
    standard = request.std or "c++17"
    flags = (
        f"-std={standard}", *(() if kernels else ("-DSAMEBYTES_OF_HOST",)), "-include", str(Path(INCLUDE) / PARSER),
        *(f"-D{d}" for d in request.defines), *(f for f in request.flags if f.startswith(READ)),
    )  # fmt: skip
    return read_header(
        main, language="c++", flags=flags, include_dirs=request.includes(),
        system_includes=(*system_includes(compiler, ()), *cuda_headers()),
        implied={"c++": mirrored_macros(compiler, (f"-std={standard}",))},
        expose=request.expose, only=request.curation.files, dialect="cuda",
        instances=request.instances if kernels else (), alone=request.alone and kernels, kernels=kernels,
    )  # fmt: skip


def _bound(read: Module, kernels: Module) -> tuple[Module, list[Skipped]]:
    """The module of the functions that are called, whose pointers lead to devices; and what is not bound."""
    records = {record.name: record for record in read.records}
    taken = {f.qualified for f in kernels.functions} | {t.qualified for t in kernels.templates}
    functions = []
    lost = [
        s for s in read.skipped if s.kind == "function" and s.reason not in (NOT_OF_THE_HOST, OF_THE_DEVICE)
    ]
    for function in read.functions:
        why = _TAKEN if function.qualified in taken else _refusal(function, records)
        if why:
            lost.append(Skipped(describe(function), "function", why, function.location or Location("", 0)))
        else:
            functions.append(replace(function, parameters=tuple(map(_of_device, function.parameters))))
    templates = {t.qualified for t in read.templates if t.kind == "function"}
    lost += [
        replace(s, reason=_TEMPLATE) for s in kernels.skipped if s.kind.endswith("template") and s.name in templates
    ]  # fmt: skip
    used = _used(functions, records)
    return Module(
        "c++", functions=tuple(functions),
        records=tuple(_in_memory(r) for r in read.records if r.name in used),
        enums=tuple(e for e in read.enums if e.name in used), exposed=len(functions), included=read.included,
    ), lost  # fmt: skip


def _in_memory(record: Struct) -> Struct:
    """The record with its addresses as those of a device's memory, as the kernels have it."""
    return record.with_parts(lambda part: in_memory(part, "cuda"))


def _refusal(function: Signature, records: Mapping[str, Struct]) -> str:
    """Why a function is not called; empty: it is."""
    if function.kind != "function":
        return _MEMBER
    if not _crosses(function.result, records):
        return _NO_RESULT.format(function.result_spelling)
    lost = next((p for p in function.parameters if not _crosses(p.type, records)), None)
    return _NO_TYPE.format(lost.name, lost.spelling) if lost else ""


def _crosses(type_: Type, records: Mapping[str, Struct]) -> bool:
    for part in walk(type_):
        meant = records.get(part.name, part) if isinstance(part, Named | Struct) else part
        if isinstance(meant, Handle | Function | Callback):
            return False
        if isinstance(meant, Span) and meant.index is None:  # nothing says where its numbers lie
            return False
    return True


def _of_device(parameter: Parameter) -> Parameter:
    """A pointer and a descriptor lead into a device's memory, unless it is text, or an intent was chosen for it."""
    type_ = parameter.value_type
    if parameter.intent != IN or getattr(parameter.intent, "chosen", False):
        return parameter
    if not isinstance(type_, Pointer | Array):
        return parameter
    if isinstance(type_, Pointer) and (parameter.passing != "value" or type_.pointee == Const(CHAR)):
        return parameter
    return replace(parameter, type=replace(type_, memory=f"cuda:{ANY_DEVICE}"))


def _used(functions: Iterable[Signature], records: Mapping[str, Struct]) -> set[str]:
    """The names of the records and enumerations in their types."""
    found: set[str] = set()
    open_: list[Type] = [t for f in functions for t in (f.result, *(p.type for p in f.parameters))]
    while open_:
        for part in walk(open_.pop()):
            name = getattr(part, "name", "")
            if name and name not in found:
                found.add(name)
                open_ += [records[name]] if name in records else []
    return found


def _compile(request: Request, main: Path, host: Module, kernels: Module, work: Path) -> NvccOutput:
    """The unit of the source and the shims of its functions, with the instantiations of kernels that are wanted."""
    unit = work / UNIT
    unit.write_text(GENERATOR.unit(host, kernels, prologue(request, main, kernels)))
    flags = [f"-std={(request.std or 'c++17').replace('gnu++', 'c++')}", *request.flags]
    return compile_unit(unit, request.arch, [*flags, *searched_beside(request, work)])


def _linked(request: Request, host: Module, made: NvccOutput, work: Path) -> tuple[Module, list[Skipped]]:
    """Link the library; less of the module, and why, where its functions use what is not there."""
    compiler = find_compiler("c++")
    source, served = work / "launches.cpp", work / "launches.o"
    source.write_text(launches())
    flags: tuple[str, ...] = ("-O2", "-std=c++17", "-fvisibility=hidden", "-w")
    needs, there = Needs([made.object]), {*_SERVED.findall(launches()), *_WRAPPED}
    cudart = find_cudart()
    reached: dict[int, set[str]] = {}
    for name in needs.functions():
        if found := _SHIM.match(name):
            reached.setdefault(int(found[1]), set()).update(needs.of(name))
    reasons = {n: why for n, names in reached.items() if (why := _unserved(names - there, cudart))}
    if reasons:
        return _without(host, reasons)
    runtime = []
    if any(map(_is_runtime, set().union(*reached.values()) - there)):
        runtime = [cudart, f"-Wl,-rpath,{Path(cudart).parent}"]
        flags = (*flags, "-DSAMEBYTES_BESIDE_RUNTIME")
    compile_object(CompileCommand(source, compiler, flags), served)
    wraps = [f"-Wl,--wrap={name}" for name in _WRAPPED]
    linked = [
        *wraps,
        "-Wl,--gc-sections",
        *report(request, compiler),
        *runtime,
        *request.link_flags(),
        "-ldl",
        "-pthread",
    ]
    try:
        link_library([made.object, served], work / LIBRARY, linker=compiler, link_flags=linked)
    except UndefinedSymbols as error:
        rest = without(host, error.symbols, users_of(needs, error.symbols))
        if rest is None or rest.functions == host.functions:
            raise
        return replace(rest, skipped=()), list(rest.skipped)
    shutil.rmtree(work / "nvcc", ignore_errors=True)
    return host, []


def _is_runtime(name: str) -> bool:
    return _RUNTIME.fullmatch(name) is not None


def _unserved(names: set[str], cudart: str) -> str:
    """What of CUDA's a function uses that it would get wrong here, or not at all; empty: nothing."""
    for name in sorted(n for n in names if _OF_CUDA.fullmatch(n)):
        if not _is_runtime(name):
            return _COPY.format(name)
        if not cudart:
            return _NO_RUNTIME.format(name)
    return ""


def _without(host: Module, reasons: Mapping[int, str]) -> tuple[Module, list[Skipped]]:
    lost = [
        Skipped(describe(f), "function", reasons[n], f.location or Location("", 0))
        for n, f in enumerate(host.functions) if n in reasons
    ]  # fmt: skip
    left = tuple(f for n, f in enumerate(host.functions) if n not in reasons)
    return replace(host, functions=left, exposed=len(left)), lost


def _told(module: Module, host: Module, lost: Iterable[Skipped]) -> Module:
    """The module of the kernels, of whose functions of the host those are skipped that are not bound."""
    bound = {_place(f.qualified, f.location) for f in host.functions}
    why = {place: s for s in lost if (place := _place(s.name, s.location)) not in bound}
    before = {_place(s.name, s.location): s for s in module.skipped}
    kept = (s for s in module.skipped if _place(s.name, s.location) not in bound | why.keys())
    return replace(module, skipped=(*kept, *(s for place, s in why.items() if place in before)))


def _place(name: str, location: Location | None) -> tuple[str, str, int]:
    """A function by its name and its line: the two readings may spell its parameters differently."""
    where = location or Location("", 0)
    return name.partition("(")[0], Path(where.file).name, where.line


def _named_as_given(read: Module, work: Path) -> Module:
    """Locations in source text say ``source.cu``, not the folder in which it happened to be compiled."""

    def moved(location: Location | None) -> Location | None:
        inside = location is not None and Path(location.file).parent == work
        return replace(location, file=Path(location.file).name) if location and inside else location

    return replace(
        read,
        functions=tuple(replace(f, location=moved(f.location)) for f in read.functions),
        skipped=tuple(replace(s, location=moved(s.location) or s.location) for s in read.skipped),
    )
