"""Backends: one file each, found by file name and imported when they are first used."""

from __future__ import annotations

from functools import cache

from ...errors import BindError
from ...plugins import Plugins
from .base import Backend, Loaded

_PLUGINS: Plugins[Backend] = Plugins(__name__, "BACKEND")

# dialect -> the backend that runs what its compiler makes
_FOR_DIALECT = {"cxx": "host"}


def names() -> tuple[str, ...]:
    """The backends of this folder."""
    return _PLUGINS.names()


@cache
def backend(name: str) -> Backend:
    """A backend by name.

    Raises
    ------
    BindError
        If there is none of that name.
    """
    if (found := _PLUGINS.find(name)) is not None:
        return found
    raise BindError(f"no backend {name!r}; there are {', '.join(names())}")


def backend_for(dialect: str) -> Backend:
    """The backend that runs code of a dialect."""
    if dialect not in _FOR_DIALECT:
        raise BindError(f"code of dialect {dialect!r} cannot be run yet; {', '.join(_FOR_DIALECT)} can")
    return backend(_FOR_DIALECT[dialect])


__all__ = ["Backend", "Loaded", "backend", "backend_for", "names"]
