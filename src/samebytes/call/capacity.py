"""Storage for an output that measures a buffer: it holds the room there is before the call, and what was used after."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _native
from ..arrays import protocols
from ..arrays import view as views
from ..errors import OVERWHELMED, ArgumentError, Mismatch, RangeError, call_error, plain_error, value_words
from ..layouts.ctypes_classes import C_ADDRESSES
from ..model.intents import OutReturn
from ..model.signature import Parameter, Signature
from ..model.slots import storage_type
from ..types import Scalar
from ..values.conversion import convert
from .guarding import refuse_overrun
from .introspection import capacity_text, keyword_names


def bytes_there(obj: Any) -> int | None:
    """The bytes of memory that an argument stands for: 0 for none, None where nobody says how many."""
    if obj is None:
        return 0
    if isinstance(obj, np.ndarray):
        return obj.nbytes
    if isinstance(obj, _native.Pointer):
        return _behind(obj)
    if isinstance(obj, (int, np.integer, *C_ADDRESSES)):
        return None
    if isinstance(obj, bytes | bytearray | _native.Record):
        return memoryview(obj).nbytes
    try:
        seen = protocols.view(obj)
    except OVERWHELMED:
        raise
    except Exception:
        return None
    return seen.size * seen.itemsize


def _behind(pointer: Any) -> int | None:
    """The bytes from where a pointer points to the end of what it holds."""
    owner = pointer.owner
    held = getattr(pointer, "_array", None) or (owner[0] if isinstance(owner, tuple) and owner else owner)
    if isinstance(held, views.ArrayView):
        first, size = held.ptr, held.size * held.itemsize
    elif isinstance(held, ctypes.Array):
        first, size = ctypes.addressof(held), ctypes.sizeof(held)
    else:
        return None if pointer else 0
    return first + size - int(pointer) if first <= int(pointer) <= first + size else None


class Capacity:
    """Makes the storage of one such output, and what the call returns of it.

    Parameters
    ----------
    signature : Signature
    parameter : Parameter
        The output; its intent names the buffer.

    Attributes
    ----------
    keyword : str
        The name by which a call gives another number.
    takes : tuple of int
        The visible parameter that is the buffer.
    dtype : numpy.dtype
    """

    def __init__(self, signature: Signature, parameter: Parameter) -> None:
        intent, number = parameter.intent, storage_type(parameter)
        assert isinstance(intent, OutReturn)
        assert isinstance(number, Scalar)
        index, buffer = next((i, p) for i, p in enumerate(signature.visible) if p.name == intent.capacity)
        self.keyword = keyword_names(signature, (parameter,))[0]
        self.takes = (index,)
        self.dtype: np.dtype[Any] = number.dtype
        self._signature, self._parameter, self._buffer, self._number = signature, parameter, buffer, number
        target = getattr(buffer.value_type, "target", None)
        self._unit = target.size if isinstance(target, Scalar) else 1
        self._most = int(np.iinfo(self.dtype).max)
        self._room = np.frombuffer(bytes(self.dtype.itemsize) + _native.GUARD, self.dtype)
        self._behind = self._room[1:].tobytes()
        self._stated = threading.local()  # said before a call, and taken when it makes the storage

    def maker(self) -> Callable[[Any], Any]:
        """Makes the storage from the buffer that a call is given."""
        return self._make

    def _make(self, buffer: Any) -> Any:
        stated = self._stated.__dict__.pop("number", None)
        there = bytes_there(buffer)
        if stated is None and there is None:
            raise plain_error(ArgumentError, self._signature.shown_name, self._unknown(buffer))
        if stated is not None and there is not None and stated > there // self._unit:
            raise plain_error(RangeError, self._signature.shown_name, self._less(stated, there))
        storage = self._room.copy()
        storage[0] = min((there or 0) // self._unit, self._most) if stated is None else stated
        return storage

    def finish(self, storage: Any) -> int:
        """What the function wrote, as the call returns it."""
        if storage[1:].tobytes() != self._behind:
            refuse_overrun(self._signature, self._parameter)
        return int(storage[0])

    def state(self, value: Any) -> None:
        """Say, for the next call of this thread, what the output holds before it; None: the room that there is."""
        self._stated.__dict__.pop("number", None)
        if value is not None:
            self._stated.number = int.from_bytes(self._converted(value), "little")

    def _converted(self, value: Any) -> bytes:
        try:
            return convert(self._number, value).data
        except Mismatch as mismatch:
            mismatch.index, mismatch.name = self._signature.parameters.index(self._parameter), self.keyword
            raise call_error(self._signature.shown_name, [mismatch]) from None

    def _unknown(self, buffer: Any) -> str:
        return capacity_text(self._buffer.name, self.keyword, value_words(buffer))

    def _less(self, stated: int, there: int) -> str:
        if self._unit == 1:
            return f"got {self.keyword}={stated}, and {self._buffer.name!r} has {there} bytes"
        room = f"{there // self._unit} elements ({there} bytes)"
        return (
            f"got {self.keyword}={stated}, and {self._buffer.name!r} has {room}; "
            f"where C counts something else, arg_intent={{{self._signature.name!r}: {{{self._parameter.name!r}: "
            "'inout_ptr'}} passes any number"
        )
