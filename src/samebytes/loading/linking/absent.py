"""Members that C++ has and Python does not: asked for on a class or an object, they say why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from ...model.module import Skipped
from ...types.naming import python_names, split_name


class Absent:
    """In a class: the name of a member that is not bound."""

    __slots__ = ("_name", "_owner", "_skipped")
    __samebytes_absent__ = True

    def __init__(self, name: str, owner: str, skipped: Skipped) -> None:
        self._name, self._owner, self._skipped = name, owner, skipped

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        self._refuse()

    def __set__(self, instance: Any, value: object) -> None:
        self._refuse()

    def __delete__(self, instance: Any) -> None:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise AttributeError(f"{self._name!r} is declared in {self._owner!r} and not bound: {self._skipped}")


def add_absent(classes: Mapping[str, Any], skipped: Iterable[Skipped]) -> None:
    """Let classes say why members are not bound.

    Parameters
    ----------
    classes : mapping
        Records by their qualified C++ names.
    skipped : iterable of Skipped
        Of overloads of which some are bound, nothing is to be said.
    """
    for missing in skipped:
        *path, name = split_name(missing.name.partition("(")[0])
        cls = classes.get("::".join(path))
        if cls is None or not name.isidentifier() or name in ("operator", path[-1]):
            continue
        label = python_names([name])[name]
        if label not in cls.__dict__:
            setattr(cls, label, Absent(label, "::".join(path), missing))
