"""Element types of an mdspan: what DLPack calls them, and their size and alignment in C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _native
from ...errors import ArgumentError
from ...frozen import frozen
from ...layouts.dialects import layout
from ...types import Aligned, ByKind, Const, Scalar, Struct, Type, Vector, as_type, unqualified
from ...types.stored import STORED_DLPACK

DLType = tuple[int, int, int]

_KINDS = {_native.DLPACK_CODES[name]: name for name in ("int", "uint", "float", "bfloat", "complex", "bool")}
_NAMES: dict[DLType, str] = {dl: str(type_) for type_, dl in STORED_DLPACK.items()}


def _vector(type_: Vector) -> DLType:
    code, bits, _ = type_.element.dlpack
    return code, bits, type_.size


_DLPACK: ByKind[Callable[[Any], DLType | None]] = ByKind(
    "arrays: DLPack's name of a type",
    {
        Scalar: lambda t: t.dlpack,
        Vector: _vector,
        Struct: STORED_DLPACK.get,
        Aligned: lambda t: dlpack_of(t.type),
    },
    others="DLPack has none",
)


def dlpack_of(type_: Type) -> DLType | None:
    """DLPack's code, bits and lanes of an element type; None where DLPack has no name for it."""
    find = _DLPACK.get(type(type_))
    return find(type_) if find else None


def words_of(dtype: DLType) -> str:
    """A DLPack type as messages show it."""
    code, bits, lanes = dtype
    kind = _KINDS.get(code)
    name = f"{kind}{bits}" if kind else _NAMES.get((code, bits, 1), f"DLPack type {code} of {bits} bits")
    return name if lanes == 1 else f"{name} × {lanes} lanes"


@frozen
class Element:
    """What one element is.

    Attributes
    ----------
    type : Type
        Without const.
    const : bool
        Whether the view is for reading only.
    dlpack : tuple of int
        Code, bits and lanes.
    size, align : int
        Bytes, in the dialect.
    """

    type: Type
    const: bool
    dlpack: DLType
    size: int
    align: int

    @property
    def qualified(self) -> Type:
        """The type with its const."""
        return Const(self.type) if self.const else self.type


def element_of(dtype: Any, dialect: str, function: str) -> Element:
    """The element that a hint stands for.

    Raises
    ------
    ArgumentError
        If DLPack has no name for it: a struct, a pointer …
    """
    hint = as_type(dtype)
    bare = unqualified(hint)
    dlpack = dlpack_of(bare)
    if dlpack is None:
        raise ArgumentError(
            f"{function}() argument 2 'dtype': expected a number, a vector or a storage-only format, got {hint}, "
            "for which DLPack has no name"
        )
    extent = layout(bare, dialect)
    return Element(bare, isinstance(hint, Const), dlpack, extent.size, extent.align)
