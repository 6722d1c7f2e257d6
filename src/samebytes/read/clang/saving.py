"""The parses of one header: the first reads it, and is saved; the others, with their questions, begin behind it."""

from __future__ import annotations

import os
import tempfile
from typing import Self

from ...errors import BindError
from .parse import ParsedUnit, ParseRequest, Saved, parse, save


class Parses:
    """Parses one header again and again; within ``with``, as it saves a file.

    What stands in the file is read when it is used: behind Eigen a question costs a fifth of what it costs with Eigen.
    In C, whose questions are about macros alone, two parses are all that there are.
    """

    def __init__(self, request: ParseRequest) -> None:
        self.request = request
        self._folder = tempfile.TemporaryDirectory(prefix="samebytes-", ignore_cleanup_errors=True)
        self._first: ParsedUnit | None = None
        self._saved: Saved | None = None
        self._saves = request.language == "c++"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._first = None
        self._folder.cleanup()

    def __call__(self, lines: tuple[str, ...], *, macros: bool = False) -> ParsedUnit:
        """The header, and behind it lines that ask.

        Raises
        ------
        BindError, EndlessQuestion
            As :func:`~samebytes.read.clang.parse.parse` does.
        """
        if not lines:
            unit = parse(self.request, macros=macros)
            self._first = unit if self._saves else None
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
