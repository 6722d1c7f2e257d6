"""Libraries of matrices: one file each, named after the library's namespace in small letters."""

from __future__ import annotations

from functools import cache

from ....plugins import Plugins
from .base import Library

_LIBRARIES: Plugins[Library] = Plugins(__name__, "LIBRARY")


def library_of(spelling: str) -> Library | None:
    """The library of a class by its qualified name; None of most classes."""
    namespace, separator, _ = spelling.partition("::")
    return _named(namespace) if separator and namespace.isidentifier() else None


@cache
def _named(namespace: str) -> Library | None:
    found = _LIBRARIES.find(namespace.lower())
    return found if found is not None and found.namespace == namespace else None
