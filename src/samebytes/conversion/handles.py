"""C++ objects that are no bytes: by the address of the object itself, or of the base that it holds."""

from __future__ import annotations

import struct
from typing import Any

from .. import _native
from ..errors import ArgumentError, IntentError, Mismatch, value_words
from ..types import Handle, Object, Owner, Struct, unqualified
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
    check_present(str(type_), value)
    if offset is None:
        raise Mismatch(ArgumentError, f"an object of {type_}", value_words(value), _advice(type_))
    if writes and isinstance(value, _native.Handle) and value._const:
        words = f"an object of {type_} that C++ may change"
        raise Mismatch(IntentError, words, value_words(value), "C++ gave it as const")
    codec(type_, dialect).accept(type(value), offset)
    return Packed(_ADDRESS.pack(address_of(value) + offset), (value,))


def check_present(expected: str, value: Any) -> None:
    """Raise a Mismatch for an object that C++ has taken over."""
    if isinstance(value, _native.Handle) and not address_of(value):
        gone = "It is gone: a std::unique_ptr took it over in an earlier call"
        raise Mismatch(IntentError, f"an object of {expected}", f"{type(value).__name__} object", gone)


def convert_object(type_: Object, value: Any, dialect: str) -> Packed:
    """The address of an object that C++ copies."""
    target = unqualified(type_.target)
    assert isinstance(target, Handle)
    return convert_handle(target, value, dialect)


_OWNER = struct.Struct("PPPP")


def convert_owner(type_: Owner, value: Any, dialect: str) -> Packed:
    """The object that a smart pointer is to share or to own; None for null."""
    if value is None:
        return Packed(bytes(_OWNER.size))
    target = unqualified(type_.target)
    assert isinstance(target, Struct)
    check_present(str(target), value)
    offset = base_offset(target.name, value)
    if offset is None:
        advice = f"{target.short_name}(...) makes one" if not getattr(target, "abstract", False) else ""
        raise Mismatch(ArgumentError, f"an object of {target} or None", value_words(value), advice)
    if target is type_.target and getattr(value, "_const", False):
        words = f"an object of {target} that C++ may change"
        raise Mismatch(IntentError, words, value_words(value), "C++ gave it as const")
    box, unique, heap, _ = _native.owned(value)
    copied = not type_.shared and not isinstance(target, Handle)
    if not type_.shared and not copied:
        _check_given(type_, target, value, unique=unique, heap=heap)
    held = 0 if copied else id(value)
    packed = _OWNER.pack(address_of(value) + offset, 0 if unique else box, held, _native.OWNER_API)
    return Packed(packed, (value,))


def _check_given(type_: Owner, target: Handle, value: Any, *, unique: bool, heap: bool) -> None:
    """Raise a Mismatch unless C++ may take an object over and delete it."""
    words = f"an object of {target} that C++ can own ({type_.words})"
    if not unique and not heap:
        whose = "It is not Python's to give: C++ or another object holds it"
        raise Mismatch(IntentError, words, value_words(value), whose)
    if type(value).__samebytes_type__.name != target.name and not target.virtual:
        why = f"{target.short_name} has no virtual destructor, so C++ could not destroy it"
        raise Mismatch(IntentError, words, value_words(value), why)


def _advice(type_: Handle) -> str:
    return "" if type_.abstract else f"{type_.short_name}(...) makes one"
