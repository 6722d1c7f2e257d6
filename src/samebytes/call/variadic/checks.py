"""Whether further arguments are what a format asks for: one rule for each kind of conversion."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ... import _native
from ...arrays.protocols import view
from ...arrays.view.device import HOST
from ...errors import ArgumentError, ArrayError, Error, Mismatch, value_words
from ...layouts.ctypes_classes import C_ADDRESSES, C_FUNCTION, C_OBJECT, C_POINTER, C_REFERENCE
from ...types import CHAR, Pointer, Scalar, Type, as_type, unqualified
from ...values.conversion import convert
from ...values.conversion.numbers import words
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
    if sort.name != INT:
        character = isinstance(value, str | bytes) and len(value) == 1
        advice = "ord(x) is its code" if character else "int(x) converts it" if sort.name == FLOAT else ""
        raise _refusal(wanted, value, f"an integer ({words(type_)})", advice)
    held = value.value if isinstance(value, C_OBJECT) else value
    whole = ord(held) if isinstance(held, str | bytes) else int(held)
    try:
        convert(type_, whole, "cxx")
    except Mismatch as mismatch:
        raise _refusal(wanted, value, mismatch.expected, _WIDER.get(type_.size, ""), mismatch.error) from None


_WIDER = dict.fromkeys((1, 2, 4), "A longer conversion has room for more: %ld, %lu")


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
    if isinstance(value, _native.Pointer | ctypes.c_char_p | C_POINTER | C_REFERENCE | ctypes.c_void_p):
        if not _is_null(value):
            return
        raise _refusal(wanted, value, "text", "It is null")
    seen = _seen(wanted, value, "text, or an array of characters")
    if seen.itemsize != 1:
        raise _refusal(wanted, value, "text, or an array of characters")
    data = ctypes.string_at(seen.ptr, seen.nbytes) if seen.device == HOST else b""
    most = len(data) + 1 if wanted.most is None else wanted.most
    if b"\0" not in data and len(data) < most:
        raise _refusal(wanted, value, "text", "No NUL ends it", ArrayError)


def _is_null(value: Any) -> bool:
    return not (
        int(value) if isinstance(value, _native.Pointer) else ctypes.cast(value, ctypes.c_void_p).value
    )


def _wide_text(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    buffer = isinstance(value, ctypes.Array) and value._type_ is ctypes.c_wchar
    if not (buffer or isinstance(value, _native.Pointer | ctypes.c_wchar_p)):
        raise _refusal(wanted, value, "wide text", "%s takes str; ctypes.c_wchar_p(x) is wide text")


def _address(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if sort.name not in (ADDRESS, TEXT):
        raise _refusal(wanted, value, "an address", "sb.Pointer(x) is an address" if sort.name == INT else "")


def _function(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    if value is not None and not isinstance(value, _native.Pointer | C_FUNCTION | ctypes.c_void_p):
        raise _refusal(wanted, value, "a pointer to a C function", "lib.its_typedef(f) makes one")


def _place(wanted: ExpectedArgument, sort: Sort, value: Any) -> None:
    """A place that scanf writes to: of the type that the conversion says, and large enough."""
    if sort.name != ADDRESS or value is None:
        raise _refusal(
            wanted, value, "a place to write to", "np.zeros(1, dtype) has one; ctypes.byref(x) is one"
        )
    if isinstance(value, _native.Pointer) and not isinstance(value, _native.Shown):
        return
    type_, count, expected = wanted.type, wanted.most or 1, _place_words(wanted)
    if isinstance(value, C_POINTER | C_REFERENCE):
        held = as_type(type(value._obj if isinstance(value, C_REFERENCE) else value.contents))
        if type_ is not None and (not _is_same(held, type_) or count > 1):
            raise _refusal(wanted, value, expected)
        return
    if isinstance(value, C_ADDRESSES):
        return
    seen = _seen(wanted, value, expected)
    if isinstance(type_, Pointer):
        fits = seen.itemsize == _ADDRESS_SIZE
    elif type_ == CHAR:
        fits = seen.itemsize == 1 and seen.size >= count
    else:
        fits = type_ is None or _is_same(seen.type, type_)
    if not fits:
        raise _refusal(wanted, value, expected, error=ArrayError)


def _place_words(wanted: ExpectedArgument) -> str:
    return (
        f"room for {wanted.most or 1} bytes"
        if wanted.type == CHAR
        else f"an array of {wanted.type or 'its type'}"
    )


def _is_same(held: Type | None, type_: Type) -> bool:
    """Whether a place is one of a number of such a size and kind; C's char may be any byte."""
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
    "function": _function,
    "place": _place,
}
