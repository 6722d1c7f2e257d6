"""A bound library as users see it: functions, records, enums and constants, in their namespaces."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Any

from .headers.model import Module, Skipped
from .intents import suggest


class Namespace:
    """The names of one C++ namespace; attribute access finds them.

    An unknown name is an AttributeError that suggests the nearest one, or says why it was not bound.
    """

    def __init__(self, path: str, skipped: tuple[Skipped, ...]) -> None:
        self.__name__ = path
        self.__skipped__ = skipped

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        reasons = [s for s in self.__skipped__ if s.name.partition("(")[0].rpartition("::")[2] == name]
        if reasons:
            raise AttributeError(f"{name!r} is declared in {self.__name__!r} and not bound: {reasons[0]}")
        known = [n for n in vars(self) if not n.startswith("_")]
        raise AttributeError(f"{self.__name__!r} has no {name!r}.{suggest(name, known)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self) and not name.startswith("__"):
            raise AttributeError(f"{name!r} of {self.__name__!r} is bound to C++ and cannot be replaced")
        object.__setattr__(self, name, value)

    def __dir__(self) -> Iterable[str]:
        return sorted(vars(self))

    def __repr__(self) -> str:
        names = [n for n in vars(self) if not n.startswith("_")]
        shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        return f"<samebytes {type(self).__name__.lower()} {self.__name__!r}: {shown or 'empty'}>"


class Library(Namespace):
    """One compiled and loaded library.

    Attributes
    ----------
    __skipped__ : tuple of Skipped
        Every exposed declaration that is not bound, with the reason and the place.
    __model__ : Module
        What was read from the header, with the intents applied.
    __file__ : str
        The shared library.
    """

    def __init__(self, name: str, module: Module, file: str) -> None:
        super().__init__(name, module.skipped)
        object.__setattr__(self, "__model__", module)
        self.__file__ = file


def place(library: Library, qualified: str, value: Any) -> None:
    """Put a name where C++ has it: in its namespaces, or in the record that encloses it.

    A name that is a keyword of Python gets a ``_`` at its end: ``lib.raise_``.
    """
    *path, name = [part for part in qualified.split("::") if part and not part.startswith("(anonymous")]
    scope: Any = library
    for part in path:
        inner = vars(scope).get(part)
        if inner is None:
            inner = Namespace(part, library.__skipped__)
            _set(scope, part, inner)
        scope = inner
    name = f"{name}_" if keyword.iskeyword(name) else name
    if name not in vars(scope):
        _set(scope, name, value)


def _set(scope: Any, name: str, value: Any) -> None:
    if isinstance(scope, Namespace):
        object.__setattr__(scope, name, value)
    else:
        setattr(scope, name, value)
