"""Kernels that the host launches: what of a source is bound, and how NVRTC compiles it for one architecture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .. import _native
from ..emit.shims.kernels import GENERATOR, exact
from ..errors import BindError, CompileError, InstantiationError, first_sentence
from ..forks import importing
from ..layouts import has_pointers, walk
from ..model.module import DEVICE_KIND, Module, Skipped, Variable
from ..model.signature import Location, Signature
from ..read.cxxtypes.devices import CALLED_BY_KERNELS, OF_THE_DEVICE
from ..toolchain.cuda import NvrtcOutput, find_nvrtc
from ..toolchain.fatbin import chosen_code, fatbin_code, is_fatbin
from ..toolchain.kernel_metadata import every_kernel, variable_sizes, variables
from ..types import (
    MISSING,
    VOID,
    Aligned,
    Array,
    Atomic,
    CArray,
    Enum,
    Function,
    Named,
    Pointer,
    Scalar,
    Span,
    Struct,
    Type,
    Vector,
    in_memory,
    unqualified,
)
from .constructors import constructors
from .device_code import read_device
from .device_flags import READ, options
from .files import CUBIN, PTX
from .host_launches import for_devices, told
from .kernel_options import capability, check_architecture, is_for_nvcc
from .request import Request
from .units import prologue

# By value: plain bytes, which have the same meaning in the memory of the host and of the device.
_BY_VALUE = (Scalar, Enum, Vector, Struct)
_POINTEES = (*_BY_VALUE, Aligned, Atomic, CArray)
_OF_DEVICES = (CALLED_BY_KERNELS, OF_THE_DEVICE)
UNDEFINED = (
    "its compiled code has no such name: it is declared, and not defined, static, or in a nameless namespace"
)
_NO_VARIABLE = (
    "no such name in its compiled code: no kernel uses it, it is only declared, static, or in a nameless "
    "namespace"
)
NOT_YET = "kernels do not take it yet"
_NO_FUNCTIONS = "it holds the address of a function, and functions of the device have none on the host"
# By fewer arguments C++ might choose one of them, which a launch could not.
_UNKNOWN_DEFAULTS = "of the kernels of its name one has a default argument whose value only C++ knows"
_NOT_SHARED = (
    "what is built later has variables of the device of its own ({}), and not those of the other kernels: "
    "instantiate=[...] builds it with them"
)


def read_kernels(request: Request, main: Path) -> Module:
    """The kernels of a source, the host's device and what they are made of.

    Raises
    ------
    MissingDependency
        If CUDA's headers are not installed.
    BindError
        If the source cannot be read, or ``arch`` is none.
    """
    capability = check_architecture(request.arch)
    if is_for_nvcc(request):
        with importing:  # few sources launch from the host
            from .host_half import read_by_nvcc
        try:
            return bound_kernels(read_by_nvcc(_readable(request), main), "cuda")
        except BindError:  # it may be a source for NVRTC, which has other headers
            pass
    return bound_kernels(read_device(_readable(request), main, capability, kernels=True), "cuda")


def bound_kernels(module: Module, dialect: str) -> Module:
    """The module with what a driver launches and reaches; the rest of it is skipped, with its reasons."""
    records = {record.name: record for record in module.records}
    taken, skipped = taken_kernels(module, lambda kernel, others: refusal(kernel, others, records))
    left = tuple(_with_objects(kernel, dialect) for kernel in taken)
    there = tuple(_of_device(record, dialect) for record in module.records)
    reached, lost = _told((v, _variable_refusal(v, records)) for v in module.variables)
    return replace(
        module, functions=left, records=there, variables=reached, skipped=(*skipped, *lost), later=(),
        constructors=constructors(module, dialect),
    )  # fmt: skip


def taken_kernels(
    module: Module, refuse: Callable[[Signature, list[Signature]], str]
) -> tuple[tuple[Signature, ...], list[Skipped]]:
    """The kernels that are bound, and what is not, with its reasons.

    Parameters
    ----------
    refuse : callable
        Why a kernel, one of some overloads, is not bound; empty where it is.

    Raises
    ------
    InstantiationError
        If one that was asked for is refused.
    """
    overloads: dict[str, list[Signature]] = {}
    # What makes objects is no kernel: the host runs it (make/constructing.py).
    functions = [f for f in module.functions if f.kind != "constructor"]
    for function in functions:
        overloads.setdefault(function.qualified, []).append(function)
    told = ((f, refuse(f, overloads[f.qualified])) for f in functions)
    refused = {f: why for f, why in told if why}
    for kernel, why in refused.items():
        if kernel.instance:  # it was asked for: it is there, or an error
            raise InstantiationError(kernel.instance, why, crossing=True)
    skipped = [
        *(
            replace(s, kind=DEVICE_KIND) if any(why in s.reason for why in _OF_DEVICES) else s
            for s in module.skipped
        ),
        *(Skipped(f.qualified, "kernel", why, f.location or Location("", 0)) for f, why in refused.items()),
    ]
    return tuple(f for f in functions if f not in refused), skipped


def _with_objects(kernel: Signature, dialect: str) -> Signature:
    """The kernel with mdspans as what it takes, where a shim would take descriptors."""
    parameters = tuple(
        replace(p, type=in_memory(p.type, dialect)) if isinstance(p.type, Span) else p
        for p in kernel.parameters
    )
    return replace(kernel, parameters=parameters)


def _told(variables: Iterable[tuple[Variable, str]]) -> tuple[tuple[Variable, ...], tuple[Skipped, ...]]:
    """The variables without a reason against them, and the others as what is skipped."""
    told = list(variables)
    lost = (Skipped(v.qualified, "variable", why, v.location or Location("", 0)) for v, why in told if why)
    return tuple(v for v, why in told if not why), tuple(lost)


def _variable_refusal(variable: Variable, records: Mapping[str, Type]) -> str:
    """Why a variable of the device is not reached by its name; empty: it is."""
    type_ = element = unqualified(variable.type)
    while isinstance(element, CArray):
        element = unqualified(element.element)
    if variable.unsized or not (isinstance(element, Pointer) or _crosses(element, records)):
        return f"a variable of the device of such a type ({variable.spelling}) is not reached yet"
    parts = walk(type_)
    if any(isinstance(part, Function) for part in parts):
        return _NO_FUNCTIONS
    if any(isinstance(part, Struct) and not part.of_tuples for part in (type_, element)):
        return "Python does not see all members of its class, or C++ makes it by a constructor"
    return ""


def _of_device(record: Struct, dialect: str) -> Struct:
    """The record with its addresses as those of the device's memory: nothing on the host follows them."""
    return record.with_parts(lambda part: in_memory(part, dialect))


