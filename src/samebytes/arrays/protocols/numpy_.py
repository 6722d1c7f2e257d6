"""NumPy arrays, read from their own C struct: the one producer whose facts need no protocol call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ProtocolError
from ..view import ArrayView
from .base import HOSTS, Protocol, from_ndarray

_NAME = "NumPy's C struct"


def describe(array: Any, stream: int | None = None) -> ArrayView:
    """The view of a NumPy array; C++ would see the numbers behind a mask."""
    if isinstance(array, np.ma.MaskedArray):
        raise ProtocolError(
            "a masked array; x.filled(...) decides what C++ sees in place of the masked elements"
        )
    return from_ndarray(array, _NAME)


PROTOCOL = Protocol(
    _NAME,
    0,
    lambda cls: issubclass(cls, np.ndarray),
    describe,
    lambda cls: ("numpy", False) if cls is np.ndarray else None,
    HOSTS,
)
