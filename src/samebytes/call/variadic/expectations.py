"""What the declared arguments of a call tell of its further ones: a format, or the number of an option."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from ...errors import ArgumentError, Mismatch, call_error, plain_error
from ...model.signature import Signature
from ...types import CHAR, Pointer, unqualified
from ..frame import convert_argument
from .formats import BadFormat, ExpectedArgument, arguments_of_format
from .selectors import is_selector, selected


def expected_arguments(
    name: str, signature: Signature, args: tuple[Any, ...]
) -> tuple[tuple[ExpectedArgument, ...], str] | None:
    """The further arguments that a call asks for, and what asks for them, in words; None where nothing tells.

    Raises
    ------
    ArgumentError
        If what tells cannot be read, or its words are not known.
    """
    if is_selector(signature.family):
        number, given = _number(name, signature, args)
        one = selected(signature.family, number, given)
        return None if one is None else ((one,), one.text)
    format_ = _format(name, signature, args)
    try:
        return arguments_of_format(
            signature.family, format_, not _is_narrow(signature)
        ), f"the format {format_!r}"
    except BadFormat as reason:
        what = f"cannot check the format {format_!r}: {reason}"
        raise plain_error(ArgumentError, name, what) from None


def _converted(name: str, signature: Signature, args: tuple[Any, ...]) -> tuple[bytes, Any]:
    """The bytes of the argument that tells, and what keeps them."""
    parameter = signature.parameters[signature.family_at]
    position = signature.visible.index(parameter)
    try:
        packed = convert_argument(parameter, args[position], "cxx")
    except Mismatch as mismatch:
        mismatch.index, mismatch.name = position, parameter.name
        raise call_error(name, [mismatch]) from None
    return packed.data, packed.owners


def _number(name: str, signature: Signature, args: tuple[Any, ...]) -> tuple[int, Any]:
    given = args[signature.visible.index(signature.parameters[signature.family_at])]
    data, _ = _converted(name, signature, args)
    return int.from_bytes(data, "little"), given


def _format(name: str, signature: Signature, args: tuple[Any, ...]) -> str:
    """The format of a call, whatever shows it to C."""
    parameter = signature.parameters[signature.family_at]
    position = signature.visible.index(parameter)
    if isinstance(args[position], str):
        return str(args[position])
    data, _owners = _converted(name, signature, args)
    (address,) = struct.unpack("P", data)
    if not address:
        null = Mismatch(ArgumentError, "a format", "null", index=position, name=parameter.name)
        raise call_error(name, [null])
    return (
        ctypes.string_at(address).decode("latin-1") if _is_narrow(signature) else ctypes.wstring_at(address)
    )


def _is_narrow(signature: Signature) -> bool:
    """Whether the format is of ``char``, const or not: a wide one is a pointer to larger characters."""
    type_ = signature.parameters[signature.family_at].value_type
    return isinstance(type_, Pointer) and not type_.character and unqualified(type_.pointee) == CHAR
