"""Type descriptions: what a value is, before any language lays it out."""

from .array import Array, CArray
from .base import VOID, Const, Type, Void, unqualified
from .enum import Enum
from .hints import as_type, register_reader
from .pointer import Named, Pointer
from .scalar import BOOL, BUILTINS, CHAR, COMPLEX64, FLOAT32, INT32, NUMPY, SCALARS, Scalar
from .struct import MISSING, Extent, Field, Struct
from .tuple import Tuple
from .vector import COMPONENTS, ELEMENTS, Vector
from .wrapped import Aligned, Atomic, align, atomic, check_alignment

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
    "Aligned",
    "Array",
    "Atomic",
    "CArray",
    "Const",
    "Enum",
    "Extent",
    "Field",
    "Named",
    "Pointer",
    "Scalar",
    "Struct",
    "Tuple",
    "Type",
    "Vector",
    "Void",
    "align",
    "as_type",
    "atomic",
    "check_alignment",
    "register_reader",
    "unqualified",
]
