"""Folders of plug-ins: one file each, found by file name and imported on use; others come with other distributions."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .forks import importing
from .frozen import frozen
from .later import at_first_use

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

pkgutil = at_first_use("pkgutil")

T = TypeVar("T")


@frozen(slots=False)
class Plugins(Generic[T]):
    """The plug-ins of one kind.

    Attributes
    ----------
    package : str
        The folder. A file whose name ends in an underscore, lest it hide a library, is known without it.
    constant : str
        What each file ends in: ``DIALECT``, ``MIRROR`` …
    besides : frozenset of str
        Files of the folder that are none.
    group : str
        The entry points by which other distributions add theirs; empty where they cannot.
    """

    package: str
    constant: str
    besides: frozenset[str] = frozenset({"base"})
    group: str = ""

    @property
    def _files(self) -> dict[str, str]:
        return {name.rstrip("_"): name for name in _modules(self.package) if name not in self.besides}

    def _file(self, name: str) -> str | None:
        """The file of a name, without a look at what else the folder has."""
        if name in self.besides or name.endswith("_") or not name.isidentifier():
            return None
        return next((file for file in (name, f"{name}_") if find_spec(f"{self.package}.{file}")), None)

    @property
    def _others(self) -> EntryPoints | tuple[()]:
        """Those of other distributions; a process that only calls never reads their metadata."""
        return _entry_points(self.group) if self.group else ()

    def names(self) -> tuple[str, ...]:
        """The names of all: one per file of the folder, then those of other distributions."""
        return (*self._files, *(e.name for e in self._others if e.name not in self._files))

    def find(self, name: str) -> T | None:
        """The plug-in of a name, imported; None if there is none."""
        found: Any = None
        if file := self._file(name):
            found = self._imported(f"{self.package}.{file}")
        else:
            found = next((entry.load() for entry in self._others if entry.name == name), None)
        return found  # type: ignore[no-any-return]

    def get(self, name: str, kind: str, error: type[Exception]) -> T:
        """The plug-in of a name; an error that lists those there are, if there is none."""
        if (found := self.find(name)) is not None:
            return found
        raise error(f"no {kind} {name!r}: there are {', '.join(self.names())}")

    def _imported(self, module: str) -> Any:
        """What a file ends in. What is there is taken without the lock: code that runs while a module is imported may
        ask for it, whose own lock another thread may await that has this one.
        """
        found = getattr(sys.modules.get(module), self.constant, None)
        if found is None:
            with importing:
                found = getattr(import_module(module), self.constant)
        return found

    def all(self) -> tuple[T, ...]:
        """Every plug-in, imported."""
        found = (self.find(name) for name in self.names())
        return tuple(plugin for plugin in found if plugin is not None)


# Not `cached_property`: before Python 3.12 it holds a lock, which a fork would leave to the child.
@cache
def _modules(package: str) -> tuple[str, ...]:
    return tuple(m.name for m in pkgutil.iter_modules(sys.modules[package].__path__))


@cache
def _entry_points(group: str) -> EntryPoints:
    with importing:
        from importlib.metadata import entry_points

    return entry_points(group=group)
