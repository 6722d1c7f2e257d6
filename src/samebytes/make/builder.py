"""Builds what a request asks for: reads the header, writes the shims, compiles, stores model and library."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import BindError, CompileError, InstantiationError
from ..later import later_pattern
from ..model.module import Module
from ..model.signature import Location
from ..read.curating import counts
from ..read.curating.applying import apply_intents
from ..read.curating.curation import curate, rename
from ..read.curating.keepers import apply_keepers
from ..read.curating.owners import apply_declared, apply_owners
from ..read.curating.unchecked import leave_unchecked
from ..read.exposed.listing import NotAlone
from ..read.header import list_header, read_header
from ..styles.c_api.texts import measure_texts
from ..styles.c_api.texts_by_name import name_texts
from ..toolchain.cache import Inputs
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.driver import CompileCommand, check_syntax
from ..toolchain.lookups import absent
from ..toolchain.mirrored import Mirrored
from ..toolchain.sharing import keeps_state
from ..toolchain.verifying import digest, file_digest
from . import device_code, hip_kernels, kernels, modules, overriding, styling, sycl_kernels, waiting
from . import used as of_programs
from .apart import check_whole, without
from .clashing import with_clashing
from .compiling import LARGE, compile_shims
from .files import LIBRARY, MODEL
from .model_data import encode
from .naming import may_list, write_names
from .request import CUDA_HOST, Request
from .standards import advised, check_standard
from .units import EXTENSION, compile_flags
from .verdicts import verdicts

# Words that clang or g++ did not know, of those that CUDA's compiler knows without an #include.
_CUDA_ONLY = later_pattern(
    r"[‘'](__device__|__host__|__global__|__constant__|__forceinline__|__launch_bounds__|__align__|dim3"
    r"|(u?(char|short|int|long|longlong)|float|double)[1-4])[’']"
)


# What a compiler of the host says of the code of kernels, and of their launches.
_KERNEL_CODE = later_pattern(
    r"[‘'](threadIdx|blockIdx|blockDim|gridDim|warpSize|__shared__|__sync\w+|__shfl\w+|__ldg)[’']"
    r"|__launch_bounds__|<<<"
)
_OF_A_DEVICE = "It is CUDA C++ for a device: dialect='cuda' compiles and launches its kernels."
# For the parser alone: what is a kernel is no function of the host's.
_MARKED = '-D__global__=__attribute__((annotate("global")))'


_Compile = Callable[[Request, Path, Module, Path], tuple[Module, list[str]]]


def make(request: Request, work: Path) -> Inputs:
    """Read, emit and compile what a request asks for, in a folder of its own; what it was made of.

    Raises
    ------
    NotAlone
        If the first of the names that are to be read alone is a matter of the header's other declarations.
    """
    main = _main_file(request, work)
    if may_list(request) and (listed := _listed(request, main, work)) is not None:
        return listed
    while True:
        try:
            return _make(request, main, work)
        except NotAlone as found:
            request = without(request, found)


def _make(request: Request, main: Path, work: Path) -> Inputs:
    try:
        if request.launches:
            module = _KERNELS[request.dialect]()[0](request, main)
        elif request.target == "numba_cuda":
            module = device_code.read_device(request, main)
        else:
            module, request = _read_for_host(request, main, work)
        if request.portable:  # a package compiles nothing
            module = replace(module, constructors=())
        check_standard(request, module.language)
        module = _named_as_given(module, request, work)
        if request.overriding:
            module = overriding.only_overriding(module)
        elif not request.alone:
            module = curate(module, request.curation)
        module = name_texts(module, request.texts)
        module, examined = styling.styled(module, request) if request.style else (module, ())
        # Kernels have no intents: what a .cu is given is for its functions of the host, which are read later.
        module = apply_intents(module, () if request.launches else request.intents, alone=request.alone)
        module = apply_declared(apply_owners(module, request.owns, alone=request.alone))
        module = measure_texts(
            apply_keepers(module, request.keeps, alone=request.alone or request.overriding)
        )
        if request.counts:
            module = counts.apply_counts(module, request.counts, alone=request.alone)
        module = with_clashing(leave_unchecked(module, request.unchecked), request)
        if not (request.alone or request.overriding):
            module = rename(module, request.curation)
        if request.used:
            module = of_programs.only_used(module, request.used)
        used: list[str] = []
        if waiting.waits(request, module) or (request.apart and not module.functions):
            waiting.begin(request, work)
        else:
            module, used = _compiler(request)(request, main, module, work / LIBRARY)
            if request.dialect == "cxx":
                module = replace(module, verdicts=verdicts(module, work / LIBRARY))
        if request.apart:
            check_whole(request, module)
    except (BindError, CompileError) as error:
        if (module_error := modules.refused_module(request, main)) is not None:
            raise module_error from None
        if not isinstance(error, CompileError):
            raise
        if request.dialect == "cxx" and _KERNEL_CODE.search(error.output):
            error = error.advised(_OF_A_DEVICE)
        raise advised(error, request, main).renamed(f"{work}{os.sep}", "") from None
    read = (*module.included, str(main), *request.sources, *used, *request.archives(), *map(str, examined))
    module = replace(_named_as_given(module, request, work), origin=_origin(request, read, work))
    (work / MODEL).write_bytes(encode(module))
    return Inputs(read, absent(read, _searched(request, module.language)))


def _searched(request: Request, language: str) -> tuple[str, ...]:
    """Where headers are looked for."""
    return (*request.includes(), *system_includes(find_compiler(language), request.flags))


def _listed(request: Request, main: Path, work: Path) -> Inputs | None:
    """A large header whose names are listed; None of one that is read."""
    found = list_header(main, expose=request.expose, only=request.curation.files, **_asked(request))
    if found is None or found.count <= LARGE:
        return None
    write_names(found, work)
    read = (*found.included, *request.archives())
    return Inputs(read, absent(read, _searched(request, found.language)))


def _asked(request: Request, marks: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the parser is asked with."""
    language = request.language
    spoken_in = (language,) if language else ("c", "c++")
    return {
        "language": language,
        "flags": (*request.shared_flags(language), *marks),
        "include_dirs": request.includes(),
        "system_includes": system_includes(find_compiler(language or "c++"), request.flags),
        "implied": Mirrored({spoken: compile_flags(request, spoken) for spoken in spoken_in}),
        "holders": request.holders,
    }


