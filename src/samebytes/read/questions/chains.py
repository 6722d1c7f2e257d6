"""Bases of bases, level by level: asked alone, behind the saved parse of the header, before anything is read again."""

from __future__ import annotations

import os
import tempfile
from typing import Self

from ...errors import BindError
from ..clang.parse import EndlessQuestion, ParseRequest, parse, save
from .inheritance import Inheritance

_DEEPEST = 32


class Chains:
    """Follows the bases of one header's classes; within ``with``, as it saves a file.

    A parse of all questions instantiates again whatever they are about, and each level of bases takes one. What only
    this is asked costs a fraction; the next parse asks all of it again, for types of its own.
    """

    def __init__(self, request: ParseRequest, inheritance: Inheritance) -> None:
        self._request = request
        self._inheritance = inheritance
        self._folder = tempfile.TemporaryDirectory(prefix="samebytes-", ignore_cleanup_errors=True)
        self._saved: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._folder.cleanup()

    def follow(self) -> bool:
        """Ask until no base is left to ask about; whether there was one."""
        found = False
        for _ in range(_DEEPEST):
            lines = self._inheritance.ask_further()
            if not lines:
                break
            found = True
            try:
                self._inheritance.answer_further(parse(self._request, lines, saved=self._file()))
            except (BindError, EndlessQuestion):  # a parse with all questions deals with it
                break
        return found

    def _file(self) -> str:
        """The saved parse; empty where clang saves none."""
        if self._saved is None:
            path = os.path.join(self._folder.name, "header.pch")
            self._saved = path if save(parse(self._request), path) else ""
        return self._saved
