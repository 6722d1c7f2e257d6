"""Files that are loaded when something in them is first used, and regular expressions that are compiled then: a program
that calls one function uses few of those that calls may need.

A folder says which of its files these are, ``__getattr__ = later(__name__, "structs", …)``. Who needs one imports it
and names what is in it, ``from . import structs`` and ``structs.convert``; ``from .structs import convert`` loads it at
once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, AnyStr, cast

from .forks import importing


def loaded(file: str) -> ModuleType:
    """A file by its full name, loaded where it is not; a fork waits for it."""
    with importing:
        return import_module(file)


class _Later(ModuleType):
    """Stands for a file until something in it is asked for; from then on it has what the file has."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # whoever looks through all modules there are
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        file = loaded(self.__name__)
        found = getattr(file, name)
        vars(self).update(vars(file))  # no use of it costs more than that of any module
        return found


def at_first_use(name: str) -> Any:
    """A module of another library that is imported when something in it is first asked for."""
    return _Later(name)


class _Pattern:
    """Stands for a regular expression; each of its methods is found here from its first use on."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        vars(self)[name] = found
        return found


def later_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression that is compiled when it is first used: most of a program's are for what it never meets."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


def later(package: str, *files: str, **names: str) -> Callable[[str], ModuleType]:
    """The ``__getattr__`` of a folder some of whose files, or folders, are loaded when they are first used.

    Parameters
    ----------
    package : str
        The folder.
    files : str
        Those files and folders.
    names : str
        What the folder has itself of them, with the file of each.

    Returns
    -------
    callable
        For checkers of types what it finds is a module, so that a name which nothing has is no ``Any`` to them.
    """

    def find(name: str) -> Any:
        found: Any
        if name in files:
            found = _Later(f"{package}.{name}")
        elif name in names:
            found = getattr(loaded(f"{package}.{names[name]}"), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return vars(sys.modules[package]).setdefault(name, found)

    return find
