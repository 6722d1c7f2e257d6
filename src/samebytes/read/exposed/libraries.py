"""Which files are of the same library as a header: by the root that was given, by the package that has both."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator

from ...toolchain.installed import package_of
from ..clang.parse import ParsedUnit

# Headers of the C library say so by including one of these; its parts live in these folders.
_LIBC_MARKS = re.compile(rb"^\s*#\s*include\s*<(features\.h|bits/libc-header-start\.h)>", re.MULTILINE)
_MARKS = (b"<features.h>", b"<bits/libc-header-start.h>")
_KERNEL = frozenset({"asm", "asm-generic", "linux"})
_LIBC_FOLDERS = frozenset({"bits", "sys", "gnu"}) | _KERNEL
_COMPILER = re.compile(r"/c\+\+/|/lib(32|64|exec)?/(gcc|clang|llvm)")
# What others wrote lies so in projects.
_VENDORED = frozenset(
    {"third_party", "thirdparty", "3rdparty", "external", "extern", "vendor", "vendored", "_deps", "subprojects",
     "node_modules", "site-packages"}
)  # fmt: skip
# A package with so many headers has several libraries, as Boost's and LLVM's have: there the folder decides.
_SEVERAL = 1000
_BUILT = ("lib", "lib64", "bin", "conda-meta")
_SOURCES = ("src", ".git", "CMakeLists.txt", "meson.build", "pyproject.toml", "setup.py", "configure.ac")
_INCLUDE = re.compile(
    rb'^[ \t]*#[ \t]*(include|include_next|import)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE
)
_COMMENTS = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
# What a header has that only leads to others: includes, guards, `extern "C"`.
_LEADING = re.compile(
    rb"^[ \t]*#[ \t]*(?:include|include_next|import|if|ifdef|ifndef|elif|else|endif|pragma|undef|error|warning)\b.*$"
    rb'|^[ \t]*#[ \t]*define[ \t]+\w+[ \t]*$|^[ \t]*extern[ \t]+"C"[ \t]*\{?[ \t]*$|^[ \t{}]*$',
    re.MULTILINE,
)


def under(path: str, folder: str) -> bool:
    """Whether a file lies in a folder or in one inside."""
    return path.startswith(folder.rstrip("/") + "/")


def is_compilers(path: str) -> bool:
    """Whether a path is the compiler's own, which belongs to no library."""
    return _COMPILER.search(path) is not None


def is_of_prefix(folder: str) -> bool:
    """Whether a folder is the ``include`` of a prefix, where several libraries are installed, and no project's."""
    prefix, name = os.path.split(folder.rstrip("/"))
    there = {found for found in (*_BUILT, *_SOURCES) if os.path.exists(os.path.join(prefix, found))}
    return name == "include" and not there.isdisjoint(_BUILT) and there.isdisjoint(_SOURCES)


class Included:
    """What the files of a unit include.

    Parameters
    ----------
    unit : ParsedUnit

    Attributes
    ----------
    files : frozenset of str
        All of them, without links.
    """

    def __init__(self, unit: ParsedUnit) -> None:
        self._unit = unit
        self.files = frozenset(map(unit.real_path, unit.included()))
        self._folders = (*unit.request.include_dirs, *unit.request.system_includes)

    def by(self, path: str, *, beside: bool = False) -> Iterator[str]:
        """The files that one includes itself; ``beside``: those that it names by where they lie from its own folder."""
        for kind, quoted, angled in _INCLUDE.findall(self._unit.text(path)):
            name = os.fsdecode(quoted or angled)
            near = self._unit.real_path(os.path.normpath(os.path.join(os.path.dirname(path), name)))
            if quoted and near in self.files:
                yield near
            elif not beside and (found := self._search(name, path, next_=kind == b"include_next")):
                yield found

    def next_of(self, path: str) -> Iterator[str]:
        """The file of the same name that one includes as the next one, by ``#include_next``."""
        for kind, quoted, angled in _INCLUDE.findall(self._unit.text(path)):
            name = os.fsdecode(quoted or angled)
            if kind == b"include_next" and os.path.basename(name) == os.path.basename(path):
                found = self._search(name, path, next_=True)
                if found:
                    yield found

    def _search(self, name: str, path: str, *, next_: bool) -> str | None:
        places = [self._unit.real_path(os.path.join(folder, name)) for folder in self._folders]
        if next_ and path in places:
            places = places[places.index(path) + 1 :]
        return next((place for place in places if place in self.files and place != path), None)

    def leads(self, path: str) -> bool:
        """Whether a file declares nothing, and only includes others."""
        text = _COMMENTS.sub(b"", self._unit.text(path)).replace(b"\\\n", b" ")
        return bool(_INCLUDE.search(text)) and not _LEADING.sub(b"", text).strip()