# How the kernels of a dialect are read and compiled, in files that are loaded for them; what their source is called.
_KERNELS: dict[str, Callable[[], tuple[Callable[[Request, Path], Module], _Compile]]] = {
    "cuda": lambda: (kernels.read_kernels, kernels.compile_kernels),
    "hip": lambda: (hip_kernels.read_hip_kernels, hip_kernels.compile_hip_kernels),
    "sycl": lambda: (sycl_kernels.read_sycl_kernels, sycl_kernels.compile_sycl_kernels),
}
_EXTENSIONS = {"cuda": "cu", "hip": "hip"}


def _compiler(request: Request) -> _Compile:
    if request.launches:
        return _KERNELS[request.dialect]()[1]
    return device_code.compile_device if request.target == "numba_cuda" else compile_shims


def _origin(request: Request, read: Iterable[str], work: Path) -> str:
    """What the code of a library is made of; empty where it has a state, or others' code does part of the work."""
    library = work / LIBRARY
    if request.libraries or request.library or not library.is_file() or keeps_state(library):
        return ""
    files = sorted({f"{path}={file_digest(path)}" for path in read if not path.startswith(f"{work}{os.sep}")})
    said = (
        request.source,
        request.main,
        request.sources,
        request.dialect,
        request.std,
        request.flags,
        request.defines,
    )
    return digest(repr((said, request.include_dirs, files)).encode())


def _main_file(request: Request, work: Path) -> Path:
    if request.source is None:
        assert request.main is not None
        return Path(request.main)
    # Beside the shims: its messages then name it "source.cpp", with the user's own line numbers.
    extension = (
        _EXTENSIONS.get(request.dialect, "cpp") if request.launches else EXTENSION[request.language or "c++"]
    )
    main = work / f"source.{extension}"
    main.write_text(request.source)
    return main


def _read(request: Request, main: Path, work: Path, marks: tuple[str, ...] = ()) -> Module:
    language = request.language
    compiler = find_compiler(language or "c++")
    try:
        module = read_header(
            main,
            **_asked(request, marks),
            expose=request.expose,
            names=request.names,
            apart=request.apart,
            only=request.curation.files,
            instances=request.instances,
            alone=request.alone,
            patient=_is_patient(request),
        )
    except InstantiationError:
        raise
    except BindError:
        if request.apart:  # then all of the header is read, whatever it is
            raise
        # The compiler words a broken source better than the parser; if it accepts the source, the parser's word stands.
        check_syntax(CompileCommand(main, compiler, compile_flags(request, language or "c++")))
        raise
    if not module.functions and not module.records and not request.alone:
        check_syntax(CompileCommand(main, compiler, compile_flags(request, module.language)))
    return module


def _is_patient(request: Request) -> bool:
    """Whether what a header makes of its templates may be read when it is first used: a compiler is there then.

    Compiled code needs what it uses beforehand, and so does a package.
    """
    return request.target == "host" and not request.portable and not request.alone


def _read_for_host(request: Request, main: Path, work: Path) -> tuple[Module, Request]:
    """Read the header; one that only CUDA's compiler would understand is read with what that compiler knows."""
    if not request.speaks_cuda:
        try:
            module = _read(request, main, work)
            if not _misses_words(module):
                return module, request
        except InstantiationError:
            # C++ does not know a template behind a word that it does not know.
            if request.alone or not _is_for_cuda(replace(request, instances=()), main, work):
                raise
        except (BindError, CompileError) as error:
            if not _CUDA_ONLY.search(str(error)):
                raise
        request = request.speaking_cuda()
    return replace(_read(request, main, work, (_MARKED,)), prelude=(CUDA_HOST,)), request


def _is_for_cuda(request: Request, main: Path, work: Path) -> bool:
    """Whether a header has words of CUDA's compiler that the host's does not know."""
    try:
        return _misses_words(_read(request, main, work))
    except (BindError, CompileError) as error:
        return bool(_CUDA_ONLY.search(str(error)))


def _misses_words(module: Module) -> bool:
    return any(_CUDA_ONLY.search(skipped.reason) for skipped in module.skipped)


def _named_as_given(module: Module, request: Request, work: Path) -> Module:
    """Locations in source text say ``source.cpp``, not the directory in which it happened to be compiled."""
    if request.source is None:
        return module

    def moved(items: Any) -> Any:
        return tuple(replace(i, location=_short(i.location, work)) for i in items)

    return replace(
        module,
        functions=moved(module.functions),
        constants=moved(module.constants),
        variables=moved(module.variables),
        aliases=moved(module.aliases),
        templates=moved(module.templates),
        later=moved(module.later),
        skipped=moved(module.skipped),
        unbound=tuple(
            replace(u, signature=replace(u.signature, location=_short(u.signature.location, work)))
            for u in module.unbound
        ),
    )


def _short(location: Location | None, work: Path) -> Location | None:
    if location is None or Path(location.file).parent != work:
        return location
    return replace(location, file=Path(location.file).name)
