"""NumPy arrays, read from their own C struct: the one producer whose facts need no protocol call."""

from __future__ import annotations

import numpy as np

from .base import Protocol, from_ndarray

PROTOCOL = Protocol(
    "NumPy's C struct", 0, lambda cls: issubclass(cls, np.ndarray), lambda array: from_ndarray(array, "NumPy's C struct"), "numpy"
)
