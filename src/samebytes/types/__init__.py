"""Type descriptions: what a value is, before any language lays it out."""

from .array import Array, CArray
from .base import VOID, Const, Type, Void, unqualified
from .enum import Enum
from .function import Argument, Function
from .hints import as_type, register_reader
from .mdspan import MDSPAN_LAYOUTS, Mdspan
from .pointer import Named, Pointer
from .scalar import BOOL, BUILTINS, CHAR, COMPLEX64, FLOAT32, INT32, NUMPY, SCALARS, Scalar
from .span import Span
from .stored import STORED, STORED_DLPACK
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
    "MDSPAN_LAYOUTS",
    "MISSING",
    "NUMPY",
    "SCALARS",
    "STORED",
    "STORED_DLPACK",
    "VOID",
    "Aligned",
    "Argument",
    "Array",
    "Atomic",
    "CArray",
    "Const",
    "Enum",
    "Extent",
    "Field",
    "Function",
    "Mdspan",
    "Named",
    "Pointer",
    "Scalar",
    "Span",
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
