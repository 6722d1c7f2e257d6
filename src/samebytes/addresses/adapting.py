"""Parameters that an adapter stands for: what makes an address of whatever is passed (HIP Python, "Adapter Types")."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _native
from ..c_objects import C_NUMBER, C_POINTER
from ..dialects import layout
from ..errors import ArrayError, Error, Mismatch, value_words
from ..types import Pointer, Scalar, Struct, Void

# The adapters by name; the package `adapters` registers its own. "Pointer" is the core's.
ADAPTERS: dict[str, Callable[[Any], _native.Pointer]] = {"Pointer": _native.Pointer}


def plain_address(obj: Any) -> Any:
    """A Pointer for an int and a ``ctypes.c_void_p``, which a pointer to a function may be, too; else the object."""
    number = isinstance(obj, int | np.integer) and not isinstance(obj, bool)
    return _native.Pointer(obj) if number or isinstance(obj, ctypes.c_void_p) else obj


def _check_size(type_: Pointer, obj: Any, made: _native.Pointer) -> None:
    """A record lies in memory that is large enough, where anything says how large it is."""
    there = getattr(made.owner, "nbytes", None)
    if isinstance(type_.target, Struct) and there is not None and there < (size := layout(type_.target).size):
        expected = f"the {size} bytes of {type_.target}"
        raise Mismatch(ArrayError, expected, value_words(obj), f"It has {there} bytes")


# What is no array of numbers, and may be an address or a list of values.
_ADDRESSES: Any = (
    int,
    np.integer,
    list,
    tuple,
    C_NUMBER,
    C_POINTER,
)


def adapted(type_: Pointer, obj: Any) -> Any:
    """What the parameter's adapter makes of an argument; records and arrays stand for themselves.

    Raises
    ------
    Mismatch
        If the adapter takes no such object.
    """
    if isinstance(obj, _native.Pointer | _native.Record):
        return obj
    if isinstance(type_.target, Scalar | Void) and not isinstance(obj, _ADDRESSES):
        return obj
    try:
        made = ADAPTERS.get(type_.adapter, _native.Pointer)(obj)
        _check_size(type_, obj, made)
        return made
    except Error as error:
        known = getattr(error, "mismatches", ())
        raise (
            known[0] if known else Mismatch(type(error), type_.adapter, value_words(obj), str(error))
        ) from error.__cause__
