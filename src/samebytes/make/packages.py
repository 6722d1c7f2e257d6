"""Build settings that others state: pkg-config, CMake, a project's compilation database, installation prefixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..forks import importing
from ..toolchain.flags import SortedFlags, sort_flags
from ..toolchain.prefixes import found_prefixes, inside
from .options import strings

# What is asked gets the names, the prefixes, and the file that is bound.
_Asked = Callable[[tuple[str, ...], tuple[str, ...], str | None], Iterable[str]]


def _pkg(names: tuple[str, ...], prefixes: tuple[str, ...], file: str | None) -> Iterable[str]:
    with importing:  # a process that finds its library in the cache, and names no package, starts nothing
        from ..toolchain.pkg_config import package_flags

    return package_flags(names, prefixes)


def _cmake(names: tuple[str, ...], prefixes: tuple[str, ...], file: str | None) -> Iterable[str]:
    with importing:
        from ..toolchain.cmake import target_flags

    return target_flags(names, prefixes)


# The options that name packages, and who says their flags.
_PACKAGES: dict[str, _Asked] = {"pkg": _pkg, "cmake": _cmake}
_FOUND_IN = ("include_dirs", "library_dirs")


def stated(given: Mapping[str, Any], file: str | None) -> dict[str, Any]:
    """The options with what others state, as :func:`samebytes.make.request.with_packages` says."""
    every = dict(given)
    prefixes = found_prefixes(strings(given["prefixes"], "prefixes"))
    for option, asked in _PACKAGES.items():
        if names := strings(given[option], option):
            every = _with(every, sort_flags(asked(names, prefixes, file), includes=True))
    places = {"include_dirs": inside(prefixes, "include"), "library_dirs": inside(prefixes, "lib")}
    every = _added(every, places)
    if given["compile_commands"] is not None:
        every = _as_commanded(every, file)
    return _sanitized(every) if given["sanitize"] is not None else every


def _with(given: Mapping[str, Any], found: SortedFlags) -> dict[str, Any]:
    # A package may name folders that another package has: pkg-config says them all the same.
    places = {name: tuple(filter(os.path.isdir, getattr(found, name))) for name in _FOUND_IN}
    return _added(given, {"flags": (*found.compiler, *found.linker), "libraries": found.libraries, **places})


def _added(given: Mapping[str, Any], more: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    return {
        **given,
        **{name: (*strings(given[name], name), *values) for name, values in more.items() if values},
    }


def _sanitized(given: Mapping[str, Any]) -> dict[str, Any]:
    """The flags of a sanitizer, before those that are given, which count."""
    with importing:
        from ..toolchain.sanitizers import sanitizer_flags

    return {**given, "flags": (*sanitizer_flags(given["sanitize"]), *strings(given["flags"], "flags"))}


def _as_commanded(given: Mapping[str, Any], file: str | None) -> dict[str, Any]:
    """The flags of the project's build, before those that are given, which count."""
    with importing:
        from ..toolchain.compile_commands import commanded_flags

    (where,) = strings(given["compile_commands"], "compile_commands")
    found = sort_flags(commanded_flags(where, file), includes=True)
    spoken = tuple(f for f in found.compiler if given["std"] is None or not f.startswith("-std="))
    added = _added(given, {"include_dirs": tuple(filter(os.path.isdir, found.include_dirs))})
    return {**added, "flags": (*spoken, *found.linker, *strings(given["flags"], "flags"))}
