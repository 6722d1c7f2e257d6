"""pack and unpack: values as bytes where no call is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ArgumentError, ArrayError, Mismatch, not_too_deep, value_error, value_words
from ...layouts import compute, device_memory, repack, without_padding
from ...layouts.dialects import find_dialect
from ...options import check_dialect
from ...types import (
    ANY_DEVICE,
    BUILTINS,
    VOID,
    Array,
    Const,
    Tuple,
    Type,
    as_type,
    in_memory,
    unqualified,
)  # fmt: skip
from ..reading import read
from . import memory
from .base import convert
from .memory import DEVICES
from .numbers import of_itself


def type_of(value: Any) -> Type:
    """The type that a value has where no C++ type is known (specification, "Builtin Numbers", "Tuples").

    Raises
    ------
    TypeError
        If a value of that class has no machine representation.
    """
    described = getattr(type(value), "__samebytes_type__", None)
    if isinstance(described, Type):
        return described
    if value is None:
        return VOID
    if type(value) is tuple:
        return Tuple.of(map(type_of, value))
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return as_type(value.dtype)
    if isinstance(value, np.ndarray):
        element = as_type(value.dtype)
        return Array(element if value.flags.writeable else Const(element), value.ndim)
    if (found := next((BUILTINS[kind] for kind in BUILTINS if isinstance(value, kind)), None)) is not None:
        return found
    try:
        return as_type(value)
    except TypeError:
        if (array := memory.array_type(value)) is None:
            raise
        return array


@not_too_deep
def pack(value: Any, T: Any = None, dialect: str = "cxx") -> bytes:  # noqa: N803
    """The machine representation of a value.

    Parameters
    ----------
    value : object
    T : type or Type, optional
        Without it, ``int`` is int32, ``float`` float32, ``complex`` complex64, a tuple a struct of its items
        (specification, "Builtin Numbers" and "Tuples"); NumPy scalars, vectors and structs know theirs.
    dialect : str
        Whose layout. An array is in the memory that this dialect's code reads: of devices for ``"cuda"``.

    Returns
    -------
    bytes
        ``sizeof(T, dialect)`` bytes, padding zeroed.

    Raises
    ------
    ArgumentError, RangeError
        If the value does not fit; the message says what to do. ArgumentError also
        if the bytes would hold the address of a copy that dies with this call (text for ``const char*``).
    """
    check_dialect("pack", dialect)
    type_ = type_of(value) if T is None else as_type(T)
    there = type_
    if dialect in DEVICES and not device_memory(type_).startswith(f"{dialect}:"):  # else it is of one device
        there = in_memory(type_, f"{dialect}:{ANY_DEVICE}")
    try:
        packed = convert(there, value, dialect)
        if any(isinstance(owner, np.ndarray) and owner is not value for owner in packed.owners):
            advice = "Make the memory yourself and pass a Pointer to it"
            raise Mismatch(
                ArgumentError, "a value without a temporary copy behind it", value_words(value), advice
            )
    except Mismatch as mismatch:
        raise value_error("pack():", of_itself(mismatch) if T is None else mismatch) from None
    return without_padding(packed.data, type_, find_dialect(dialect))


@not_too_deep
def unpack(data: Any, T: Any, dialect: str = "cxx") -> Any:  # noqa: N803
    """The value that some bytes stand for.

    Parameters
    ----------
    data : bytes-like
        Exactly ``sizeof(T, dialect)`` bytes.
    T : type or Type
    dialect : str
        Whose layout the bytes have.

    Raises
    ------
    ArrayError
        If the number of bytes differs.
    """
    check_dialect("unpack", dialect)
    type_ = unqualified(as_type(T))
    try:
        raw = bytes(memoryview(data))
    except TypeError:
        raise value_error(
            "unpack():", Mismatch(ArgumentError, "a bytes-like object", value_words(data))
        ) from None
    table = find_dialect(dialect)
    size = compute(type_, table).size
    if len(raw) != size:
        raise value_error("unpack():", Mismatch(ArrayError, f"{size} bytes of {type_}", f"{len(raw)} bytes"))
    there = memory.moved(type_, dialect) if dialect in DEVICES else type_
    return read(there, repack(raw, type_, table, find_dialect("cxx")))
