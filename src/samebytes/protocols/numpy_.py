"""NumPy arrays, read from their own C struct: the one producer whose facts need no protocol call."""

from __future__ import annotations

import numpy as np

from .base import Protocol, from_ndarray

_NAME = "NumPy's C struct"

PROTOCOL = Protocol(
    _NAME,
    0,
    lambda cls: issubclass(cls, np.ndarray),
    lambda array: from_ndarray(array, _NAME),
    lambda cls: ("numpy", False) if cls is np.ndarray else None,
)
