"""Backends: one file each, found by file name and imported when they are first used."""

from __future__ import annotations

from ...errors import BindError
from ...plugins import Plugins
from .base import Backend, Loaded

_PLUGINS: Plugins[Backend] = Plugins(__name__, "BACKEND")

# dialect -> the backend that runs what its compiler makes
_FOR_DIALECT = {"cxx": "host"}


def backend_for(dialect: str) -> Backend:
    """The backend that runs code of a dialect."""
    if dialect not in _FOR_DIALECT:
        raise BindError(
            f"code of dialect {dialect!r} cannot be run yet; {', '.join(_FOR_DIALECT)}, cuda, hip and sycl can"
        )
    return _PLUGINS.get(_FOR_DIALECT[dialect], "backend", BindError)


__all__ = ["Backend", "Loaded", "backend_for"]
