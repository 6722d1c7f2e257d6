"""Files that were looked for and not found: were they there now, the build would be another one."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..later import later_pattern
from .directives import directives

_QUOTED = later_pattern(rb'#[ \t]*(?:include|import)[ \t]*"([^"\n]+)"')
_HAS_INCLUDE = later_pattern(rb"__has_include(?:_next)?\s*\(\s*[<\"]([^>\"]+)[>\"]")
_FEW = 4  # names in a folder: each is asked about; of more, the folder says at once which are there


def absent(read: Iterable[str], directories: tuple[str, ...]) -> list[str]:
    """The paths that would shadow an included file, or satisfy a ``__has_include``, and do not exist.

    Of those in a folder that is not there, that folder stands for all.

    Parameters
    ----------
    read : iterable of str
        Absolute paths of the files that were read.
    directories : tuple of str
        The directories searched for ``#include``, in order: the user's, then the compiler's.
    """
    files = sorted(set(read))
    candidates: dict[str, set[str]] = defaultdict(set)
    for folder, names in _shadows(files, directories):
        candidates[folder] |= names
    users = [file for file in files if not file.startswith(("/usr/include", "/usr/lib"))]
    for path in (path for file in users for path in _asked(file, directories)):
        folder, name = _split(path)
        candidates[folder].add(name)
    there: dict[str, bool] = {}
    return sorted({path for folder, names in candidates.items() for path in _missing(folder, names, there)})


def _shadows(files: Iterable[str], directories: tuple[str, ...]) -> Iterator[tuple[str, set[str]]]:
    """Where the compiler looks before the directory in which it found a file: a folder, and names in it."""
    absolute = [*map(os.path.abspath, directories)]
    inside = [(index, directory + os.sep) for index, directory in enumerate(absolute)]
    found: dict[tuple[int, str], set[str]] = defaultdict(set)
    for file in files:
        for index, start in inside:
            if file.startswith(start):
                folder, name = _split(file[len(start) :])
                found[index, folder].add(name)
                break
    for (index, folder), names in found.items():
        for earlier in absolute[:index]:
            yield os.path.join(earlier, folder), names


def _split(path: str) -> tuple[str, str]:
    """A folder with the separator behind it, and a name."""
    at = path.rfind(os.sep) + 1
    return path[:at], path[at:]


def _asked(file: str, directories: tuple[str, ...]) -> Iterator[str]:
    try:
        with open(file, "rb") as opened:
            text = opened.read()
    except OSError:
        return
    # Is looked for beside the file that names it, before anywhere else.
    for found in directives(_QUOTED, text):
        yield os.path.abspath(os.path.join(os.path.dirname(file), os.fsdecode(found[1])))
    for name in _HAS_INCLUDE.findall(text):
        for directory in (os.path.dirname(file), *directories):
            yield os.path.abspath(os.path.join(directory, os.fsdecode(name)))


def _missing(folder: str, names: set[str], there: dict[str, bool]) -> Iterator[str]:
    """The paths of those of some names that nothing in a folder has, or the outermost folder that is not there.

    ``there`` says of folders whether they are, as far as it was asked.
    """
    if (missing := _outermost(folder.rstrip(os.sep), there)) is not None:
        yield missing
        return
    listed = _listed(folder) if len(names) > _FEW else None
    for name in names:
        if not _may_be(name, listed) or not os.path.exists(folder + name):
            yield folder + name


def _outermost(folder: str, there: dict[str, bool]) -> str | None:
    """Of a folder that is not there, the outermost around it that is not, or itself; None where it is there."""
    missing, path = None, folder
    while path and not there.get(path):
        if path not in there:
            there[path] = os.path.exists(path)
            if there[path]:
                break
        missing, path = path, path.rpartition(os.sep)[0]
    return missing


def _listed(folder: str) -> frozenset[str] | None:
    """What is in a folder, in small letters, as some file systems take any; None of one that does not say so."""
    try:
        return frozenset(map(str.lower, os.listdir(folder)))
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    except (OSError, ValueError):
        return None


def _may_be(name: str, listed: frozenset[str] | None) -> bool:
    return listed is None or not name.isascii() or name in ("", ".", "..") or name.lower() in listed
