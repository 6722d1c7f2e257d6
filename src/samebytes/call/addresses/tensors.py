"""Pointers to DLPack's DLTensor: any array stands for one, and the structure lives as long as the call."""

from __future__ import annotations

import ctypes
from typing import Any

from ... import _native
from ...arrays.mdspan.tensor import CTensor, DLTensor, tensor_of
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, value_words
from ...layouts.dialects import layout
from ...types import Pointer, Struct
from ...values.conversion import Packed
from ...values.conversion.tracing import speaks
from .device_pointers import device_rule
from .pointers import pointer_rule

_PLACES = tuple(
    getattr(CTensor, name).offset
    for name in ("data", "device_type", "ndim", "code", "shape", "strides", "byte_offset")
)
_NAMES = ("data", "device", "ndim", "dtype", "shape", "strides", "byte_offset")


def is_tensor(type_: Pointer) -> bool:
    """Whether the pointee is DLPack's structure, and not another of that name."""
    target = type_.target
    if not isinstance(target, Struct) or target.short_name != "DLTensor":
        return False
    facts = layout(target)
    return facts.offsets == _PLACES and tuple(f.name for f in facts.fields) == _NAMES


def _numbers(values: tuple[int, ...]) -> Any:
    return (ctypes.c_int64 * len(values))(*values) if values else None


def _structure(tensor: DLTensor) -> tuple[CTensor, tuple[Any, ...]]:
    shape, strides = _numbers(tensor.shape or ()), _numbers(tensor.strides or ())
    pointer = ctypes.POINTER(ctypes.c_int64)
    made = CTensor(
        tensor.data, tensor.device.type, tensor.device.id, tensor.ndim, *tensor.dtype,
        ctypes.cast(shape, pointer) if shape else None, ctypes.cast(strides, pointer) if strides else None,
        tensor.byte_offset,
    )  # fmt: skip
    return made, (shape, strides)


def tensor_rule(type_: Pointer, obj: Any, dialect: str) -> Packed:
    """The address of a DLTensor: that of a record or a Pointer, or of one that shows an array.

    A ``DLTensor*`` may be written through, so its array must be writable; a ``const DLTensor*`` takes any. Memory of
    every device is taken: the structure says where it lies.
    """
    if type_.memory:
        return device_rule(type_, obj, dialect)
    given = obj is None or isinstance(obj, _native.Pointer | _native.Record | _native.Value)
    if given or not is_tensor(type_):
        return pointer_rule(type_, obj, dialect)
    words = f"an array, a record DLTensor, a Pointer or None ({'const ' if type_.const else ''}DLTensor*)"
    try:
        tensor = tensor_of(obj, apart=True)
    except ProtocolError as error:
        spoken = speaks(obj, "__dlpack__", "__array_interface__")
        kind = ProtocolError if spoken else ArgumentError
        raise Mismatch(kind, words, value_words(obj), str(error) if spoken else "") from error
    if not tensor.dtype[1]:
        raise Mismatch(ArrayError, words, str(tensor), "DLPack has no name for such elements")
    if (tensor.readonly or tensor.overlaps) and not type_.const:
        advice = "C++ may write to it: pass a writable array whose elements lie apart"
        raise Mismatch(ArrayError, words, str(tensor), advice)
    made, held = _structure(tensor)
    return Packed(ctypes.addressof(made).to_bytes(8, "little"), (made, held, tensor, tensor.owner))
