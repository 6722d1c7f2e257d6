"""Records on memory that is there already: ``Record.fromObj``, with checks of size, place and writability."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import _native
from ..conversion.structs import address_of
from ..errors import ArgumentError, ArrayError, Error, plain_error, value_words


def adopt(cls: Any, obj: Any) -> Any:
    """A record of a class that is the memory of an object, which it keeps alive; None for null.

    Raises
    ------
    ArgumentError, ArrayError
        If the object shows no memory in which such a record can lie.
    """
    if obj is None:
        return None
    if isinstance(obj, cls):
        return cls._view(address_of(obj), obj)
    address = _address(obj)
    if address is None:
        return _on_buffer(cls, obj)
    _check_place(cls, address)
    return cls._view(address, obj if not isinstance(obj, int) else None) if address else None


def _address(obj: Any) -> int | None:
    """The address that an object is, if it is one."""
    if isinstance(obj, bool | np.bool_):
        return None
    if isinstance(obj, int | np.integer):
        return int(obj)
    if isinstance(obj, _native.Pointer):
        return obj.address
    if isinstance(obj, ctypes.c_void_p):
        return obj.value or 0
    if isinstance(obj, ctypes._Pointer):
        return ctypes.cast(obj, ctypes.c_void_p).value or 0
    return None


def _on_buffer(cls: Any, obj: Any) -> Any:
    size = cls.__samebytes_codec__.size
    shown = _memory(cls, obj)
    if shown.readonly:
        raise _refusal(cls, ArrayError, obj, "its memory is read-only, and a record can be written to")
    if not shown.c_contiguous:
        raise _refusal(cls, ArrayError, obj, "its memory is not contiguous")
    if shown.nbytes < size:
        raise _refusal(cls, ArrayError, obj, f"it has {shown.nbytes} bytes, and the record takes {size}")
    address = int(np.frombuffer(shown, np.uint8).__array_interface__["data"][0])
    _check_place(cls, address)
    return cls._view(address, shown)


def _memory(cls: Any, obj: Any) -> memoryview:
    try:
        return memoryview(obj)
    except TypeError:
        pass
    try:
        if obj.__dlpack_device__()[0] == 1:
            return np.from_dlpack(obj).data
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError):
        pass
    kind = "it is memory of a device" if hasattr(obj, "__cuda_array_interface__") else "it shows no memory"
    raise _refusal(cls, ArgumentError, obj, kind)


def _check_place(cls: Any, address: int) -> None:
    align = cls.__samebytes_codec__.align
    if address % align:
        sentence = f"got the address {address:#x}, which is not aligned to {align} bytes"
        raise plain_error(ArrayError, f"{cls.__name__}.fromObj", sentence)


def _refusal(cls: Any, error: type[Error], obj: Any, reason: str) -> Error:
    sentence = f"cannot be the memory of {value_words(obj)}: {reason}"
    return plain_error(error, f"{cls.__name__}.fromObj", sentence)
