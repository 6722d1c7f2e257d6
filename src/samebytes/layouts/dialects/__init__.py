"""Languages whose compilers decide layout: found by file name, or by entry point, and imported on demand."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...later import later

__getattr__ = later(__name__, "spellings")

from ...errors import LayoutError, not_too_deep
from ...options import check_dialect
from ...plugins import Plugins
from ...types import as_type, register_reader
from .. import FieldLayout, Layout, compute
from . import spellings
from .base import Dialect, Native

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

register_reader(lambda hint: spellings.read_text(hint) if isinstance(hint, str) else None)
_PLUGINS: Plugins[Dialect] = Plugins(
    __name__, "DIALECT", frozenset({"base", "declaration", "spellings"}), "samebytes.dialects"
)


@cache
def dialect_names() -> tuple[str, ...]:
    """The names of all dialects: one per file of this folder, then those of other distributions."""
    return _PLUGINS.names()


@cache
def find_dialect(name: str) -> Dialect:
    """The dialect of a name.

    Raises
    ------
    LayoutError
        If there is none; the message lists those there are.
    """
    check_dialect("find_dialect", name)
    return _PLUGINS.get(name, "dialect", LayoutError)


@not_too_deep
def layout(T: Any, dialect: str = "cxx") -> Layout:  # noqa: N803
    """How a type sits in memory in one language.

    Numbers and vectors are those of the specification's tables (:func:`samebytes.machine_representation`); structs
    are laid out by the Itanium C++ ABI, which GCC, Clang, NVCC and DPC++ follow on x86-64 Linux.

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
    """C++ text that defines a type and asserts its layout; of a function made by ``@func``, its declaration.

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
    if (own := getattr(type(T), "__samebytes_declare__", None)) is not None:  # a function of Python's
        return str(own(T, dialect))
    from .declaration import declaration

    return declaration(as_type(T), find_dialect(dialect))
