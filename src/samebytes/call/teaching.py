"""What the native core learns of an argument that Python converted: to take the next of its kind by itself."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _native
from ..arrays import protocols
from ..arrays import view as views
from ..layouts.ctypes_classes import C_ADDRESSES, C_NUMBER, C_OBJECT, C_POINTER, C_REFERENCE, target_of
from ..model.signature import Parameter
from ..model.slots import storage_type
from ..types import VOID, Named, Pointer, Struct
from ..values.conversion import structs
from .callbacks import pointer

# What stands for an address by its class alone: the core reads the next one by itself.
_BY_CLASS: Any = (ctypes.c_void_p, ctypes.c_char_p, C_POINTER)


def teach_core(taught: _native.Codec, parameter: Parameter, obj: Any, owners: Sequence[Any]) -> None:
    """Let a codec accept the next array of this class and dtype, or pointer of this class."""
    if isinstance(obj, C_OBJECT) and not isinstance(obj, C_ADDRESSES):
        type_ = storage_type(parameter)
        adapts = taught.kind == "pointer" and isinstance(type_, Pointer) and bool(type_.adapter)
        # Of an array of ctypes an adapter checks the elements, unless any will do.
        if adapts and (isinstance(obj, C_NUMBER) or getattr(type_, "target", None) == VOID):
            taught.accept(type(obj))
            return
    if taught.kind == "pointer" and (isinstance(obj, _BY_CLASS) or _is_any_reference(parameter, obj)):
        taught.accept_address(obj, target_of(obj))
        return
    made = owners[0] if owners else None
    if isinstance(made, _native.Callback) and made.write is None and taught.kind == "pointer":
        taught.accept_callables(made.plan)
    is_function = isinstance(obj, pointer.FunctionPointer)
    teaches = is_function or isinstance(obj, _native.Record)
    if not teaches and not any(isinstance(seen, views.ArrayView) for seen in owners):
        return
    if is_function and taught.kind == "pointer":
        taught.accept(type(obj))
    if taught.kind == "pointer" and isinstance(obj, _native.Record):
        _teach_base(taught, parameter, obj)
    for seen in owners if taught.kind in ("pointer", "array") else ():
        if isinstance(seen, views.ArrayView):
            protocols.teach(type(obj), seen.protocol)
            if isinstance(seen.dtype, np.dtype):
                taught.accept_dtype(seen.dtype)


def _is_any_reference(parameter: Parameter, obj: Any) -> bool:
    """Whether an object is a reference of ctypes where all of them fit: one class is for those to any type."""
    type_ = storage_type(parameter)
    anything = bool(getattr(type_, "adapter", "")) or getattr(type_, "target", None) == VOID
    return isinstance(obj, C_REFERENCE) and anything


def _teach_base(taught: _native.Codec, parameter: Parameter, obj: Any) -> None:
    """Let a codec find the base that objects of this class hold."""
    target = getattr(storage_type(parameter), "target", None)
    if target == VOID:
        taught.accept(type(obj))  # its bytes, whatever they are
    if not isinstance(target, Struct | Named):
        return
    offset = structs.base_offset(target, obj)
    if offset is not None:
        structs.teach_base(taught, target.name, obj, offset)
