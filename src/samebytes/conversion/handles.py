"""C++ objects that are no bytes: by the address of the object itself, or of the base that it holds."""

from __future__ import annotations

import struct
from typing import Any

from .. import _native
from ..errors import ArgumentError, IntentError, Mismatch, value_words
from ..types import Handle
from ..values.codecs import codec
from .base import Packed
from .structs import address_of, base_offset

_ADDRESS = struct.Struct("P")


def convert_handle(type_: Handle, value: Any, dialect: str, *, writes: bool = False) -> Packed:
    """The address of an object of a class, or of a class derived from it.

    Parameters
    ----------
    writes : bool
        Whether C++ may change the object.

    Raises
    ------
    Mismatch
        With IntentError as its error if C++ gave the object as const.
    """
    offset = base_offset(type_.name, value)
    if offset is None:
        raise Mismatch(ArgumentError, f"an object of {type_}", value_words(value), _advice(type_))
    if writes and isinstance(value, _native.Handle) and value._const:
        words = f"an object of {type_} that C++ may change"
        raise Mismatch(IntentError, words, value_words(value), "C++ gave it as const")
    codec(type_, dialect).accept(type(value), offset)
    return Packed(_ADDRESS.pack(address_of(value) + offset), (value,))


def _advice(type_: Handle) -> str:
    return "" if type_.abstract else f"{type_.short_name}(...) makes one"
