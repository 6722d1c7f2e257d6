"""Where the addresses in objects lead: what conversions ask of later rooms, which know arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ... import _native
from ...later import at_first_use
from ...layouts import device_memory, has_pointers
from ...types import Array, Pointer, Struct, Type, unqualified
from ..codecs import WHERE

device_structs: Any = at_first_use("samebytes.values.device_structs")

# The dialects whose code reads a device's memory.
DEVICES = frozenset({"cuda", "hip", "sycl"})
_NAMES = {"cuda": "CUDA device", "hip": "ROCm device", "sycl": "SYCL device", "device": "device"}


def check_object(type_: Type, data: bytes, owners: Iterable[Any]) -> None:
    """Check where the addresses in an object's bytes lead, if it goes to a device.

    Raises
    ------
    Mismatch
        If the arrays behind them are in other memory.
    """
    if memory := _memory_of_type(type_):
        WHERE[0].check_object(memory, type_, data, tuple(owners))


def memory_of(obj: Any) -> str:
    """The dialect whose devices alone read what an object has or points to; empty: the host does."""
    described = getattr(type(obj), "__samebytes_type__", None)
    if isinstance(described, Struct):
        return _memory_of_type(described).partition(":")[0]
    if isinstance(obj, tuple | list):
        return next(filter(None, map(memory_of, obj)), "")
    return str(WHERE[0].memory_of(obj))


@lru_cache(maxsize=1024)
def _memory_of_type(type_: Type) -> str:
    return device_memory(type_)


def beyond_host(got: Type, expected: Type | None = None) -> str:
    """Why the host does not take an object whose addresses lead into a device's memory; empty: it does.

    ``expected`` is what is taken, which may be for devices itself.
    """
    memory = _memory_of_type(got).partition(":")[0]
    if not memory or (expected is not None and _memory_of_type(expected)):
        return ""
    return f"its addresses lead into {place(memory)}, which the host does not read"


def place(memory: str) -> str:
    """Where memory lies, in words."""
    return f"{_NAMES[memory.partition(':')[0]]} memory"


def array_type(obj: Any) -> Type | None:
    """What an array of any library is, as a type; None of what is no array."""
    found: Type | None = WHERE[0].array_type(obj) if WHERE else None
    return found


def moved(type_: Type, memory: str) -> Type:
    """The type of the same values with all addresses in a device's memory: each class is that of the memory."""
    if isinstance(type_, Array | Pointer):
        return replace(type_, memory=memory)
    bare = unqualified(type_)
    if isinstance(bare, Struct) and bare.python is not None and has_pointers(bare):
        if _memory_of_type(bare):
            return type_
        if issubclass(bare.python, _native.Value):
            inner: Type = device_structs.class_in(bare.python, memory).__samebytes_type__
        else:  # a class of a library of the host is none of devices: it is read as a tuple
            inner = replace(bare.with_parts(lambda part: moved(part, memory)), python=None)
        return inner if bare is type_ else type_.with_parts(lambda _: inner)
    return type_.with_parts(lambda part: moved(part, memory))