def _readable(request: Request) -> Request:
    """The request with what the parser knows of NVRTC's flags."""
    return replace(request, flags=tuple(f for f in request.flags if f.startswith(READ)))


def refusal(kernel: Signature, overloads: Sequence[Signature], records: Mapping[str, Type]) -> str:
    """Why a kernel is not launched yet; empty: it is."""
    defaults = [p.default for f in overloads for p in f.parameters if p.default is not None]
    several = len(overloads) > 1
    if (count := len(overloads) + several * len(defaults)) > (most := len(_native.LAUNCH_CUDA)):
        return f"its name stands for {count} forms of calls, and {most} are launched: give some another name"
    if several and any(default.value is MISSING for default in defaults):
        return _UNKNOWN_DEFAULTS
    if kernel.result != VOID:
        return "a kernel returns nothing"
    for place, parameter in enumerate(kernel.parameters, 1):
        where = f"parameter {place} '{parameter.name}' ({parameter.spelling})"
        if parameter.passing != "value" or not _crosses(parameter.value_type, records):
            return f"{where}: {NOT_YET}"
        if any(isinstance(part, Function) for part in walk(parameter.value_type)):
            return f"{where}: {_NO_FUNCTIONS}"
    return ""


def _crosses(type_: Type, records: Mapping[str, Type]) -> bool:
    if isinstance(type_, Pointer):
        target = type_.target
        if isinstance(target, Named):
            target = records.get(target.name, target)
        if isinstance(
            target, Pointer
        ):  # addresses that the device's memory holds, which nobody but it can follow
            return True
        return target == VOID or (isinstance(target, _POINTEES) and _has_no_arrays(target))
    if isinstance(type_, Span):
        if type_.index is None or type_.layout not in ("right", "left", "stride"):
            return False
        return isinstance(type_.element, _POINTEES) and not has_pointers(type_.element)
    if isinstance(type_, Array):
        return isinstance(type_.element, _POINTEES) and not has_pointers(type_.element)
    return isinstance(type_, _BY_VALUE) and _has_no_arrays(type_)


