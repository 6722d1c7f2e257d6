"""The parses of one header: the first reads it, and is saved; the others, with their questions, begin behind it.

What is saved of a header stays in the cache, for whoever includes it in the same way.
"""

from __future__ import annotations

import atexit
import json
import os
import tempfile
import time
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Self

from ...errors import BindError
from ...forks import Lock
from ...toolchain.cache import Entry, Inputs, default_cache
from ...toolchain.lookups import absent
from ...toolchain.own_sources import own_sources
from .libclang import version
from .parse import ParsedUnit, ParseRequest, Problem, Saved, parse, save

Stat = tuple[int, int, int, int, int]
_SAVED, _SAID = "header.pch", "said.json"  # clang's file, and what it does not say again


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
    again : bool
        Whether an earlier program has parsed the header: it is saved, for the next.
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
        self.again = False
        self._begun = 0  # when the first parse was

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
            unit = self._whole(macros)
            self._first = unit if self._saves and self._saved is None else None
            if not macros:
                self._kept = unit if self.keeps else None
                self._files = {path: _stat(path) for path in unit.included()}
            return unit
        if (saved := self._file()) is not None:
            try:
                return parse(self.request, lines, macros=macros, saved=saved)
            except BindError:
                self._give_up()
        return parse(self.request, lines, macros=macros)

    def _whole(self, macros: bool) -> ParsedUnit:
        """The header without questions: what was saved of it, where that is there."""
        if (saved := self._saved or self._stored(make=False)) is not None:
            self._saved = saved
            try:
                return parse(self.request, macros=macros, saved=saved)
            except BindError:
                self._give_up()
        self._begun = time.time_ns()
        self._first = parse(self.request, macros=macros)
        if self.again and not macros:
            self._saved = self._stored(make=True)
        return self._first

    def _give_up(self) -> None:
        """Clang does not take its own file: a header has changed meanwhile, or only its time."""
        if self._saved is not None and not self._saved.path.startswith(self._folder.name):
            Entry(os.path.dirname(self._saved.path)).remove()
        self._saves, self._saved = False, None

    def _file(self) -> Saved | None:
        """The parse that is saved; None where clang saves none. It is needed once somebody asks."""
        if self._saves and self._saved is None:
            self._saved = self._stored(make=True) or self._write(self._folder.name)
            self._saves, self._first = self._saved is not None, None
            if self._saved is not None and not self._files:
                self._files = {path: _stat(path) for path in self._saved.included}
        return self._saved

    def _write(self, folder: str) -> Saved | None:
        return save(self._first or parse(self.request), os.path.join(folder, _SAVED))

    def _stored(self, make: bool) -> Saved | None:
        """What the cache has of a header on disk; None where it is not there and not to be made."""
        request, cache = self.request, default_cache()
        # A source text stands in the folder of its build, which nobody else includes.
        if not self._saves or request.text is not None or request.path.startswith(cache.place + os.sep):
            return None
        spoken = {request.language: request.implied.get(request.language, ())}
        key = ["parse", version(), own_sources(), repr(replace(request, implied=spoken))]

        def made(work: Path) -> Inputs:
            if self._first and any(max(_stat(f)[3:]) >= self._begun for f in self._first.included()):
                self._first = None  # the cache would take it for what is there now
            found = self._write(str(work))
            (work / _SAID).write_text(json.dumps(asdict(found) if found else None))
            read = found.included if found else (request.path,)
            return Inputs(read, absent(read, (*request.include_dirs, *request.system_includes)))

        entry = cache.get(key, made) if make else cache.find(key)
        said = json.loads(entry.read(_SAID)) if entry else None
        if entry is None or said is None:
            return None
        problems = tuple(Problem(**problem) for problem in said["problems"])
        return Saved(str(entry.file(_SAVED)), problems, tuple(said["included"]), said["includes_cuda"])

    @property
    def is_fresh(self) -> bool:
        """Whether the files of the parse that is kept are what they were."""
        return all(_stat(path) == stat for path, stat in self._files.items())


_NONE: Stat = (0, 0, 0, 0, 0)
_last: list[Parses] = []


def kept(request: ParseRequest, *, keeps: bool = False, again: bool = False) -> Parses:
    """The parses of a header, of which more may be asked: those of the last header are kept.

    Parameters
    ----------
    keeps : bool
        Whether the parse without questions is kept in memory; else what clang has saved of it is.
    again : bool
        Whether an earlier program has parsed the header, if this one has not.
    """
    found = _found(request)
    if found is None:
        forget()
        found = Parses(request)
        _at_exit()
        found.again = again
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


@cache
def _at_exit() -> None:
    """Have all forgotten before clang ends, and before Python sees to temporary folders: the last comes first."""
    atexit.register(forget)


def _stat(path: str) -> Stat:
    try:
        found = os.stat(path)
    except OSError:
        return _NONE
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
