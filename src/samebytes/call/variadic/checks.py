"""Whether further arguments are what a format asks for: one rule for each kind of conversion."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...arrays.view.device import HOST
from ...errors import POINTS_TO_CONST, ArgumentError, ArrayError, Error, Mismatch, RangeError, value_words
from ...frozen import frozen
from ...layouts.ctypes_classes import (
    C_ADDRESSES,
    C_FUNCTION,
    C_OBJECT,
    C_POINTER,
    C_REFERENCE,
    target_of,
)
from ...types import CHAR, SCALARS, Pointer, Scalar, Type, as_type, unqualified
from ...values.conversion.numbers import limits, words
from .formats import ExpectedArgument
from .sorts import ADDRESS, FLOAT, INT, LONG, TEXT, Sort

_ADDRESS_SIZE = ctypes.sizeof(ctypes.c_void_p)


def check(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    """Whether an argument is what a conversion of a format asks for.

    Raises
    ------
    Mismatch
        If it is not.
    """
    _CHECKS[wanted.kind](wanted, sort, value)


def _refusal(
    wanted: ExpectedArgument, value: object, expected: str, advice: str = "", error: Any = ArgumentError
) -> Mismatch:
    return Mismatch(error, f"{expected} for {wanted.text}", value_words(value), advice)


def _int(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    type_ = wanted.type
    assert isinstance(type_, Scalar)
    low, high = limits(type_) if wanted.bounds is None else wanted.bounds[1:]
    expected = words(type_) if wanted.bounds is None else f"{wanted.bounds[0]} ({low} to {high})"
    if sort.name != INT:
        expected = f"an integer ({expected})" if wanted.bounds is None else expected
        advice = "ord(x) is its code" if _has_code(value, high) else _OTHER_CONVERSIONS.get(sort.name, "")
        raise _refusal(wanted, value, expected, advice)
    held = value.value if isinstance(value, C_OBJECT) else value
    whole = ord(held) if isinstance(held, str | bytes) else int(held)
    if not low <= whole <= high:
        raise _refusal(wanted, value, expected, _advice_for(wanted, whole, high), RangeError)


def _has_code(value: object, high: int) -> bool:
    """Whether a text is one character whose code says the same: behind ASCII a char is but a part of one."""
    most = 127 if isinstance(value, str) and high < 256 else high
    return isinstance(value, str | bytes) and len(value) == 1 and ord(value) <= most


_OTHER_CONVERSIONS = {FLOAT: "int(x) converts it", TEXT: "%s takes text"}


def _advice_for(wanted: ExpectedArgument, whole: int, high: int) -> str:
    """Which conversion takes a number that one does not."""
    if wanted.bounds is not None:
        return ""
    if whole < 0 <= -whole <= high + 1 and wanted.text[-1] in _UNSIGNED:
        return f"{wanted.text[:-1]}d takes negative numbers, x & {high:#x} has the bits for {wanted.text}"
    return f"A longer conversion has room for more: {wanted.longer}" if wanted.longer else ""


_UNSIGNED = "ouxXbB"


def _float(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if sort.name != FLOAT:
        advice = {INT: "float(x) converts it", LONG: f"{wanted.text[:-1]}L{wanted.text[-1]} takes it"}
        raise _refusal(wanted, value, "a float", advice.get(sort.name, ""))


def _long_double(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if sort.name != LONG:
        raise _refusal(wanted, value, "a long double", "np.longdouble(x) makes one")


def _text(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if sort.name == TEXT:
        return
    if sort.name != ADDRESS or value is None:
        raise _refusal(wanted, value, "text", "str(x) makes text of it" if value is not None else "")
    expected = "text, or an array of characters"
    if isinstance(value, _CHARACTER_ADDRESSES):
        if _is_null(value):
            raise _refusal(wanted, value, "text", "It is null")
        if isinstance(value, C_POINTER) and not _is_same(as_type(type(value.contents)), CHAR):
            raise _refusal(wanted, value, expected)
        return
    if isinstance(value, C_REFERENCE):
        if not _is_same(_element(value._obj), CHAR):
            raise _refusal(wanted, value, expected)
        _ended(wanted, value, ctypes.string_at(target_of(value), max(_behind(value), 0)))
        return
    seen = _seen(wanted, value, expected)
    if seen.itemsize != 1:
        raise _refusal(wanted, value, expected)
    if not seen.contiguous:  # which the call refuses in its own words
        return
    _ended(wanted, value, ctypes.string_at(seen.ptr, seen.nbytes) if seen.device == HOST else b"")


_CHARACTER_ADDRESSES = (_native.Pointer, ctypes.c_char_p, C_POINTER, ctypes.c_void_p)


def _ended(wanted: ExpectedArgument, value: Any, data: bytes | str) -> None:
    """That C finds the end of a text where it looks for it."""
    most = len(data) + 1 if wanted.most is None else wanted.most
    ends = "\0" in data if isinstance(data, str) else b"\0" in data
    if not ends and len(data) < most:
        raise _refusal(wanted, value, "text", "No NUL ends it", ArrayError)


def _is_null(value: Any) -> bool:
    return not (int(value) if isinstance(value, _native.Pointer) else target_of(value))


def _element(held: Any) -> Type | None:
    """The type of what a ctypes object holds; of an array, of its elements."""
    return as_type(held._type_ if isinstance(held, ctypes.Array) else type(held))


def _behind(reference: Any) -> int:
    """The bytes of its object from where a ``byref(x, offset)`` points; negative: it points before or behind it."""
    held = reference._obj
    offset = target_of(reference) - ctypes.addressof(held)
    return ctypes.sizeof(held) - offset if offset >= 0 else -1


def _wide_text(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if isinstance(value, ctypes.Array) and value._type_ is ctypes.c_wchar:
        _ended(wanted, value, "".join(value[:]))
    elif not isinstance(value, _native.Pointer | ctypes.c_wchar_p):
        raise _refusal(wanted, value, "wide text", "%s takes str; ctypes.c_wchar_p(x) is wide text")
    elif _is_null(value):
        raise _refusal(wanted, value, "wide text", "It is null")


def _address(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if sort.name not in (ADDRESS, TEXT):
        raise _refusal(wanted, value, "an address", "sb.Pointer(x) is an address" if sort.name == INT else "")


def _handed_over(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    """Memory that C frees, so that C must have allocated it."""
    if value is not None and not isinstance(value, _native.Pointer | ctypes.c_void_p | ctypes.c_char_p):
        raise _refusal(wanted, value, "an address that C gave, as it frees it")


def _function(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if value is not None and not isinstance(value, _native.Pointer | C_FUNCTION | ctypes.c_void_p):
        raise _refusal(wanted, value, "a pointer to a C function", "lib.its_typedef(f) makes one")


def _place(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    """A place that scanf writes to: of the type that the conversion says, and large enough."""
    if sort.name != ADDRESS or value is None:
        raise _refusal(
            wanted, value, "a place to write to", "np.zeros(1, dtype) has one; ctypes.byref(x) is one"
        )
    if isinstance(value, (_native.Pointer, *C_ADDRESSES)) and not isinstance(value, _native.Shown):
        _pointed_place(wanted, value)
        return
    kind, expected = _PLACES[wanted.kind], _place_words(wanted)
    seen = _seen(wanted, value, expected)
    if not kind.is_array(wanted, seen) or seen.size < (wanted.most or 1):
        raise _refusal(wanted, value, expected, error=ArrayError)


def _pointed_place(wanted: ExpectedArgument, value: Any) -> None:
    """A place of which there is the address: what ctypes knows of it holds, and no more is known."""
    if _is_null(value):
        raise _refusal(wanted, value, "a place to write to", "It is null")
    if isinstance(value, _native.Pointer) and value.is_const:
        raise _refusal(wanted, value, "a place to write to", POINTS_TO_CONST)
    if not isinstance(value, C_POINTER | C_REFERENCE):
        return
    kind, count = _PLACES[wanted.kind], wanted.most or 1
    held = value._obj if isinstance(value, C_REFERENCE) else value.contents
    fits = kind.is_held(wanted, type(held)) and count == 1
    if not fits or (isinstance(value, C_REFERENCE) and _behind(value) < ctypes.sizeof(held)):
        raise _refusal(wanted, value, _place_words(wanted))


@frozen
class _Kind:
    """How a kind of place is told: among arrays, and among the classes of ctypes."""

    words: Callable[[ExpectedArgument], str]
    is_array: Callable[[ExpectedArgument, Any], bool]
    is_held: Callable[[ExpectedArgument, type], bool]


def _shows(wanted: ExpectedArgument, seen: Any) -> bool:
    if isinstance(wanted.type, Pointer):
        return bool(seen.itemsize == _ADDRESS_SIZE)
    if wanted.type == CHAR:
        return bool(seen.itemsize == 1)
    return wanted.type is None or _is_same(seen.type, wanted.type)


def _holds(wanted: ExpectedArgument, held: type) -> bool:
    return wanted.type is None or _is_same(as_type(held), wanted.type)


def _is_wide(wanted: ExpectedArgument, seen: Any) -> bool:
    return bool(seen.itemsize == _WIDE_SIZE and (seen.type is None or _is_same(seen.type, _INT, _UINT)))


_WIDE_SIZE = ctypes.sizeof(ctypes.c_wchar)
_INT, _UINT = SCALARS["int32"], SCALARS["uint32"]
_PLACES = {
    "place": _Kind(
        lambda w: (
            f"room for {w.most or 1} bytes" if w.type == CHAR else f"an array of {w.type or 'its type'}"
        ),
        _shows,
        _holds,
    ),
    "wide place": _Kind(
        lambda w: f"room for {w.most} wide characters, an array of int32",
        _is_wide,
        lambda w, held: held is ctypes.c_wchar or _is_same(as_type(held), _INT, _UINT),
    ),
    "long double place": _Kind(
        lambda w: "an array of np.longdouble",
        lambda w, seen: seen.dtype == np.longdouble,
        lambda w, held: held is ctypes.c_longdouble,
    ),
}


def _place_words(wanted: ExpectedArgument) -> str:
    return _PLACES[wanted.kind].words(wanted)


def _is_same(held: Type | None, *types: Type) -> bool:
    """Whether a place is one of a number of such a size and kind; C's char may be any byte."""
    return any(_is_one(held, type_) for type_ in types)


def _is_one(held: Type | None, type_: Type) -> bool:
    held = None if held is None else unqualified(held)
    if not isinstance(held, Scalar) or not isinstance(type_, Scalar):
        return isinstance(held, Pointer) and isinstance(type_, Pointer)
    return held.size == type_.size and (type_ == CHAR or held.kind == type_.kind)


def _seen(wanted: ExpectedArgument, value: Any, expected: str) -> Any:
    try:
        return view(value)
    except Error:
        raise _refusal(wanted, value, expected) from None


_CHECKS: dict[str, Callable[[ExpectedArgument, Sort, Any], None]] = {
    "int": _int,
    "float": _float,
    "long double": _long_double,
    "text": _text,
    "wide text": _wide_text,
    "address": _address,
    "handed over": _handed_over,
    "function": _function,
    **dict.fromkeys(_PLACES, _place),
}
