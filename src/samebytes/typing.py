"""What bound functions accept, for stubs and for annotations of code that calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from ._native import Pointer

if TYPE_CHECKING:
    from typing_extensions import Buffer
else:
    Buffer = Any

Bool: TypeAlias = bool | np.bool_
Int: TypeAlias = int | np.integer[Any]
Float: TypeAlias = float | np.floating[Any] | np.integer[Any]
Complex: TypeAlias = complex | np.complexfloating[Any, Any] | np.floating[Any] | np.integer[Any]


@runtime_checkable
class SupportsDLPack(Protocol):
    """An array that shows its memory by DLPack."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


@runtime_checkable
class SupportsArrayInterface(Protocol):
    """An array that shows its memory by NumPy's array interface."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


@runtime_checkable
class SupportsCudaArrayInterface(Protocol):
    """An array that shows its memory by the CUDA Array Interface."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


# Whatever shows its memory; which of them a parameter takes is checked in the call.
ArrayLike: TypeAlias = (
    np.ndarray[Any, Any] | Buffer | SupportsDLPack | SupportsArrayInterface | SupportsCudaArrayInterface
)
CObject: TypeAlias = "ctypes._SimpleCData[Any] | ctypes.Structure | ctypes.Array[Any] | ctypes._Pointer[Any]"
# What C++ may change, for the intents inout_ptr and out_ptr.
Place: TypeAlias = "ArrayLike | Pointer | CObject"
# What stands for a record besides one: its fields in order, or a NumPy record.
Fields: TypeAlias = tuple[Any, ...] | np.void | np.ndarray[Any, Any]
# What C++ gave as a pointer to const: only a parameter that is const, too, takes it.
ConstPointer: TypeAlias = Annotated[Pointer, "const"]
# Several values in order, for C arrays held by value.
Values: TypeAlias = Sequence[Any] | np.ndarray[Any, Any]

__all__ = [
    "ArrayLike",
    "Bool",
    "CObject",
    "Complex",
    "ConstPointer",
    "Fields",
    "Float",
    "Int",
    "Place",
    "Pointer",
    "SupportsArrayInterface",
    "SupportsCudaArrayInterface",
    "SupportsDLPack",
    "Values",
]
