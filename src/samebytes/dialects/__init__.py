"""Languages whose compilers decide layout: found by file name, or by entry point, and imported on demand."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import LayoutError, not_too_deep
from ..layout import FieldLayout, Layout, compute
from ..options import check_dialect
from ..types import as_type
from . import spellings as _spellings  # noqa: F401 (teaches as_type to read C++)
from .base import Dialect, Native

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = [
    "Dialect",
    "FieldLayout",
    "Layout",
    "Native",
    "alignof",
    "declare",
    "dialect_names",
    "find_dialect",
    "layout",
    "sizeof",
]

_GROUP = "samebytes.dialects"
_NOT_PLUGINS = {"base", "declaration", "spellings"}


def _own_names() -> tuple[str, ...]:
    return tuple(m.name for m in pkgutil.iter_modules(__path__) if m.name not in _NOT_PLUGINS)


def _others() -> EntryPoints:
    """Those of other distributions; a process that only calls never reads their metadata."""
    from importlib.metadata import entry_points

    return entry_points(group=_GROUP)


@cache
def dialect_names() -> tuple[str, ...]:
    """The names of all dialects: one per file of this folder, then those of other distributions."""
    own = _own_names()
    return (*own, *(e.name for e in _others() if e.name not in own))


@cache
def find_dialect(name: str) -> Dialect:
    """The dialect of a name.

    Raises
    ------
    LayoutError
        If there is none; the message lists those there are.
    """
    check_dialect("find_dialect", name)
    if name in _own_names():
        own: Dialect = import_module(f".{name}", __name__).DIALECT
        return own
    for entry in _others().select(name=name):
        found: Dialect = entry.load()
        return found
    raise LayoutError(f"no dialect {name!r}: there are {', '.join(dialect_names())}")


@not_too_deep
def layout(T: Any, dialect: str = "cxx") -> Layout:  # noqa: N803
    """How a type sits in memory in one language.

    Parameters
    ----------
    T : type or Type
        A number class, a vector or struct class, ``sb.carray[...]``, ``sb.array[...]``, ``sb.pointer[...]`` …
    dialect : str
        ``"cxx"`` or another of :func:`dialect_names`.

    Returns
    -------
    Layout
        ``size`` and ``align`` in bytes; ``fields`` with ``name``, ``type``, ``offset``, ``size``.

    Raises
    ------
    TypeError
        If ``T`` has no machine representation.
    LayoutError
        If the dialect has no such type, or there is no such dialect.
    """
    check_dialect("layout", dialect)
    return compute(as_type(T), find_dialect(dialect))


def sizeof(T: Any, dialect: str = "cxx") -> int:  # noqa: N803
    """Size in bytes of one ``T``; errors as :func:`layout`."""
    return layout(T, dialect).size


def alignof(T: Any, dialect: str = "cxx") -> int:  # noqa: N803
    """Alignment in bytes of ``T``; errors as :func:`layout`."""
    return layout(T, dialect).align


@not_too_deep
def declare(T: Any, dialect: str = "cxx") -> str:  # noqa: N803
    """C++ text that defines a type and asserts its layout.

    Returns
    -------
    str
        Includes, definitions with dependencies first, and a ``static_assert`` on each size, alignment, offset
        and field type, so that a compiler which lays the type out differently refuses the text.

    Raises
    ------
    LayoutError
        If the type cannot be written down in that language: a field whose name is a keyword, a record with
        members that Python does not see, two different structs of one name.
    """
    check_dialect("declare", dialect)
    from .declaration import declaration

    return declaration(as_type(T), find_dialect(dialect))
