"""Builtin and fixed-format numbers: one table, from which names, kinds and sizes are read."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from .. import _native
from ..frozen import frozen
from ..later import at_first_use
from .base import Const, Type

ml_dtypes = at_first_use("ml_dtypes")


@frozen
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
    spelled : str
        The C++ type that it is in every dialect; empty: the one that a dialect has for the format. The host's
        ``std::complex<float>`` is aligned to 4 bytes wherever it stands, CUDA's to 8.
    """

    name: str
    kind: str
    size: int
    dlpack: tuple[int, int, int]
    spelled: str = field(default="", repr=False)

    @property
    def row(self) -> str:
        """Its name in the tables of dialects."""
        return self.spelled or self.name

    def __str__(self) -> str:
        return self.row

    @property
    def numpy(self) -> Any:
        """The NumPy or ml_dtypes scalar type that stands for this format."""
        return NUMPY[self.name]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The array dtype of this format, native byte order."""
        found: np.dtype[Any] = np.dtype(NUMPY[self.name])
        return found


# name, kind, bytes, DLPack's name of the code, scalar class; or its name in ml_dtypes
_ROWS: tuple[tuple[str, str, int, str, Any], ...] = (
    ("bool", "bool", 1, "bool", np.bool_),
    ("int8", "int", 1, "int", np.int8),
    ("int16", "int", 2, "int", np.int16),
    ("int32", "int", 4, "int", np.int32),
    ("int64", "int", 8, "int", np.int64),
    ("uint8", "uint", 1, "uint", np.uint8),
    ("uint16", "uint", 2, "uint", np.uint16),
    ("uint32", "uint", 4, "uint", np.uint32),
    ("uint64", "uint", 8, "uint", np.uint64),
    ("float16", "float", 2, "float", np.float16),
    ("float32", "float", 4, "float", np.float32),
    ("float64", "float", 8, "float", np.float64),
    ("complex64", "complex", 8, "complex", np.complex64),
    ("complex128", "complex", 16, "complex", np.complex128),
    ("bfloat16", "float", 2, "bfloat", "bfloat16"),
    ("float8e4m3", "float", 1, "float8_e4m3fn", "float8_e4m3fn"),
    ("float8e5m2", "float", 1, "float8_e5m2", "float8_e5m2"),
    ("char", "int", 1, "int", np.int8),
)

STORED = frozenset({"float16", "bfloat16", "float8e4m3", "float8e5m2"})
"""The formats of which C++17 has no arithmetic."""

SCALARS = {
    name: Scalar(name, kind, size, (_native.DLPACK_CODES[code], 8 * size, 1))
    for name, kind, size, code, _ in _ROWS
}


class _Classes(dict[str, Any]):
    """NumPy's scalar class of each format; a class of ml_dtypes is imported when it is first asked for."""

    def __missing__(self, name: str) -> Any:
        found = self[name] = getattr(ml_dtypes, _OTHERS[name])
        return found


_OTHERS = {name: other for name, _, _, _, other in _ROWS if isinstance(other, str)}
NUMPY = _Classes({name: python for name, _, _, _, python in _ROWS if name not in _OTHERS})
_FORMATS = {python: SCALARS[name] for name, python in NUMPY.items() if name != "char"}
_MAKERS = {other: name for name, other in _OTHERS.items()}


def scalar_for(python: Any) -> Scalar | None:
    """The format for which a scalar class of NumPy or of ml_dtypes stands; None for any other class."""
    found = _FORMATS.get(python)
    if found is None and isinstance(python, type) and python.__module__ == "ml_dtypes":
        name = _MAKERS.get(python.__name__, "")
        if name and NUMPY[name] is python:
            found = _FORMATS[python] = SCALARS[name]
    return found


# Numbers that no format of Python's has: C++ ranks conversions to them as those of other numbers.
WIDE = {
    "long double": Scalar("long double", "float", 16, (2, 128, 1)),
    "__float128": Scalar("__float128", "float", 16, (2, 128, 1)),
    "__int128": Scalar("__int128", "int", 16, (0, 128, 1)),
    "unsigned __int128": Scalar("unsigned __int128", "uint", 16, (1, 128, 1)),
}

# What C++ promotes its numbers to (ISO C++ [conv.prom], [conv.fpprom]), by its names.
PROMOTED = {
    **dict.fromkeys(("bool", "char", "signed char", "unsigned char", "short", "unsigned short"), "int"),
    "wchar_t": "int", "char8_t": "int", "char16_t": "int", "char32_t": "unsigned int", "float": "double",
}  # fmt: skip
# What C++ calls the formats; those that have no name there go by their own.
_CXX = {
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long", "uint8": "unsigned char",
    "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long", "float32": "float",
    "float64": "double",
}  # fmt: skip
# Types of their own that have the format of another one.
_DISTINCT = frozenset({"long long", "unsigned long long", "wchar_t", "char8_t", "char16_t", "char32_t"})


def cxx_name(type_: Scalar, spelled: str = "") -> str:
    """The C++ type that a number is, where it is spelled so."""
    return spelled if spelled in _DISTINCT else _CXX.get(type_.name, type_.name)


BOOL = SCALARS["bool"]
CHAR = SCALARS["char"]
INT32 = SCALARS["int32"]
FLOAT32 = SCALARS["float32"]
COMPLEX64 = SCALARS["complex64"]

# Complex numbers by C++ types that mean one alignment, whatever the dialect.
_PAIRS = ("std::complex<{}>", "cuda::std::complex<{}>", "hip::std::complex<{}>", "thrust::complex<{}>")
SPELLED: dict[str, Scalar] = {
    spelling: replace(SCALARS[name], spelled=spelling)
    for name, element, word in (("complex64", "float", "Float"), ("complex128", "double", "Double"))
    for spelling in (*(pair.format(element) for pair in _PAIRS), f"cu{word}Complex", f"hip{word}Complex")
}


def unspelled(type_: Type) -> Type:
    """The format alone, where a type's own alignment does not matter: behind a pointer."""
    if isinstance(type_, Const):
        return Const(unspelled(type_.type))
    return SCALARS[type_.name] if isinstance(type_, Scalar) else type_


# CUDA Python device specification, "Builtin Numbers"
BUILTINS: dict[type, Scalar] = {bool: BOOL, int: INT32, float: FLOAT32, complex: COMPLEX64}
