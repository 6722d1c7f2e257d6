"""From a header, options and a configuration to the request that decides a build."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .capi import Allocation, parse_allocations
from .config import Config, Given, load
from .config.known import files, folders
from .errors import BindError
from .headers.clang.finding import locate
from .make.request import Paths, Request, is_c_source, normal_request, paths, strings
from .options import check_options
from .toolchain import (
    ROCM_ADVICE,
    find_compiler,
    find_nvrtc,
    is_rocm,
    rocm_defines,
    rocm_includes,
    system_includes,
)
from .toolchain.verifying import file_digest


def header_request(
    header: str | os.PathLike[str] | None,
    *,
    dialect: str = "cxx",
    name: str | None = None,
    language: str | None = None,
    std: str | None = None,
    flags: Sequence[str] = (),
    defines: Sequence[str] = (),
    include_dirs: Paths = (),
    libraries: Sequence[str] = (),
    library_dirs: Paths = (),
    sources: Paths = (),
    expose: Sequence[str] = (),
    arg_intent: Mapping[str, Mapping[Any, object]] | None = None,
    config: Given | None = None,
    target: str = "host",
    library: str | os.PathLike[str] | None = None,
    style: str | None = None,
    allocations: Mapping[str, Mapping[str, Any]] | None = None,
    texts: Sequence[str] = (),
    unchecked_formats: bool | Sequence[str] = (),
    instantiate: Sequence[str] = (),
) -> Request:
    """The request for a header; the parameters are those of :func:`samebytes.bind`.

    Raises
    ------
    BindError, IntentError
        If a file does not exist, or something given is not of its kind.
    """
    check_options(
        "bind", header=header, dialect=dialect, name=name, language=language, std=std, arg_intent=arg_intent,
        target=target, library=library, style=style, allocations=allocations,
    )  # fmt: skip
    settings = load(config)
    every = lists(
        settings, sources=sources, flags=flags, defines=defines, include_dirs=include_dirs,
        libraries=libraries, library_dirs=library_dirs, expose=expose,
    )  # fmt: skip
    asked = os.fspath(header) if header is not None else settings["Entry Point"] or ""
    every["include_dirs"] = (*every["include_dirs"], *rocm_includes(asked))
    every["defines"] = (*every["defines"], *rocm_defines(asked, (*every["defines"], *every["flags"])))
    directories = paths(every["include_dirs"], "include_dirs")
    spoken = "c" if style == "c_api" else None
    language = language_of(language or settings["Language"], None, spoken)
    main = _header(header, settings, directories, language, target)
    settings.report(target, _replaced(header, main, settings), stacklevel=4)
    return normal_request(
        name or settings.library or Path(main).stem,
        source=None,
        main=main,
        dialect=dialect,
        language=language_of(language, main, None),
        std=std or settings["Standard"],
        **every,
        arg_intent=settings.intents(arg_intent),
        curation=settings.curation,
        target=target,
        library=_library(library),
        style=_style(style),
        allocations=_allocations(settings, allocations, style),
        texts=(*strings(texts, "texts"), *settings["Texts"]),
        known=_known(style),
        unchecked=(*_unchecked(unchecked_formats), *settings["Unchecked Formats"]),
        instantiate=(*strings(instantiate, "instantiate"), *settings["Instantiate"]),
    )


def _known(style: str | None) -> tuple[tuple[str, str], ...]:
    """The user's files about libraries, each with its digest, which decides whether a build is still right."""
    if style is None:
        return ()
    return tuple((path, file_digest(path) or "") for path in files(folders()))


def _unchecked(given: bool | Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, bool):
        return ("*",) if given else ()
    return strings(given, "unchecked_formats")


def _library(library: str | os.PathLike[str] | None) -> str | None:
    """A library as the dynamic linker takes it: a path is made absolute, a name is looked for."""
    if library is None:
        return None
    name = strings(library, "library")[0]
    return os.path.abspath(name) if os.sep in name else name


