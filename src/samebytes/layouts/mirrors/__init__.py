"""Libraries whose types must reproduce a layout exactly, or refuse: found by file name, imported on demand."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...errors import LayoutError, not_too_deep
from ...options import check_dialect, check_options
from ...plugins import Plugins
from ...types import Aligned, Atomic, Type, as_type, unqualified
from .. import compute
from ..dialects import find_dialect
from .base import Mirror, refused

__all__ = ["Mirror", "find_mirror", "mirror", "mirror_names"]

_PLUGINS: Plugins[Mirror] = Plugins(__name__, "MIRROR", group="samebytes.mirrors")


@cache
def mirror_names() -> tuple[str, ...]:
    """The names of all mirrors: one per file of this folder, then those of other distributions."""
    return _PLUGINS.names()


@cache
def find_mirror(name: str) -> Mirror:
    """The mirror of a name.

    Raises
    ------
    LayoutError
        If there is none; the message lists those there are.
    """
    return _PLUGINS.get(name, "mirror", LayoutError)


@not_too_deep
def mirror(T: Any, library: str = "numpy", dialect: str = "cxx") -> Any:  # noqa: N803
    """A library's own type that lies in memory exactly as ``T`` does in a language.

    Parameters
    ----------
    T : type or Type
    library : str
        ``"numpy"`` (a dtype with explicit offsets; ``dtype.metadata["align"]`` is the alignment in bytes where it is
        not NumPy's own), ``"ctypes"``, ``"numba"``, ``"torch"`` …
    dialect : str
        Whose layout.

    Returns
    -------
    object
        Size, alignment and all offsets have been compared with ``layout(T, dialect)``.

    Raises
    ------
    LayoutError
        If the library cannot say such a type; the message has the reason.
    MissingDependency
        If the library is not installed.
    """
    check_dialect("mirror", dialect)
    check_options("mirror", LayoutError, mirror=library)
    return reproduce(unqualified(as_type(T)), find_mirror(library), dialect)


def reproduce(type_: Type, library: Mirror, dialect: str) -> Any:
    """What :func:`mirror` returns for a type."""
    table = find_dialect(dialect)
    made, layout = library.make(type_, table), compute(type_, table)
    size, align, fields = library.measure(made)
    expected = tuple((f.name, f.offset) for f in layout.fields)
    if (size, align) != (layout.size, layout.align):
        there = f"{size} bytes aligned to {align}"
        raise refused(
            library.name, type_, f"it would be {there}, not {layout.size} aligned to {layout.align}"
        )
    if fields and fields != expected and not isinstance(type_, Aligned | Atomic):
        raise refused(library.name, type_, f"its fields would lie at {fields}, not at {expected}")
    return made


def _modules(hint: Any) -> list[str]:
    """The top-level modules of a class and its bases, the nearest first."""
    classes = hint.__mro__ if isinstance(hint, type) else type(hint).__mro__
    return [*dict.fromkeys(str(getattr(cls, "__module__", "")).partition(".")[0] for cls in classes)]


def read_hint(hint: Any) -> Type | None:
    """The type of another library's class or dtype; None where it is of none."""
    for module in _modules(hint):  # Warp's vectors are arrays of ctypes, too
        for name in mirror_names():
            # A mirror is imported for its own types only; their library is loaded by then.
            if module == name or module in _ALSO.get(name, ()):
                found = find_mirror(name).read(hint)
                if found is not None:
                    return found
    return None


# Modules of a library's types that do not have the mirror's name.
_ALSO = {"numpy": ("ml_dtypes",), "ctypes": ("_ctypes",)}
