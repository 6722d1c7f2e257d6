"""Builds what a request asks for: reads the header, writes the shims, compiles, stores model and library."""

from __future__ import annotations

import os
import pickle
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from . import headers, portable
from .applying import apply_intents, describe
from .curating import curate, rename
from .errors import BindError, CompileError
from .generate.base import part
from .generate.shims import GENERATORS
from .generate.shims.direct import DIRECT
from .headers.model import Module, Skipped, Variable
from .request import CUDA_HOST, INCLUDE, Request, is_c_source
from .signature import Location, Signature
from .toolchain import Inputs, build_library, default_cache, find_compiler, system_includes
from .toolchain.cache import digest, file_digest
from .toolchain.compilers import Compiler, environment_facts
from .toolchain.driver import UndefinedSymbols, Unit, check_syntax, compile_object
from .toolchain.lookups import absent
from .version import __version__

_MODEL, _LIBRARY = "model.pickle", "library.so"
_EXTENSION = {"c++": "cpp", "c": "c"}
# Words that clang or g++ did not know, of those that CUDA's compiler knows without an #include.
_CUDA_ONLY = re.compile(
    r"[‘'](__device__|__host__|__global__|__constant__|__forceinline__|__launch_bounds__|__align__|dim3"
    r"|(u?(char|short|int|long|longlong)|float|double)[1-4])[’']"
)
_COMPILE = ("-O3", "-fvisibility=hidden", "-w")


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build.

    Attributes
    ----------
    module : Module
        With intents applied, and without what no library defines.
    library : Path
    """

    module: Module
    library: Path


def build(request: Request) -> Built:
    """The build of a request, from the cache where it is there."""
    compiler = find_compiler("c++")
    companion = find_compiler("c") if _needs_c(request) else compiler
    key = [
        __version__,
        _own_sources(),
        request.facts(),
        compiler.identity,
        companion.identity,
        environment_facts(),
    ]
    entry = default_cache().get(key, lambda work: _make(request, work))
    module: Module = pickle.loads(entry.file(_MODEL).read_bytes())
    return Built(module, entry.file(_LIBRARY))


@cache
def _own_sources() -> str:
    """The digest of this package's own sources, so that a changed checkout builds anew."""
    here = Path(__file__).parent
    files = sorted(f for kind in ("*.py", "*.[ch]pp", "*.h") for f in here.rglob(kind))
    return digest("".join(file_digest(str(f)) or "" for f in files).encode())


def _needs_c(request: Request) -> bool:
    return request.language != "c++" or any(map(is_c_source, request.sources))


def _make(request: Request, work: Path) -> Inputs:
    main = _main_file(request, work)
    try:
        module, request = _read_for_host(request, main, work)
        module = curate(_named_as_given(module, work), request.curation)
        module = rename(apply_intents(module, request.intents), request.curation)
        module, used = _compile(request, main, module, work)
    except CompileError as error:
        raise error.renamed(f"{work}{os.sep}", "") from None
    (work / _MODEL).write_bytes(pickle.dumps(module))
    read = (*module.included, str(main), *request.sources, *used, *request.archives())
    searched = (*request.includes(), *system_includes(find_compiler(module.language)))
    return Inputs(read, absent(read, searched))


def _compile(request: Request, main: Path, module: Module, work: Path) -> tuple[Module, list[str]]:
    """The library, without the functions that nothing defines; and the files that the compiler read."""
    compiler = find_compiler(module.language)
    shims = work / f"shims.{_EXTENSION[module.language]}"
    while True:
        shims.write_text(_text(request, main, module))
        try:
            used = build_library(
                _units(request, shims, module.language, compiler), work / _LIBRARY,
                linker=find_compiler("c++"), link_flags=(*_report(request, compiler), *_link_flags(request)),
            )  # fmt: skip
            return module, used
        except UndefinedSymbols as error:
            module = _without(module, error)


def _link_flags(request: Request) -> tuple[str, ...]:
    return portable.link_flags(request) if request.portable else request.link_flags()


def _text(request: Request, main: Path, module: Module) -> str:
    """The shims; those that compiled code calls stand behind those of Python."""
    text = GENERATORS[module.language].emit(module, _prologue(request, main, module))
    if request.portable:
        text = f"{text}{portable.stamp(request, str(main), module)}\n"
    if request.target == "host":
        return text
    return "\n".join([DIRECT.prologue(module.language), text, DIRECT.emit(module), ""])


def _report(request: Request, compiler: Compiler) -> tuple[str, ...]:
    """The object that turns C++ exceptions into error records; it is compiled once for each compiler."""
    if compiler.language != "c++":
        return ()
    flags = (*_COMPILE, *request.abi_flags("c++"))
    text = part("report.cpp")

    def make(work: Path) -> Inputs:
        source = work / "report.cpp"
        source.write_text(text)
        return Inputs(tuple(compile_object(Unit(source, compiler, flags), work / "report.obj")))

    key = ["report", digest(text.encode()), compiler.identity, flags, environment_facts()]
    return (str(default_cache().get(key, make).file("report.obj")),)


