"""The C types of further arguments, told by their Python values: what C's default argument promotions make of them.

ISO C11, 6.5.2.2 p. 6 f. Integers go as 64 bits, sign or zero extended, which is right for whoever reads an ``int``, a
``long`` or an address there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...errors import ArgumentError, Error, Mismatch, RangeError, value_words
from ...frozen import frozen
from ...layouts.ctypes_classes import C_ADDRESSES, C_NUMBER, C_OBJECT
from ...layouts.processors import DOUBLE, INTEGER, PADDING, WORD, Shape, processor
from ...model.further import LONG_DOUBLE
from ...types import BOOL, CHAR, SCALARS, VOID, Aligned, Const, Pointer, Struct, Type
from ...values.conversion import convert

INT, FLOAT, LONG, COMPLEX, TEXT, ADDRESS, RECORD = (
    "an integer", "a double", "a long double", "a complex number", "text", "an address", "a record"
)  # fmt: skip
_EXPECTED = "a number, text, an address or a record's value"


@frozen
class Sort:
    """What one further argument is to C.

    Attributes
    ----------
    name : str
        INT, FLOAT, LONG, COMPLEX, TEXT, ADDRESS or RECORD.
    type : Type
        What the argument is converted to; of one that is ``packed``, of each of its words.
    shape : Shape
        How it travels.
    packed : callable or None
        Gives its bytes, where they are no single number, text or address.
    stable : bool
        Whether all values of which the core tells the same are of this sort.
    """

    name: str
    type: Type
    shape: Shape = INTEGER
    packed: Callable[[Any], bytes] | None = None
    stable: bool = True


_WORDS = SCALARS["uint64"]
_LONG_DOUBLE = 16  # bytes, of which ten are the number's
_SIGNED = Sort(INT, SCALARS["int64"])
_UNSIGNED = Sort(INT, _WORDS)
_FLAG = Sort(INT, Aligned(BOOL, WORD))
# An enumerator of an enum class, which no parameter that is a number takes.
_ENUMERATOR = Sort(INT, _WORDS, INTEGER, lambda v: (int(v) & (1 << 64) - 1).to_bytes(WORD, "little"))
_REAL = Sort(FLOAT, SCALARS["float64"], DOUBLE)
_STRING = Sort(TEXT, Pointer(Const(CHAR)))


def _refusal(value: object, advice: str, error: type[Error] = ArgumentError) -> Mismatch:
    return Mismatch(error, _EXPECTED, value_words(value), advice)


def _integer(value: Any, adapter: str) -> Sort:
    whole = int(value)
    if getattr(getattr(type(value), "__samebytes_type__", None), "scoped", False):
        return _ENUMERATOR
    if -(2**63) <= whole < 2**63:
        return _SIGNED
    if 0 <= whole < 2**64:
        return _UNSIGNED
    raise Mismatch(RangeError, "an integer of at most 64 bits", value_words(value), "C passes no wider ones")


def _long_double(value: Any, adapter: str) -> Sort:
    return Sort(LONG, _WORDS, LONG_DOUBLE, lambda v: np.longdouble(v).tobytes().ljust(_LONG_DOUBLE, b"\0"))


def _shape(type_: Type) -> Shape | None:
    machine = processor()
    return machine.shape(type_) if machine else None


def _complex(value: Any, adapter: str) -> Sort:
    narrow = isinstance(value, np.complex64)
    if isinstance(value, np.clongdouble):
        raise _refusal(value, "complex(x) is a double complex")
    type_ = SCALARS["complex64" if narrow else "complex128"]
    shape = _shape(type_)
    assert shape is not None
    return Sort(COMPLEX, _WORDS, shape, lambda v: convert(type_, v, "cxx").data)


def _address(value: Any, adapter: str) -> Sort:
    return Sort(ADDRESS, Pointer(VOID, adapter))


def _array(value: Any, adapter: str) -> Sort:
    if getattr(value, "shape", None) == ():
        raise _refusal(value, "x.item() is its number, x.reshape(1) an array of one, whose address goes to C")
    return _address(value, adapter)


def _struct(value: Any, adapter: str) -> Sort:
    described = type(value).__samebytes_type__
    shape = _shape(described) if isinstance(described, Struct) else None
    if shape is None or PADDING in shape.words:
        raise _refusal(value, "How such a value goes to a function with ... is not defined: pass its parts")
    return Sort(RECORD, _WORDS, shape, lambda v: convert(described, v, "cxx").data)


def _unknown_number(value: Any, adapter: str) -> Sort:
    raise _refusal(value, "C has no such numbers: int(x) or float(x) says what to pass")


def _record(value: Any, adapter: str) -> Sort:
    by_value = "" if isinstance(value, _native.Handle) else ", x.value goes by value"
    raise _refusal(value, f"sb.Pointer(x) is its address{by_value}")


def _c_number(value: Any, adapter: str) -> Sort:
    """A number of ctypes, by its own type: ``c_char`` and ``c_wchar`` are characters."""
    held = None if isinstance(value, ctypes.py_object) else value.value  # which C would have by its address
    if isinstance(value, ctypes.c_longdouble) and ctypes.sizeof(value) > WORD:
        return Sort(LONG, _WORDS, LONG_DOUBLE, lambda v: bytes(v).ljust(_LONG_DOUBLE, b"\0"))
    if isinstance(held, float):
        return Sort(FLOAT, _WORDS, DOUBLE, lambda v: np.float64(v.value).tobytes())
    if isinstance(held, str | bytes | int):
        return Sort(INT, _WORDS, INTEGER, _c_integer)
    raise _refusal(value, "int(x.value) or float(x.value) is a number")


def _c_integer(value: Any) -> bytes:
    held = value.value
    whole = ord(held) if isinstance(held, str | bytes) else int(held)
    return (whole % 2**64).to_bytes(WORD, "little")


def _c_address(value: Any) -> bytes:
    return (ctypes.cast(value, ctypes.c_void_p).value or 0).to_bytes(WORD, "little")


def _c_object(value: Any, adapter: str) -> Sort:
    if isinstance(value, ctypes.Array):
        return _address(value, adapter)
    raise _refusal(value, "ctypes.byref(x) is its address")


def _function(value: Any, adapter: str) -> Sort:
    advice = (
        "Make a C function of it, lib.its_typedef(f) or sb.callback(f, 'int(*)(int)'), and keep that as long as C "
        "may call it"
    )
    raise Mismatch(ArgumentError, "a pointer to a C function", value_words(value), advice)


def _other(value: Any, adapter: str) -> Sort:
    if not _native.shows(value):
        try:
            view(value)
        except Error:
            if callable(value) and not isinstance(value, type):
                return _function(value, adapter)
            raise _refusal(
                value, _ADVICE.get(type(value), "Nothing says which C type it would have")
            ) from None
    return replace(_array(value, adapter), stable=False)


_ADVICE: dict[type, str] = {
    **dict.fromkeys((list, tuple), "np.array(x, dtype) says what its elements are"),
    dict: "Pass its values one by one",
}

# The first row that fits counts.
_RULES: tuple[tuple[Any, Callable[[Any, str], Sort]], ...] = (
    ((bool, np.bool_), lambda value, adapter: _FLAG),
    (np.longdouble, _long_double),
    ((float, np.floating), lambda value, adapter: _REAL),
    ((complex, np.complexfloating), _complex),
    (np.timedelta64, _unknown_number),
    ((int, np.integer), _integer),
    ((str, bytes), lambda value, adapter: _STRING),
    (np.generic, _unknown_number),
    (np.ndarray, _array),
    ((type(None), _native.Pointer), _address),
    (C_ADDRESSES, lambda value, adapter: Sort(ADDRESS, _WORDS, INTEGER, _c_address)),
    (_native.Record, _record),
    (_native.Value, _struct),
    (C_NUMBER, _c_number),
    (C_OBJECT, _c_object),
    ((FunctionType, MethodType, BuiltinFunctionType), _function),
)


def sort_of(value: Any, adapter: str = "") -> Sort:
    """What a further argument is to C.

    Parameters
    ----------
    adapter : str
        The adapter that makes addresses: ``"Pointer"`` in ``style="c_api"``, which takes memory of devices, too.

    Raises
    ------
    Mismatch
        If no C type is that of the value.
    """
    rule = next((rule for classes, rule in _RULES if isinstance(value, classes)), _other)
    return rule(value, adapter)
