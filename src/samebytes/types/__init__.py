"""Type descriptions: what a value is, before any language lays it out."""

from .array import Array, CArray
from .base import VOID, Const, Type, Void, unqualified
from .enum import Enum
from .hints import as_type
from .pointer import Named, Pointer
from .scalar import BOOL, BUILTINS, CHAR, COMPLEX64, FLOAT32, INT32, NUMPY, SCALARS, Scalar
from .struct import MISSING, Extent, Field, Struct
from .vector import COMPONENTS, ELEMENTS, Vector

__all__ = [
    "BOOL",
    "BUILTINS",
    "CHAR",
    "COMPLEX64",
    "COMPONENTS",
    "ELEMENTS",
    "FLOAT32",
    "INT32",
    "MISSING",
    "NUMPY",
    "SCALARS",
    "VOID",
    "Array",
    "CArray",
    "Const",
    "Enum",
    "Extent",
    "Field",
    "Named",
    "Pointer",
    "Scalar",
    "Struct",
    "Type",
    "Vector",
    "Void",
    "as_type",
    "unqualified",
]
