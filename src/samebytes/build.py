"""compile() and bind(): from C++ source or a header to a library of Python functions."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from .backends import backend_for
from .errors import BindError, BindWarning
from .headers.model import Module
from .intents import IN, suggest
from .library import Library, Namespace
from .link import Linker, populate
from .make import build
from .request import Request, normal_intents, paths, strings
from .toolchain import find_compiler, system_includes

_Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
_NoGil = bool | Collection[str]

# What the library was built from -> the library; a pickled function finds its library here.
_live: dict[Request, Library] = {}


def compile(
    source: str | os.PathLike[str],
    *,
    dialect: str = "cxx",
    name: str | None = None,
    language: str | None = None,
    std: str | None = None,
    flags: Sequence[str] = (),
    defines: Sequence[str] = (),
    include_dirs: _Paths = (),
    libraries: Sequence[str] = (),
    library_dirs: _Paths = (),
    sources: _Paths = (),
    expose: Sequence[str] = (),
    arg_intent: Mapping[str, Mapping[Any, object]] | None = None,
    types: Mapping[str, type] | None = None,
    nogil: _NoGil = True,
) -> Library:
    """Compile C++ source and bind what it declares.

    Parameters
    ----------
    source : str or path
        A ``str`` is source text, a ``Path`` is a file.
    dialect : str
        The language whose compiler decides layout: ``"cxx"``.
    name : str, optional
        The library's name in messages and reprs.
    language : {"c", "c++"}, optional
        Overrides what the file's name says.
    std : str, optional
        The language standard, ``"c++20"``; the default is ``gnu++17`` (``gnu17`` for C).
    flags, defines : sequence of str
        Passed to the parser and the compiler alike: ``["-march=native"]``, ``["N=4"]``.
    include_dirs, library_dirs, sources : path or sequence of paths
        Where to look for headers and libraries; further files to compile and link in.
    libraries : sequence of str
        Libraries to link: ``"z"``, ``"libz.so.1"``, or a path.
    expose : sequence of str
        Shell-style patterns of further files or declarations to bind.
    arg_intent : mapping
        ``{"frexp": {1: "out_return"}}``: intents by function, and parameter name or 0-based index.
    types : mapping of str to type
        ``{"ns::Sun": Sun}``: results of that C++ struct are instances of this ``@sb.struct`` class.
    nogil : bool or collection of str
        Whether the GIL is released around the C++ code, or the names of the functions for which it is.
        Releasing costs some 20 ns a call.

    Returns
    -------
    Library
        ``lib.f(...)``, ``lib.Record(...)``, ``lib.CONSTANT``, ``lib.namespace.f``; what could not be bound is in
        ``lib.__skipped__`` with its reason.

    Raises
    ------
    CompileError
        With the compiler's own messages and the line of the source.
    BindError
        If a file, a function, a parameter or a name given here does not exist.
    """
    text = None if isinstance(source, os.PathLike) else source
    main = paths(source, "source")[0] if isinstance(source, os.PathLike) else None
    if text is not None and not isinstance(text, str):
        raise BindError(f"compile() takes source text (str) or a file (Path), got {source!r}")
    if text is not None and "\n" not in text and os.path.exists(text):
        raise BindError(f"compile() takes a str as source text; for the file write compile(Path({text!r}))")
    request = _request(
        name or (Path(main).stem if main else f"cxx_{hashlib.sha256((text or '').encode()).hexdigest()[:8]}"),
        text, main, dialect, language, std, flags, defines, include_dirs, libraries, library_dirs, sources, expose,
        arg_intent,
    )  # fmt: skip
    return _library(request, types or {}, nogil)


def bind(
    header: str | os.PathLike[str],
    *,
    dialect: str = "cxx",
    name: str | None = None,
    language: str | None = None,
    std: str | None = None,
    flags: Sequence[str] = (),
    defines: Sequence[str] = (),
    include_dirs: _Paths = (),
    libraries: Sequence[str] = (),
    library_dirs: _Paths = (),
    sources: _Paths = (),
    expose: Sequence[str] = (),
    arg_intent: Mapping[str, Mapping[Any, object]] | None = None,
    types: Mapping[str, type] | None = None,
    nogil: _NoGil = True,
) -> Library:
    """Bind what a header declares.

    Parameters
    ----------
    header : str or path
        A file, or a name that ``#include`` would find: ``"math.h"``, ``"gsl/gsl_sf.h"``. It is looked for in the
        current directory, in ``include_dirs``, then where the compiler looks.
    sources, libraries, library_dirs
        Where the declared functions are defined; a header-only library needs none.

    The other parameters, the result and the errors are those of :func:`compile`. A function that is declared and
    that nothing defines is skipped with that reason.
    """
    directories = paths(include_dirs, "include_dirs")
    main = _find_header(os.fspath(header), directories, language)
    request = _request(
        name or Path(main).stem, None, main, dialect, language, std, flags, defines, directories, libraries,
        library_dirs, sources, expose, arg_intent,
    )  # fmt: skip
    return _library(request, types or {}, nogil)


def _find_header(header: str, directories: tuple[str, ...], language: str | None) -> str:
    # C++ wraps C's own headers (<math.h>) in headers of the same names: the C library's are meant.
    languages = (language,) if language else ("c", "c++")
    system = [d for spoken in languages for d in system_includes(find_compiler(spoken))]
    for directory in ("", *directories, *system):
        candidate = os.path.abspath(os.path.join(directory, header))
        if os.path.isfile(candidate):
            return candidate
    raise BindError(
        f"bind(): no header {header!r} in the current directory, in include_dirs, or where the compiler looks; "
        "give its directory as include_dirs="
    )


def _request(
    name: str, source: str | None, main: str | None, dialect: str, language: str | None, std: str | None,
    flags: Sequence[str], defines: Sequence[str], include_dirs: _Paths, libraries: Sequence[str],
    library_dirs: _Paths, sources: _Paths, expose: Sequence[str],
    arg_intent: Mapping[str, Mapping[Any, object]] | None,
) -> Request:  # fmt: skip
    backend_for(dialect)
    if language not in (None, "c", "c++"):
        raise BindError(f"language is 'c' or 'c++', got {language!r}")
    if language is None and main is not None and Path(main).suffix == ".c":
        language = "c"
    if language is None and source is not None:
        language = "c++"
    return Request(
        name=name, source=source, main=main, sources=paths(sources, "sources"), dialect=dialect, language=language,
        std=std, flags=strings(flags, "flags"), defines=strings(defines, "defines"),
        include_dirs=paths(include_dirs, "include_dirs"), libraries=strings(libraries, "libraries"),
        library_dirs=paths(library_dirs, "library_dirs"), expose=strings(expose, "expose"),
        intents=normal_intents(arg_intent or {}),
    )  # fmt: skip


def _library(request: Request, types: Mapping[str, type], nogil: _NoGil) -> Library:
    built = build(request)
    loaded = backend_for(request.dialect).load(built.library)
    library = Library(request.name, built.module, str(built.library))
    linker = Linker(
        built.module,
        request.name,
        types,
        lambda qualified, data: (_restore_record, (request, qualified, data)),
    )
    populate(
        library, built.module, loaded, linker, _releases(built.module, nogil),
        lambda qualified: (_restore_plan, (request, qualified)), request.dialect,
    )  # fmt: skip
    _warn(request.name, built.module)
    _live.setdefault(request, library)
    return library


def _releases(module: Module, nogil: _NoGil) -> Callable[[str], bool]:
    if isinstance(nogil, bool):
        return lambda name: nogil
    chosen = {nogil} if isinstance(nogil, str) else set(nogil)
    known = {f.qualified for f in module.functions} | {f.name for f in module.functions}
    for name in sorted(chosen - known):
        raise BindError(f"nogil names an unknown function {name!r}.{suggest(name, sorted(known))}")
    return lambda name: name in chosen or name.rpartition("::")[2] in chosen


def _warn(name: str, module: Module) -> None:
    """Once per library: what was skipped, and which outputs are discarded."""
    sentences = []
    if module.skipped:
        shown = "".join(f"\n  {s}" for s in module.skipped[:3])
        more = f"\n  … and {len(module.skipped) - 3} more in __skipped__" if len(module.skipped) > 3 else ""
        sentences.append(
            f"{len(module.skipped)} of {module.exposed} declarations are not bound:{shown}{more}"
        )
    lost = [
        f"{f.qualified}({p.spelling} {p.name})" for f in module.functions for p in f.parameters
        if p.intent == IN and p.may_write and p.passing == "lvalue_ref"
    ]  # fmt: skip
    if lost:
        shown = ", ".join(lost[:3]) + (f", … ({len(lost)} in all)" if len(lost) > 3 else "")
        sentences.append(
            f"what C++ writes to {shown} is discarded (intent 'in'); choose 'out_return' in arg_intent to get it back"
        )
    if sentences:
        warnings.warn(f"{name}: " + "\n".join(sentences), BindWarning, stacklevel=4)


# --- pickling -----------------------------------------------------------------------------------------------------


def _again(request: Request) -> Library:
    if request not in _live:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BindWarning)
            _library(request, {}, True)
    return _live[request]


def _lookup(request: Request, qualified: str) -> Any:
    found: Any = _again(request)
    for part in qualified.split("::"):
        found = vars(found)[part] if isinstance(found, Namespace) else getattr(found, part)
    return found


def _restore_plan(request: Request, qualified: str) -> Any:
    """The plan of a pickled function; its builtin is an attribute of the plan."""
    return _lookup(request, qualified).__self__


def _restore_record(request: Request, qualified: str, data: bytes) -> Any:
    """A pickled record from its bytes."""
    return _lookup(request, qualified)._from_buffer(data)
