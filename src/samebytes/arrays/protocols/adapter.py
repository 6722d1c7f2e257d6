"""Our own adapters: a pointer that knows which array is there shows that array's view."""

from __future__ import annotations

from typing import Any

from ... import _native
from ...errors import ProtocolError
from ..view import ArrayView
from .base import Protocol

_NAME = "an adapter's view"


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view that the adapter holds."""
    seen = obj._array
    if isinstance(seen, ArrayView):
        return seen.derive(protocol=_NAME)
    raise ProtocolError(
        f"a {type(obj).__name__} that is an address alone: configure(shape=…, typestr=…, _force=True) says more"
    )


PROTOCOL = Protocol(_NAME, -10, lambda cls: issubclass(cls, _native.Shown), describe)