class Project:
    """The library of a user's header: its folder, the roots given that it lies under, and what it names beside it.

    Parameters
    ----------
    main : str
        The header, absolute, without links.
    roots : collection of str
        The directories given.
    included : Included
    """

    def __init__(self, main: str, roots: Collection[str], included: Included) -> None:
        self._folder = os.path.dirname(main)
        self._roots = tuple(root for root in roots if not is_of_prefix(root))
        self._main = main
        self._named = self._closure(included)

    def _closure(self, included: Included) -> frozenset[str]:
        """What is included by its place from where the including file lies, which others' headers are not."""
        found, open_ = {self._main}, [self._main]
        while open_:
            new = {*included.by(open_.pop(), beside=True)} - found
            found |= new
            open_ += new
        return frozenset(path for path in found if not self._is_vendored(path))

    def has(self, path: str) -> bool:
        """Whether a file is of the library."""
        if os.path.dirname(path) == self._folder or path in self._named:
            return True
        roots = [root for root in self._roots if under(path, root)]
        return bool(roots) and under(self._main, max(roots, key=len)) and not self._is_vendored(path)

    def _is_vendored(self, path: str) -> bool:
        common = os.path.commonpath([path, self._main])
        return not _VENDORED.isdisjoint(os.path.relpath(path, common).split(os.sep)[:-1])


class Installed:
    """The library of a header in one of the system's or a prefix's directories.

    Parameters
    ----------
    unit : ParsedUnit
    main : str
        The header, absolute, without links.
    roots : collection of str
        The directories of installed headers that belong to no compiler.
    """

    def __init__(self, unit: ParsedUnit, main: str, roots: Collection[str]) -> None:
        self._unit, self._main, self._roots = unit, main, roots
        self._here = os.path.dirname(main)
        package = frozenset() if is_compilers(main) else package_of(main)
        self._package = package if sum("/include/" in name for name in package) < _SEVERAL else frozenset()
        first = self._first(main)
        self._of_kernel = first in _KERNEL
        self._of_libc = not self._of_kernel and self._is_libc(main)

    def has(self, path: str) -> bool:
        """Whether a file is of the library."""
        if self._of_libc:
            return self._is_libc(path)
        if self._of_kernel:
            return path in self._package if self._package else self._first(path) in _KERNEL
        if self._here not in self._roots:
            return path in self._package or under(path, self._here)
        if self._unit.request.dialect == "cuda":
            return _family(path) == _family(self._main)
        if path in self._package or under(path, os.path.splitext(self._main)[0]):
            return True
        return not self._package and os.path.dirname(path) in self._roots and not self._is_libc(path)

    def _first(self, path: str) -> str:
        """The folder that a file lies in, of those directly under a root."""
        root = max((root for root in self._roots if under(path, root)), key=len, default="")
        return os.path.relpath(path, root).split(os.sep)[0] if root else ""

    def _is_libc(self, path: str) -> bool:
        if self._first(path) in _KERNEL:
            return True
        if self._package:
            libc = any(name.endswith("/include/features.h") for name in self._package)
            return libc and path in self._package
        if self._first(path) in _LIBC_FOLDERS:
            return True
        text = self._unit.text(path)
        return any(mark in text for mark in _MARKS) and bool(_LIBC_MARKS.search(text))


def _family(path: str) -> str:
    """CUDA's libraries share one directory: ``curand_kernel.h`` includes ``curand_uniform.h``, its own."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return stem if stem.startswith("cuda_") else stem.partition("_")[0]
