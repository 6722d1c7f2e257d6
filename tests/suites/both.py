"""Expressions that mean something in both languages: C++ answers each, and Python must answer the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Both:
    """Groups of expressions; each is evaluated by C++ in a function of its own, and by Python.

    Parameters
    ----------
    groups
        The expressions of each group, with C++'s ``::`` for Python's dot; where the languages write it otherwise, a
        mapping from Python's to C++'s.
    before
        C++ statements before each: variables, ``using namespace``.
    """

    def __init__(self, groups: Mapping[str, Iterable[str] | Mapping[str, str]], before: str = "") -> None:
        self._before = before
        self._groups = {
            name: list(texts.items())
            if isinstance(texts, Mapping)
            else [(text.replace("::", "."), text) for text in texts]
            for name, texts in groups.items()
        }

    @property
    def code(self) -> str:
        """The C++ functions that answer."""
        return "".join(
            f"inline auto cxx_{group}_{i}() {{ {self._before} return {cxx}; }}\n"
            for group, texts in self._groups.items()
            for i, (_, cxx) in enumerate(texts)
        )

    def check(self, lib: Any, group: str, **names: Any) -> None:
        """Every expression of the group gives what C++ answers, and an object of the same type."""
        known = {name: getattr(lib, name) for name in dir(lib)} | names
        answers = {
            text: (eval(text, known), getattr(lib, f"cxx_{group}_{i}")())
            for i, (text, _) in enumerate(self._groups[group])
        }
        wrong = {
            text: (ours, cxx)
            for text, (ours, cxx) in answers.items()
            if ours != cxx or type(ours) is not type(cxx)
        }
        assert answers
        assert not wrong, f"{group}, Python's answer and C++'s: {wrong}"  # no assert of pytest's own
