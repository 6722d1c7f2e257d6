"""Which files belong to a header's library, so that their declarations are exposed (the guide's "C libraries")."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase

from ..clang.parse import ParsedUnit

# Headers of the C library say so by including one of these; its parts live in these folders.
_LIBC_MARKS = re.compile(rb"^\s*#\s*include\s*<(features\.h|bits/libc-header-start\.h)>", re.MULTILINE)
_MARKS = (b"<features.h>", b"<bits/libc-header-start.h>")
_LIBC_FOLDERS = frozenset({"bits", "sys", "gnu", "asm", "asm-generic", "linux"})
# The compiler's own directories, which belong to no library.
_COMPILER = re.compile(r"/c\+\+/|/lib(32|64|exec)?/(gcc|clang|llvm)")


class Files:
    """The rule for one unit.

    Attributes
    ----------
    is_system : bool
        Whether the header lies under a system include directory.
    """

    def __init__(self, unit: ParsedUnit, patterns: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> None:
        self._unit = unit
        self._only = frozenset(only)
        self._patterns = patterns
        self._known: dict[str, bool] = {}
        request = unit.request
        self._main = unit.real_path(request.path)
        roots = [root for root in map(unit.real_path, request.system_includes) if _under(self._main, root)]
        self._root = max(roots, key=len) if roots else None
        self._roots = {unit.real_path(root) for root in request.system_includes if not _COMPILER.search(root)}
        self._libc = self._root is not None and self._is_libc(request.path)
        self.is_system = self._root is not None

    def exposes(self, name: str) -> bool:
        """Whether the declarations of a file are exposed."""
        if name not in self._known:
            self._known[name] = self._exposes(name)
        return self._known[name]

    def some(self, pattern: str) -> bool:
        """Whether a pattern means one of the files that the parser read."""
        return any(_matches(self._unit.real_path(name), pattern) for name in self._unit.included())

    def _exposes(self, name: str) -> bool:
        if name == self._unit.request.main:
            return False
        path = self._unit.real_path(name)
        if any(_matches(path, p) for p in self._patterns):
            return True
        if self._only:
            return path in self._only
        if path == self._main:
            return True
        if self._root is None:
            return self._unit.request.text is None and os.path.dirname(path) == os.path.dirname(self._main)
        return self._same_library(name, path)

    def _same_library(self, name: str, path: str) -> bool:
        """Of a header under a system include directory: whether a file belongs to its library."""
        here = os.path.dirname(self._main)
        if here not in self._roots:
            return _under(path, here)
        folder = next((root for root in self._roots if os.path.dirname(path) == root), None)
        if self._libc:
            return self._is_libc(name)
        if self._unit.request.dialect == "cuda":
            return _family(path) == _family(self._main)
        own = os.path.join(here, os.path.splitext(os.path.basename(self._main))[0])
        return (folder is not None and not self._is_libc(name)) or _under(path, own)

    def _is_libc(self, name: str) -> bool:
        path = self._unit.real_path(name)
        for root in self._roots:
            if _under(path, root):
                first = os.path.relpath(path, root).split(os.sep)[0]
                if first in _LIBC_FOLDERS:
                    return True
        text = self._unit.text(name)
        return any(mark in text for mark in _MARKS) and bool(_LIBC_MARKS.search(text))


def _matches(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) or fnmatchcase(os.path.basename(path), pattern)


def _family(path: str) -> str:
    """CUDA's libraries share one directory: ``curand_kernel.h`` includes ``curand_uniform.h``, its own."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return stem if stem.startswith("cuda_") else stem.partition("_")[0]


def _under(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
