"""Loads a package that ``samebytes bind`` wrote: no header is read, and nothing is compiled."""

from __future__ import annotations

import ctypes
import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from .backends import backend_for
from .errors import BindError
from .headers.model import Module
from .library import Library, restored
from .link import Linker, populate
from .portable import BUILD_SYMBOL

# What generated packages and samebytes say to each other: the descriptions, the shims, the library's own symbols.
FORMAT = 1
LIBRARY = "library.so"


def load(
    package: str, file: str, module: Module, build: str, *, format: int, nogil: bool | tuple[str, ...] = True,
    dialect: str = "cxx",
) -> Library:  # fmt: skip
    """The library of a package.

    Parameters
    ----------
    package, file : str
        The package's ``__name__`` and ``__file__``.
    module : Module
        What its header declares.
    build : str
        What ties the declarations to the compiled library.
    format : int
        The :data:`FORMAT` for which the package was written.
    nogil : bool or tuple of str
        Where the GIL is released.

    Raises
    ------
    BindError
        If the package was written for another samebytes, or its files do not belong together.
    """
    if format != FORMAT:
        raise BindError(
            f"{package} was written in format {format}, and this samebytes reads format {FORMAT}: "
            "run `samebytes bind` again"
        )
    path = Path(file).parent / LIBRARY
    if not path.is_file():
        raise BindError(f"{package}: the compiled library {LIBRARY} is not beside {Path(file).name}")
    loaded = backend_for(dialect).load(path)
    if _build_of(loaded.address) != build:
        raise BindError(
            f"{package}: {LIBRARY} was compiled from other declarations than those beside it: "
            "run `samebytes bind` again"
        )
    made = Library(package, module, str(path))
    linker = Linker(module, package, {}, lambda name, data: (_restore_record, (package, name, data)))
    populate(
        made, module, loaded, linker, _releases(nogil), lambda name: (_restore_plan, (package, name)), dialect
    )  # fmt: skip
    if package in sys.modules:
        sys.modules[package].__class__ = BoundModule
    return made


class BoundModule(ModuleType):
    """A package as its library is: C++'s variables are read and written in place, and its names stay."""

    _library: Library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self._library, name)

    def __setattr__(self, name: str, value: Any) -> None:
        bound = self.__dict__.get("_library")
        if bound is not None and name in dir(bound) and not name.startswith("_"):
            setattr(bound, name, value)  # a variable's value; whatever else is bound refuses
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._library.__variables__})


def _build_of(address: Callable[[str], int]) -> str:
    try:
        return ctypes.string_at(address(BUILD_SYMBOL)).decode()
    except BindError:
        return ""


def _releases(nogil: bool | tuple[str, ...]) -> Callable[[str], bool]:
    if isinstance(nogil, bool):
        return lambda name: nogil
    return lambda name: name in nogil or name.rpartition("::")[2] in nogil


def _library(package: str) -> Library:
    found: Library = importlib.import_module(package)._library
    return found


def _restore_plan(package: str, qualified: str) -> Any:
    """The plan of a pickled function; its builtin is an attribute of the plan."""
    function = _library(package).__bound__[qualified]
    return getattr(function, "__plan__", None) or function.__self__


def _restore_record(package: str, qualified: str, data: bytes | None) -> Any:
    """A pickled record from its bytes, or a pickled class."""
    return restored(_library(package), qualified, data)