def _style(style: str | None) -> str:
    if style not in (None, "c_api"):
        raise BindError(f"style is 'c_api' or left out, got {style!r}")
    return style or ""


def _allocations(settings: Config, given: Any, style: str | None) -> tuple[Allocation, ...]:
    """The functions that allocate; where both speak of one, Python's words count."""
    found = {
        one.function: one
        for one in (*settings["Allocations"], *parse_allocations({} if given is None else given))
    }
    if found and style is None:
        raise BindError("allocations are for style='c_api'")
    return tuple(found.values())


# What is given in Python and what a configuration says add up.
_LISTS = {
    "sources": "Sources",
    "flags": "Compiler Flags",
    "defines": "Predefined Macros",
    "include_dirs": "Clang Include Paths",
    "libraries": "Libraries",
    "library_dirs": "Library Paths",
    "expose": "Expose",
}


def lists(settings: Config, **given: Paths) -> dict[str, Any]:
    """Every option that is a list: what was given, then what the configuration says."""
    return {option: (*strings(given[option], option), *settings[key]) for option, key in _LISTS.items()}


def _header(
    header: str | os.PathLike[str] | None,
    settings: Config,
    directories: tuple[str, ...],
    language: str | None,
    target: str,
) -> str:
    said = settings["Entry Point"]
    if header is not None:
        return _find_header(os.fspath(header), directories, language, target)
    if said is None:
        raise BindError("bind() needs a header, or a configuration with an Entry Point")
    beside = os.path.join(settings.folder, said)
    return _find_header(beside if os.path.isfile(beside) else said, directories, language, target)


def _replaced(header: str | os.PathLike[str] | None, main: str, settings: Config) -> dict[str, str]:
    """The Entry Point, where another header was given."""
    said = settings["Entry Point"]
    beside = os.path.join(settings.folder, said or "")
    same = header is None or said is None or os.path.realpath(beside) == os.path.realpath(main)
    return {} if same else {"Entry Point": f"bind() was given {header}"}


def _find_header(header: str, directories: tuple[str, ...], language: str | None, target: str) -> str:
    # C++ wraps C's own headers (<math.h>) in headers of the same names: the C library's are meant.
    languages = (language,) if language else ("c", "c++")
    system = [d for spoken in languages for d in system_includes(find_compiler(spoken))]
    if target == "numba_cuda":
        system = list(find_nvrtc().includes)
    found = locate(header, ("", *directories, *system))
    if found is not None:
        return found
    advice = "give its directory as include_dirs="
    if homes := _homes(header, system):
        advice = " or ".join(f"include_dirs=[{home!r}]" for home in homes) + " has one"
    if is_rocm(header):
        advice = f"{advice}; {ROCM_ADVICE}"
    raise BindError(
        f"bind(): no header {header!r} in the current directory, in include_dirs, or where the compiler looks; {advice}"
    )


def _homes(header: str, system: list[str]) -> list[str]:
    """Directories below those of the compiler that have a header, as libxml2's and MPI's do."""
    named = glob.escape(header)
    folders = [
        *(f"{glob.escape(d)}/{inner}" for d in system for inner in ("*", "*/*")),
        "/usr/lib/*/*/include",
    ]
    found = (
        path for folder in folders for path in glob.iglob(f"{folder}/{named}") if not os.path.isabs(header)
    )
    return sorted({path[: -len(header) - 1] for path in found})[:3]


def language_of(language: str | None, main: str | None, otherwise: str | None) -> str | None:
    """The language that is asked for, that a file's name says, or the given one.

    Raises
    ------
    BindError
        If there is no such language.
    """
    if language not in (None, "c", "c++"):
        raise BindError(f"language is 'c' or 'c++', got {language!r}")
    if language is None and main is not None and is_c_source(main):
        return "c"
    return language or otherwise
