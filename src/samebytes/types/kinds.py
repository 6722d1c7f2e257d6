"""What a room does with each kind of type: a table that has a rule for every kind, or says why it has none."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any, TypeVar

from ..errors import LayoutError
from .base import Type

Rule = TypeVar("Rule")

# All tables, so that a test sees what a new kind of type lacks.
TABLES: list[ByKind[object]] = []


def subclasses(kind: type[Type]) -> tuple[type[Type], ...]:
    """The kinds that derive from one, as they are named in their files."""
    derived = (c for child in kind.__subclasses__() for c in (child, *subclasses(child)))
    named = (
        c for c in derived if getattr(sys.modules[c.__module__], c.__name__, None) is c
    )  # slots=True makes two
    return tuple(dict.fromkeys(named))


class ByKind(dict[type[Type], Rule]):
    """The rules for one thing that is done with types, by their exact class.

    Parameters
    ----------
    what : str
        What a rule is, with its room: ``"layouts: how a type lies in memory"``.
    rules : mapping
    without : mapping of str to tuple, optional
        A reason, and the kinds that have no rule for it.
    others : str, optional
        What becomes of every other kind, where only a few are special; then no reasons are given.
    """

    def __init__(
        self,
        what: str,
        rules: Mapping[type[Type], Rule],
        *,
        without: Mapping[str, tuple[type[Type], ...]] | None = None,
        others: str = "",
    ) -> None:
        super().__init__(rules)
        self.what = what
        self.others = others
        self.without = {kind: reason for reason, kinds in (without or {}).items() for kind in kinds}
        TABLES.append(self)  # type: ignore[arg-type]  # of rules of any kind

    def wait(self, file: ModuleType, rules: Mapping[type[Type], str]) -> None:
        """Set rules by the names of the functions that they are in a file, which the first call of one loads."""
        for kind, name in rules.items():
            self[kind] = self._first(kind, file, name)

    def _first(self, kind: type[Type], file: ModuleType, name: str) -> Any:
        """What stands for a rule until it is called, and then puts the rule itself in its place."""

        def first(*args: Any, **named: Any) -> Any:
            rule: Any = getattr(file, name)
            self[kind] = rule
            return rule(*args, **named)

        return first

    def __missing__(self, kind: type[Type]) -> Rule:
        raise LayoutError(f"{self.what}: {kind.__name__} has none: {self.reason(kind)}")

    def reason(self, kind: type[Type]) -> str:
        """Why a kind has no rule; empty where nobody has thought of it."""
        return self.without.get(kind, self.others)
