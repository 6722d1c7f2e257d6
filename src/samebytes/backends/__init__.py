"""Backends: one file each, found by file name and imported when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ..errors import BindError
from .base import Backend, Loaded

# dialect -> the backend that runs what its compiler makes
_FOR_DIALECT = {"cxx": "host"}


def names() -> tuple[str, ...]:
    """The backends of this folder."""
    return tuple(m.name for m in pkgutil.iter_modules(__path__) if m.name != "base")


@cache
def backend(name: str) -> Backend:
    """A backend by name.

    Raises
    ------
    BindError
        If there is none of that name.
    """
    if name not in names():
        raise BindError(f"no backend {name!r}; there are {', '.join(names())}")
    found: Backend = importlib.import_module(f"{__name__}.{name}").BACKEND
    return found


def backend_for(dialect: str) -> Backend:
    """The backend that runs code of a dialect."""
    if dialect not in _FOR_DIALECT:
        raise BindError(f"code of dialect {dialect!r} cannot be run yet; {', '.join(_FOR_DIALECT)} can")
    return backend(_FOR_DIALECT[dialect])


__all__ = ["Backend", "Loaded", "backend", "backend_for", "names"]
