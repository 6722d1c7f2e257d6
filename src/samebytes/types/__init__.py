"""Type descriptions: what a value is, before any language lays it out."""

from ..later import later

__getattr__ = later(__name__, "length_parameters")

from . import hints as _hints  # noqa: F401  # reads what Python and NumPy call numbers
from .array import MOST_DIMENSIONS, Array, CArray
from .base import VOID, Const, Type, Void, as_type, register_reader, unqualified
from .containers import Choice, Container, Dictionary, Matrix, Maybe, NdArray, Product, Sparse, Target, refers
from .converted import (
    Bits,
    Callback,
    Converted,
    Duration,
    FilePath,
    Held,
    Instant,
    Nothing,
    Object,
    Owner,
    Stream,
    Text,
    converted_parts,
    lends_elements,
    shows_elements,
    shows_text,
)
from .enum import Enum
from .function import Argument, Function
from .handle import SORTS_OF_EXCEPTIONS, Handle
from .kinds import TABLES, ByKind, subclasses
from .mdspan import MDSPAN_LAYOUTS, Mdspan
from .pointer import ANY_DEVICE, CHARACTERS, Named, Pointer, in_memory
from .scalar import (
    BOOL,
    BUILTINS,
    CHAR,
    COMPLEX64,
    FLOAT32,
    INT32,
    NUMPY,
    SCALARS,
    SPELLED,
    Scalar,
    scalar_for,
    unspelled,
)
from .span import Span
from .stored import STORED, STORED_DLPACK
from .struct import MISSING, UNSEEN, Base, Extent, Field, OtherName, Protected, Shape, Struct, Virtual
from .tuple import Tuple
from .vector import COMPONENTS, ELEMENTS, Vector
from .wrapped import Aligned, Atomic, align, atomic, check_alignment

__all__ = [
    "ANY_DEVICE",
    "BOOL",
    "BUILTINS",
    "CHAR",
    "CHARACTERS",
    "COMPLEX64",
    "COMPONENTS",
    "ELEMENTS",
    "FLOAT32",
    "INT32",
    "MDSPAN_LAYOUTS",
    "MISSING",
    "MOST_DIMENSIONS",
    "NUMPY",
    "SCALARS",
    "SORTS_OF_EXCEPTIONS",
    "SPELLED",
    "STORED",
    "STORED_DLPACK",
    "TABLES",
    "UNSEEN",
    "VOID",
    "Aligned",
    "Argument",
    "Array",
    "Atomic",
    "Base",
    "Bits",
    "ByKind",
    "CArray",
    "Callback",
    "Choice",
    "Const",
    "Container",
    "Converted",
    "Dictionary",
    "Duration",
    "Enum",
    "Extent",
    "Field",
    "FilePath",
    "Function",
    "Handle",
    "Held",
    "Instant",
    "Matrix",
    "Maybe",
    "Mdspan",
    "Named",
    "NdArray",
    "Nothing",
    "Object",
    "OtherName",
    "Owner",
    "Pointer",
    "Product",
    "Protected",
    "Scalar",
    "Shape",
    "Span",
    "Sparse",
    "Stream",
    "Struct",
    "Target",
    "Text",
    "Tuple",
    "Type",
    "Vector",
    "Virtual",
    "Void",
    "align",
    "as_type",
    "atomic",
    "check_alignment",
    "converted_parts",
    "in_memory",
    "lends_elements",
    "refers",
    "register_reader",
    "scalar_for",
    "shows_elements",
    "shows_text",
    "subclasses",
    "unqualified",
    "unspelled",
]
