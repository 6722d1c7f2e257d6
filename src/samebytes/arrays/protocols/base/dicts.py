"""The entries that ``__array_interface__``, the CUDA Array Interface and SUAI share, each one checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np

from .... import _native
from ....errors import OVERWHELMED, ProtocolError
from ....frozen import frozen
from ....later import later_pattern
from ....types import SCALARS, Type
from ...view import numpy_type, numpy_words
from .protocol import Refused

_TYPESTR = later_pattern(r"[<>|=]?(?P<kind>[biufcmMSUV])\d{1,9}(\[\w{1,9}\])?", re.ASCII)
_BY_LIBRARY = {
    "bfloat16": "bfloat16",
    "float8_e4m3fn": "float8e4m3",
    "float8_e5m2": "float8e5m2",
}  # torch's names


_ENTRIES = (
    "shape", "typestr", "descr", "data", "strides", "mask", "version", "stream", "syclobj", "offset",
)  # fmt: skip


@frozen
class Described:
    """What a dict says of its elements and their places; strides as it counts them, None where it gives none."""

    type: Type | None
    words: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    pointer: int
    readonly: bool


class _Broken(Exception):
    """An entry that breaks the protocol."""


def entries(obj: Any, protocol: str, found: Any) -> dict[str, Any]:
    """The entries of any mapping that a protocol knows.

    Raises
    ------
    ProtocolError
        If it is no mapping, or fails when it is read: a mapping may run any code.
    """
    if not isinstance(found, Mapping):
        raise ProtocolError(f"{_name(obj)}.{protocol} is no mapping but {type(found).__name__}")
    try:
        return {name: found[name] for name in _ENTRIES if name in found}
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ProtocolError(f"{_name(obj)}.{protocol} cannot be read: {error!r}") from error


def described(obj: Any, protocol: str, facts: Mapping[str, Any], kinds: str = "") -> Described:
    """What the shared entries say.

    Parameters
    ----------
    obj : object
        The producer.
    protocol : str
        The attribute's name, for messages.
    facts : mapping
        Without an own ``data``, the pointer is 0.
    kinds : str
        The letters of ``typestr`` that the protocol knows; empty: all.

    Raises
    ------
    ProtocolError
        If an entry is missing, of a wrong type or impossible, or if there is a mask.
    Refused
        If the elements are none that NumPy knows.
    """
    try:
        if facts.get("mask") is not None:
            raise _Broken("has a mask, which no view can carry")
        shape = _extents(facts.get("shape"), "shape")
        if any(n < 0 for n in shape):
            raise _Broken(f"has a negative extent in shape {shape}")
        raw = facts.get("strides")
        strides = None if raw is None else _extents(raw, "strides")
        if strides is not None and len(strides) != len(shape):
            raise _Broken(f"has {len(strides)} strides for {len(shape)} dimensions")
        dtype, type_, words = _elements(obj, facts, kinds)
        pointer, readonly = _data(facts)
    except _Broken as error:
        raise ProtocolError(f"{_name(obj)}.{protocol} {error}") from None
    except (Refused, ProtocolError):
        raise
    except OVERWHELMED:
        raise
    except Exception as error:  # a mapping may run any code
        raise ProtocolError(f"{_name(obj)}.{protocol} cannot be read: {error}") from error
    return Described(type_, words, dtype, shape, strides, pointer, readonly)


def _name(obj: Any) -> str:
    return type(obj).__qualname__


def _extents(value: Any, what: str) -> tuple[int, ...]:
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise _Broken(f"has no tuple of integers as {what}")
    numbers: list[int] = []
    for number in value:
        if len(numbers) == _native.MAX_RANK:
            raise _Broken(f"has more than {_native.MAX_RANK} dimensions in {what}")
        numbers.append(_integer(number, what))
    return tuple(numbers)


def _integer(value: Any, what: str) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise _Broken(f"has {type(value).__name__} in {what} where an integer must stand") from None


def _data(facts: Mapping[str, Any]) -> tuple[int, bool]:
    data = facts.get("data")
    if data is None:
        return 0, False
    if not isinstance(data, tuple | list) or len(data) != 2:
        raise _Broken("has no (pointer, read-only flag) as data")
    pointer = 0 if data[0] is None else _integer(data[0], "data")
    if not 0 <= pointer < 1 << 64:
        raise _Broken(f"has a pointer that is no address: {pointer}")
    if not isinstance(data[1], bool | int | np.bool_):
        raise _Broken(f"has {type(data[1]).__name__} as read-only flag")
    return pointer, bool(data[1])


def parsed_dtype(typestr: Any, descr: Any = None) -> np.dtype[Any]:
    """The dtype of a type string, and of ``descr`` where the string only says how many bytes.

    Raises
    ------
    Refused
        If NumPy does not know it, or it means Python objects.
    """
    match = _TYPESTR.fullmatch(typestr) if isinstance(typestr, str) else None
    if match is None:
        raise Refused(f"type string {str(typestr)[:40]!r} is none that can be read")
    try:
        dtype: np.dtype[Any] = np.dtype(typestr)
        if match["kind"] == "V" and isinstance(descr, list) and len(descr) > 0 and descr != [("", typestr)]:
            fields = _fields(descr)
            if fields.itemsize != dtype.itemsize:
                raise ValueError(f"descr means {fields.itemsize} bytes, and typestr {dtype.itemsize}")
            dtype = fields
    except OVERWHELMED:
        raise
    except Exception as error:
        raise Refused(f"type string {typestr!r}: {error}") from None
    if dtype.hasobject or not dtype.itemsize:
        raise Refused("elements are Python objects, or have no bytes")
    return dtype


def _fields(descr: list[Any]) -> np.dtype[Any]:
    """A structured dtype; members without a name are padding."""
    names, formats, offsets, at = [], [], [], 0
    for name, typestr, *shape in descr:
        inner = _fields(typestr) if isinstance(typestr, list) else parsed_dtype(typestr)
        member = np.dtype((inner, tuple(shape[0]))) if shape else inner
        if name:
            names.append(name[1] if isinstance(name, tuple) else name)
            formats.append(member)
            offsets.append(at)
        at += member.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": at})


def _elements(obj: Any, facts: Mapping[str, Any], kinds: str) -> tuple[np.dtype[Any], Type | None, str]:
    typestr = facts.get("typestr")
    if typestr is None:
        raise _Broken("has no typestr")
    if isinstance(typestr, str) and typestr[:2] == "<f" and typestr[2:] == "1":
        typestr = "|V1"  # what ml_dtypes' float8_e5m2 calls itself
    dtype = parsed_dtype(typestr, facts.get("descr"))
    if kinds and (dtype.kind not in kinds or not dtype.isnative):
        raise Refused(f"type string {typestr!r} is none of this protocol")
    if dtype.kind == "V" and not dtype.fields:
        dtype = _own_dtype(obj, dtype.itemsize) or dtype
    type_ = numpy_type(dtype)
    return dtype, type_, numpy_words(dtype)


def _own_dtype(obj: Any, itemsize: int) -> np.dtype[Any] | None:
    """What the object itself calls its elements, where a type string has no word for them."""
    own = getattr(obj, "dtype", None)
    if not isinstance(own, np.dtype):
        scalar = SCALARS.get(_BY_LIBRARY.get(str(own).rpartition(".")[2], ""))
        own = scalar.dtype if scalar else None
    if own is None or own.itemsize != itemsize or own.hasobject:
        return None
    return np.dtype(own)