def _has_no_arrays(type_: Type) -> bool:
    return not any(isinstance(part, Array) for part in walk(type_))


def compile_kernels(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """Write machine code and PTX beside ``library``; the source's own unit asserts what was read of it.

    Raises
    ------
    CompileError
        With the compiler's own words and the lines of the source.
    """
    if request.library is not None:
        return _of_file(request, main, module, library)
    work = library.parent
    refused: BindError | CompileError | None = None
    if is_for_nvcc(request):
        with importing:  # few sources launch from the host
            from .host_half import compile_by_nvcc
        try:
            module, made, used = compile_by_nvcc(request, main, module, work)
            return _finished(request, module, work, made.cubin, made.ptx), [*used]
        except (BindError, CompileError) as error:
            if request.libraries or request.library_dirs or request.intents:
                raise  # they were given for functions of the host
            refused = error
    wanted = [exact(f) for f in module.functions if f.instance]
    source, on_host = for_devices(main, work)
    try:
        done = _compiled(request, source, module, work, request.arch, wanted)
    except CompileError:
        if isinstance(refused, CompileError):  # both refuse it, and it is nvcc's
            raise refused from None
        raise
    module = told(module, on_host, main, _words(refused) if refused else "")
    return _finished(request, module, work, done.cubin, done.ptx), []


def _words(error: BindError | CompileError) -> str:
    return first_sentence(error) if isinstance(error, CompileError) else str(error)


def _finished(request: Request, module: Module, work: Path, cubin: bytes, ptx: str) -> Module:
    """Write the code of kernels, and leave out those that it has not."""
    check_shared(request, module, variables(cubin))
    (work / CUBIN).write_bytes(cubin)
    (work / PTX).write_text(ptx)
    return defined_kernels(module, cubin)


def check_shared(request: Request, module: Module, variables: Collection[str]) -> None:
    """Refuse kernels that are built later than the rest of their source, where they have variables of the device.

    Raises
    ------
    InstantiationError
        If there are any.
    """
    if request.alone and module.functions and variables:
        copied = _NOT_SHARED.format(", ".join(variables))
        raise InstantiationError(request.instances[0][0], copied, crossing=True)


def _compiled(
    request: Request, main: Path, module: Module, work: Path, architecture: str, wanted: Sequence[str] = ()
) -> NvrtcOutput:
    """What NVRTC makes of the source and its proofs, with the instantiations that are wanted."""
    text = GENERATOR.emit(module, prologue(request, main, module))
    shared = options(request, capability(request.arch), work)
    own = (f for f in request.flags if f not in shared)
    flags = [f"-arch={architecture}", *(f for f in shared if not f.startswith("-arch=")), *own]
    machine_code = architecture.startswith("sm_")
    done = find_nvrtc().compile(text, flags, name="samebytes.cu", cubin=machine_code, wanted=wanted)
    if not done.ok:
        raise CompileError(f"CUDA's compiler refused the source:\n{done.log}", done.log, ("NVRTC", *flags))
    return done


def _of_file(request: Request, main: Path, module: Module, library: Path) -> tuple[Module, list[str]]:
    """Keep code that others compiled; NVRTC proves what was read of its header, of which no code is used."""
    file = Path(request.library or "")
    code = file.read_bytes()
    if is_fatbin(code):
        code = chosen_code(fatbin_code(code), request.arch)
    module = defined_kernels(module, code)
    virtual = f"compute_{request.arch.removeprefix('sm_').rstrip('af')}"
    _compiled(request, main, module, library.parent, virtual)
    (library.parent / CUBIN).write_bytes(code)
    return module, [str(file)]


def defined_kernels(module: Module, code: bytes) -> Module:
    """The module without kernels that are only declared."""
    known = every_kernel(code)
    for kernel in module.functions:
        if kernel.instance and kernel.symbol not in known:
            raise InstantiationError(kernel.instance, UNDEFINED, crossing=True)
    gone = [f for f in module.functions if f.symbol not in known]
    skipped = [Skipped(f.qualified, "kernel", UNDEFINED, f.location or Location("", 0)) for f in gone]
    left = tuple(f for f in module.functions if f.symbol in known)
    named = variable_sizes(code)
    there, lost = _told((v, "" if v.symbol in named else _NO_VARIABLE) for v in module.variables)
    return replace(module, functions=left, variables=there, skipped=(*module.skipped, *skipped, *lost))