def _main_file(request: Request, work: Path) -> Path:
    if request.source is None:
        assert request.main is not None
        return Path(request.main)
    # Beside the shims: its messages then name it "source.cpp", with the user's own line numbers.
    main = work / f"source.{_EXTENSION[request.language or 'c++']}"
    main.write_text(request.source)
    return main


def _read(request: Request, main: Path, work: Path) -> Module:
    language = request.language
    compiler = find_compiler(language or "c++")
    try:
        module = headers.read(
            main,
            language=language,
            flags=request.shared_flags(language),
            include_dirs=request.includes(),
            system_includes=system_includes(compiler),
            expose=request.expose,
            only=request.curation.files,
        )
    except BindError:
        # The compiler words a broken source better than the parser; if it accepts the source, the parser's word stands.
        check_syntax(Unit(main, compiler, _flags(request, language or "c++")))
        raise
    if not module.functions and not module.records:
        check_syntax(Unit(main, compiler, _flags(request, module.language)))
    return module


def _read_for_host(request: Request, main: Path, work: Path) -> tuple[Module, Request]:
    """Read the header; one that only CUDA's compiler would understand is read again with what that compiler knows."""
    try:
        module = _read(request, main, work)
        missed = any(_CUDA_ONLY.search(s.reason) for s in module.skipped)
    except (BindError, CompileError) as error:
        if not _CUDA_ONLY.search(str(error)):
            raise
        missed = True
    if missed:
        request = replace(
            request, language="c++", flags=(*request.flags, "-include", str(INCLUDE / CUDA_HOST))
        )
        module = replace(_read(request, main, work), prelude=(CUDA_HOST,))
    return module, request


def _named_as_given(module: Module, work: Path) -> Module:
    """Locations in source text say ``source.cpp``, not the directory in which it happened to be compiled."""

    def moved(items: Any) -> Any:
        return tuple(replace(i, location=_short(i.location, work)) for i in items)

    return replace(
        module,
        functions=moved(module.functions),
        constants=moved(module.constants),
        variables=moved(module.variables),
        aliases=moved(module.aliases),
        skipped=moved(module.skipped),
    )


def _short(location: Location | None, work: Path) -> Location | None:
    if location is None or Path(location.file).parent != work:
        return location
    return replace(location, file=Path(location.file).name)


def _flags(request: Request, language: str) -> tuple[str, ...]:
    includes = [flag for directory in request.includes() for flag in ("-I", directory)]
    return (
        *_COMPILE,
        *request.shared_flags(language),
        *includes,
        *(("-Wno-invalid-offsetof",) if language == "c++" else ()),
    )


def _prologue(request: Request, main: Path, module: Module) -> str:
    include = f'#include "{main.name if request.source is not None else main}"'
    if request.portable:
        before = [f"#include <{name}>" for name in module.prelude]
        include = "\n".join([*before, f"#include {portable.include_name(request, str(main))}"])
    # A macro of a function's or a field's name would stand in for it in every expression of the shims.
    fields = {field.name for record in module.records for field in record.fields}
    names = sorted({f.qualified for f in module.functions if f.qualified.isidentifier()} | fields)
    return "\n".join([include, *(f"#undef {name}" for name in names)])


def _units(request: Request, shims: Path, language: str, compiler: Compiler) -> list[Unit]:
    more = portable.flags(request, request.main) if request.portable and request.main else ()
    units = [Unit(shims, compiler, (*_flags(request, language), *more))]
    for source in request.sources:
        spoken = "c" if is_c_source(source) else "c++"
        own = request if spoken == language or request.std is None else replace(request, std=None)
        units.append(Unit(Path(source), find_compiler(spoken), (*_flags(own, spoken), *more)))
    return units


def _without(module: Module, error: UndefinedSymbols) -> Module:
    """The module without the functions that no library defines; the link error itself if that explains nothing."""
    gone = [f for f in module.functions if _is_missing(f, error.symbols)]
    lost = [v for v in module.variables if _is_missing(v, error.symbols)]
    if not gone and not lost:
        raise error
    reason = "it is declared, but no source or library given defines it (sources=, libraries=)"
    skipped = [Skipped(describe(f), "function", reason, f.location or Location("", 0)) for f in gone]
    skipped += [Skipped(v.qualified, "variable", reason, v.location or Location("", 0)) for v in lost]
    rest = tuple(f for f in module.functions if f not in gone)
    kept = tuple(v for v in module.variables if v not in lost)
    return replace(module, functions=rest, variables=kept, skipped=(*module.skipped, *skipped))


def _is_missing(signature: Signature | Variable, symbols: frozenset[str]) -> bool:
    """Whether the linker named this function, by its symbol or (zig's linker) by its C++ name."""
    if (signature.symbol or signature.qualified) in symbols:
        return True
    return any(name.partition("(")[0] == signature.qualified for name in symbols)
