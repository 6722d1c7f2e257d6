"""Builtin and fixed-format numbers: one table, from which names, kinds and sizes are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from .base import Type


@dataclass(frozen=True, slots=True)
class Scalar(Type):
    """One number in a fixed machine format.

    Attributes
    ----------
    name : str
        The specification's name (``"float32"``), or ``"char"`` for C++'s plain ``char``.
    kind : str
        ``"bool"``, ``"int"``, ``"uint"``, ``"float"`` or ``"complex"``.
    size : int
        Bytes.
    dlpack : tuple of int
        DLPack's type code, bits and lanes.
    """

    name: str
    kind: str
    size: int
    dlpack: tuple[int, int, int]

    def __str__(self) -> str:
        return self.name

    @property
    def numpy(self) -> Any:
        """The NumPy or ml_dtypes scalar type that stands for this format."""
        return NUMPY[self.name]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The array dtype of this format, native byte order."""
        found: np.dtype[Any] = np.dtype(NUMPY[self.name])
        return found


# name, kind, bytes, DLPack code, scalar class
_ROWS: tuple[tuple[str, str, int, int, Any], ...] = (
    ("bool", "bool", 1, 6, np.bool_),
    ("int8", "int", 1, 0, np.int8),
    ("int16", "int", 2, 0, np.int16),
    ("int32", "int", 4, 0, np.int32),
    ("int64", "int", 8, 0, np.int64),
    ("uint8", "uint", 1, 1, np.uint8),
    ("uint16", "uint", 2, 1, np.uint16),
    ("uint32", "uint", 4, 1, np.uint32),
    ("uint64", "uint", 8, 1, np.uint64),
    ("float16", "float", 2, 2, np.float16),
    ("float32", "float", 4, 2, np.float32),
    ("float64", "float", 8, 2, np.float64),
    ("complex64", "complex", 8, 5, np.complex64),
    ("complex128", "complex", 16, 5, np.complex128),
    ("bfloat16", "float", 2, 4, ml_dtypes.bfloat16),
    ("float8e4m3", "float", 1, 10, ml_dtypes.float8_e4m3fn),
    ("float8e5m2", "float", 1, 12, ml_dtypes.float8_e5m2),
    ("char", "int", 1, 0, np.int8),
)

SCALARS = {name: Scalar(name, kind, size, (code, 8 * size, 1)) for name, kind, size, code, _ in _ROWS}
NUMPY: dict[str, Any] = {name: python for name, _, _, _, python in _ROWS}

BOOL = SCALARS["bool"]
CHAR = SCALARS["char"]
INT32 = SCALARS["int32"]
FLOAT32 = SCALARS["float32"]
COMPLEX64 = SCALARS["complex64"]

# CUDA Python device specification, "Builtin Numbers"
BUILTINS: dict[type, Scalar] = {bool: BOOL, int: INT32, float: FLOAT32, complex: COMPLEX64}
