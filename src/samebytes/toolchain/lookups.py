"""Files that were looked for and not found: were they there now, the build would be another one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_QUOTED = re.compile(rb'^[ \t]*#[ \t]*(?:include|import)[ \t]*"([^"\n]+)"', re.MULTILINE)
_HAS_INCLUDE = re.compile(rb"__has_include(?:_next)?\s*\(\s*[<\"]([^>\"]+)[>\"]")


def absent(read: Iterable[str], directories: tuple[str, ...]) -> list[str]:
    """The paths that would shadow an included file, or satisfy a ``__has_include``, and do not exist.

    Parameters
    ----------
    read : iterable of str
        Absolute paths of the files that were read.
    directories : tuple of str
        The directories searched for ``#include``, in order: the user's, then the compiler's.
    """
    files = sorted(set(read))
    candidates = {path for file in files for path in _shadows(file, directories)}
    users = [file for file in files if not file.startswith(("/usr/include", "/usr/lib"))]
    candidates |= {path for file in users for path in _asked(file, directories)}
    return sorted(path for path in candidates if not os.path.exists(path))


def _shadows(file: str, directories: tuple[str, ...]) -> Iterator[str]:
    """Where the compiler looks before the directory in which it found the file."""
    for index, directory in enumerate(directories):
        inside = os.path.abspath(directory) + os.sep
        if file.startswith(inside):
            for earlier in directories[:index]:
                yield os.path.join(os.path.abspath(earlier), file[len(inside) :])
            return


def _asked(file: str, directories: tuple[str, ...]) -> Iterator[str]:
    try:
        text = Path(file).read_bytes()
    except OSError:
        return
    for name in _QUOTED.findall(text):  # is looked for beside the file that names it, before anywhere else
        yield os.path.abspath(os.path.join(os.path.dirname(file), os.fsdecode(name)))
    for name in _HAS_INCLUDE.findall(text):
        for directory in (os.path.dirname(file), *directories):
            yield os.path.abspath(os.path.join(directory, os.fsdecode(name)))
