"""Which files belong to a header's library, so that their declarations are exposed (the guide's "C libraries")."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from ..clang.parse import ParsedUnit
from .libraries import Included, Installed, Project, is_compilers, is_of_prefix, under

_DEEPEST = 8  # headers that only lead to others, one after the other
# A source, a text's or a file, includes what it uses, and stands for none of that.
_SOURCE_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".hip"})


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
        self._given = tuple(map(unit.real_path, request.include_dirs))
        self._system = tuple(map(unit.real_path, request.system_includes))
        self.is_system = any(under(self._main, root) for root in self._system)
        self._libraries: list[Project | Installed] | None = None

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
        if self._libraries is None:
            self._libraries = [] if self._unit.request.text is not None else self._found()
        return any(library.has(path) for library in self._libraries)

    def _found(self) -> list[Project | Installed]:
        """The library of the header, and those of the headers that it leads to where it declares nothing itself."""
        included = Included(self._unit)
        libraries, seen = [self._library(self._main, included)], {self._main}
        open_ = [self._main] if os.path.splitext(self._main)[1] not in _SOURCE_SUFFIXES else []
        for _ in range(_DEEPEST):
            further = {path for main in open_ for path in self._led_to(main, included, libraries)} - seen
            open_ = sorted(further)
            seen |= further
            libraries += [self._library(path, included) for path in open_]
        return libraries

    def _led_to(self, main: str, included: Included, libraries: list[Project | Installed]) -> list[str]:
        """The headers of other libraries that one stands for.

        A header of a compiler wraps one; others have a next one of their name, or include others and nothing else.
        """
        if is_compilers(main):
            return [path for path in included.files if os.path.basename(path) == os.path.basename(main)]
        direct = [path for path in included.by(main) if "/c++/" not in path] if included.leads(main) else []
        if wrapped := [*included.next_of(main)]:
            return wrapped
        return [] if any(library.has(path) for path in direct for library in libraries) else direct

    def _library(self, main: str, included: Included) -> Project | Installed:
        prefixes = [folder for folder in self._given if is_of_prefix(folder)]
        roots = (*self._system, *prefixes)
        if any(under(main, root) for root in roots):
            return Installed(self._unit, main, {root for root in roots if not is_compilers(root)})
        return Project(main, self._given, included)


def _matches(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) or fnmatchcase(os.path.basename(path), pattern)
