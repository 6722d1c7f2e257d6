"""Records on memory that is there already: ``Record.fromObj``, with checks of size, place and writability."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import _native
from ..errors import OVERWHELMED, ArgumentError, ArrayError, Error, RangeError, plain_error, value_words
from .conversion import structs


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
        return cls.__samebytes_view__(structs.address_of(obj), obj)
    const = isinstance(obj, _native.Pointer) and obj.is_const
    if isinstance(obj, _native.Pointer):
        _check_known(cls, obj)
        obj = _native.Pointer(obj)  # which stays where it is when the original is made to point elsewhere
    address = _address(cls, obj)
    if address is None:
        return _on_buffer(cls, obj)
    _check_place(cls, address)
    if not address:
        return None
    owner = None if isinstance(obj, int) else obj
    view = cls.__samebytes_view__(address, owner)
    return _native.mark_const(view) if const else view


def _check_known(cls: Any, pointer: _native.Pointer) -> None:
    """Refuse the memory that a pointer was made of, where it is known what that is."""
    seen = getattr(pointer, "_array", None)
    seen = pointer.owner if seen is None else seen
    if not isinstance(seen, _native.View):
        return
    left = seen.ptr + seen.size * seen.itemsize - pointer.address
    if pointer.address < seen.ptr or left < 0:
        return
    if not seen.device.is_host:
        raise _refusal(cls, ArgumentError, pointer, "it is memory of a device")
    _check_memory(cls, pointer, seen, seen.contiguous, left)


def _address(cls: Any, obj: Any) -> int | None:
    """The address that an object is, if it is one."""
    if isinstance(obj, bool | np.bool_):
        return None
    if isinstance(obj, int | np.integer):
        if not 0 <= int(obj) < 1 << 64:
            sentence = f"expected an address from 0 to 2**64 - 1, got {value_words(obj)}"
            raise plain_error(RangeError, f"{cls.__name__}.fromObj", sentence)
        return int(obj)
    if isinstance(obj, _native.Pointer):
        return obj.address
    if isinstance(obj, ctypes.c_void_p):
        return obj.value or 0
    if isinstance(obj, ctypes._Pointer):
        return ctypes.cast(obj, ctypes.c_void_p).value or 0
    return None


def _on_buffer(cls: Any, obj: Any) -> Any:
    shown = _memory(cls, obj)
    _check_memory(cls, obj, shown, shown.c_contiguous, shown.nbytes)
    address = int(np.frombuffer(shown, np.uint8).__array_interface__["data"][0])
    _check_place(cls, address)
    return cls.__samebytes_view__(address, shown)


def _check_memory(cls: Any, obj: Any, shown: Any, contiguous: bool, nbytes: int) -> None:
    size = cls.__samebytes_codec__.size
    if shown.readonly:
        raise _refusal(cls, ArrayError, obj, "its memory is read-only, and a record can be written to")
    if not contiguous:
        raise _refusal(cls, ArrayError, obj, "its memory is not contiguous")
    if nbytes < size:
        raise _refusal(cls, ArrayError, obj, f"it has {nbytes} bytes, and the record takes {size}")


def _memory(cls: Any, obj: Any) -> memoryview:
    try:
        return memoryview(obj)
    except TypeError:
        pass
    try:
        if obj.__dlpack_device__()[0] == 1:
            return np.from_dlpack(obj).data
    except OVERWHELMED:
        raise
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
