"""From a header, options and a configuration to the request that decides a build."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..call.c_api import allocating
from ..errors import BindError
from ..make.config import Config, load
from ..make.config.known_libraries import files, folders
from ..make.options import strings
from ..make.request import Request, configured, is_c_source, language_of, normal_request, paths
from ..read.clang.finding import locate
from ..styles.c_api.allocations import Allocation, parse_allocations
from ..toolchain import cuda
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.prefixes import CONDA, conda_prefix
from ..toolchain.rocm_api import ADVICE as ROCM_ADVICE
from ..toolchain.rocm_api import is_rocm, rocm_defines, rocm_includes
from ..toolchain.verifying import file_digest


def header_request(header: str | os.PathLike[str] | None, given: Mapping[str, Any]) -> Request:
    """The request for a header; ``given`` has every option of :func:`samebytes.bind`.

    Raises
    ------
    BindError, IntentError
        If a file does not exist, or something given is not of its kind.
    """
    settings = load(given["config"])
    asked = os.fspath(header) if header is not None else settings["Entry Point"] or ""
    beside = os.path.join(settings.folder, asked)
    file = beside if header is None and os.path.isfile(beside) else asked
    every = configured(given, settings, file or None, lambda said: (None, _header(header, settings, said)))
    every["include_dirs"] = (*every["include_dirs"], *rocm_includes(asked))
    every["defines"] = (*every["defines"], *rocm_defines(asked, (*every["defines"], *every["flags"])))
    style = every["style"] or ""
    main = _header(header, settings, every)
    settings.report(every["target"], _replaced(header, main, settings), stacklevel=4)
    language = language_of(_language(every), main, None) or _of_sources(main, every["sources"])
    return normal_request(
        every["name"] or settings.library or Path(main).stem,
        every,
        language=language,
        main=main,
        curation=settings.curation,
        library=_library(every["library"]),
        style=style,
        allocations=_allocations(settings, every["allocations"]),
        known=_known(style),
        lazily="" if every["eager"] else "names",
    )


def _language(given: Mapping[str, Any]) -> str | None:
    """The language that the options say."""
    return language_of(given["language"], None, "c" if given["style"] == "c_api" else None)


def _of_sources(header: str, sources: Any) -> str | None:
    """C, where every source is C's and the header says nothing to C++, to which its functions would be other ones."""
    if not header.endswith(".h") or not sources or not all(map(is_c_source, paths(sources, "sources"))):
        return None
    try:
        text = Path(header).read_text(encoding="utf-8", errors="replace")
    except OSError:  # no file of that name: one that the compiler finds
        return None
    return None if "__cplusplus" in text else "c"


def _known(style: str) -> tuple[tuple[str, str], ...]:
    """The user's files about libraries, each with its digest, which decides whether a build is still right."""
    if not style:
        return ()
    return tuple((path, file_digest(path) or "") for path in files(folders()))


def _library(library: str | os.PathLike[str] | None) -> str | None:
    """A library as the dynamic linker takes it: a path is made absolute, a name is looked for."""
    if library is None:
        return None
    name = strings(library, "library")[0]
    return os.path.abspath(name) if os.sep in name else name


def _allocations(settings: Config, given: Any) -> tuple[Allocation, ...]:
    """The functions that allocate; where both speak of one, Python's words count."""
    found = {
        one.function: one
        for one in (*settings["Allocations"], *parse_allocations({} if given is None else given))
    }
    for one in found.values():
        allocating.check_memory(one)
    return tuple(found.values())


def _header(header: str | os.PathLike[str] | None, settings: Config, given: Mapping[str, Any]) -> str:
    said = settings["Entry Point"]
    if header is None and said is None:
        raise BindError("bind() needs a header, or a configuration with an Entry Point")
    beside = os.path.join(settings.folder, said or "")
    asked = os.fspath(header) if header is not None else beside if os.path.isfile(beside) else said
    directories = paths(given["include_dirs"], "include_dirs")
    return _find_header(asked, directories, _language(given), given["target"])


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
        system = list(cuda.find_nvrtc().includes)
    found = locate(header, ("", *directories, *system))
    if found is not None:
        return found
    advice = "give its directory as include_dirs="
    if homes := _homes(header, system):
        advice = " or ".join(f"include_dirs=[{home!r}]" for home in homes) + " has one"
    conda = conda_prefix()
    if conda is not None and locate(header, (os.path.join(conda, "include"),)) is not None:
        advice = f"prefixes={CONDA!r} has one"
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
