"""The parses of one header: the first reads it, and is saved; the others, with their questions, begin behind it."""

from __future__ import annotations

import atexit
import os
import tempfile
from typing import Self

from ...errors import BindError
from ...forks import Lock
from .parse import ParsedUnit, ParseRequest, Saved, parse, save

Stat = tuple[int, int, int, int, int]


class Parses:
    """Parses one header again and again; within ``with``, as it saves a file.

    What stands in the file is read when it is used: behind Eigen a question costs a fifth of what it costs with Eigen.
    In C, whose questions are about macros alone, two parses are all that there are.

    Parameters
    ----------
    request : ParseRequest

    Attributes
    ----------
    keeps : bool
        Whether the parse without questions is kept, and is what every further one of that kind is.
    """

    def __init__(self, request: ParseRequest) -> None:
        self.request = request
        self.keeps = False
        self._lock = Lock()
        self._kept: ParsedUnit | None = None
        self._files: dict[str, Stat] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="samebytes-", ignore_cleanup_errors=True)
        self._first: ParsedUnit | None = None
        self._saved: Saved | None = None
        self._saves = request.language == "c++"

    def __enter__(self) -> Self:
        self._lock.__enter__()  # one thread reads a header
        return self

    def __exit__(self, *error: object) -> None:
        if not self.keeps:
            self._first = self._kept = None
        self._lock.__exit__(None, None, None)

    def close(self) -> None:
        """Forget all."""
        self._first = self._kept = None
        self._folder.cleanup()

    def __call__(self, lines: tuple[str, ...], *, macros: bool = False) -> ParsedUnit:
        """The header, and behind it lines that ask.

        Raises
        ------
        BindError, EndlessQuestion
            As :func:`~samebytes.read.clang.parse.parse` does.
        """
        if not lines:
            if self._kept is not None and not macros:
                return self._kept
            unit = parse(self.request, macros=macros)
            self._first = unit if self._saves else None
            if not macros:
                self._kept = unit if self.keeps else None
                self._files = {path: _stat(path) for path in unit.included()}
            return unit
        if (saved := self._file()) is not None:
            try:
                return parse(self.request, lines, macros=macros, saved=saved)
            except BindError:  # clang does not take its own file: a header has changed meanwhile
                self._saves, self._saved = False, None
        return parse(self.request, lines, macros=macros)

    def _file(self) -> Saved | None:
        """The parse that is saved; None where clang saves none. It is needed once somebody asks."""
        if self._saves and self._saved is None:
            first = self._first or parse(self.request)
            self._saved = save(first, os.path.join(self._folder.name, "header.pch"))
            self._saves, self._first = self._saved is not None, None
        return self._saved

    @property
    def is_fresh(self) -> bool:
        """Whether the files of the parse that is kept are what they were."""
        return all(_stat(path) == stat for path, stat in self._files.items())


_NONE: Stat = (0, 0, 0, 0, 0)
_last: list[Parses] = []
atexit.register(_last.clear)  # clang's objects end before clang does


def kept(request: ParseRequest, *, keeps: bool = False) -> Parses:
    """The parses of a header, of which more may be asked: those of the last header are kept.

    Parameters
    ----------
    keeps : bool
        Whether the parse without questions is kept in memory; else what clang has saved of it is.
    """
    found = _found(request)
    if found is None:
        forget()
        found = Parses(request)
        _last.append(found)
    found.keeps = keeps
    return found


def is_kept(request: ParseRequest) -> bool:
    """Whether the parses of a header are kept."""
    return _found(request) is not None


def _found(request: ParseRequest) -> Parses | None:
    return next((one for one in tuple(_last) if one.request == request and one.is_fresh), None)


def forget() -> None:
    """Keep nothing."""
    while _last:
        _last.pop().close()


def _stat(path: str) -> Stat:
    try:
        found = os.stat(path)
    except OSError:
        return _NONE
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
