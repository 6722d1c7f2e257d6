"""Texts that come out beside their length: bytes are made of their addresses, so many as C said."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from ... import _native
from ...errors import Error
from ...model.signature import Signature
from ...model.slots import written_type
from ...styles.c_api.texts import told_lengths
from ...types import VOID, Pointer, Scalar, Type, unqualified
from . import status


def lengths(signature: Signature) -> status.Finish | None:
    """What makes bytes of the addresses of such texts; None where there are none."""
    lead = int(signature.result != VOID)
    outputs = [p.name for p in signature.parameters if not p.intent.visible]
    visible = [p.name for p in signature.visible]
    readers: list[tuple[int, Reader]] = []
    for at, told in told_lengths(signature, lead):
        if told in outputs:
            readers.append((at, _of_result(lead + outputs.index(told))))
        elif told in visible:
            place = visible.index(told)
            readers.append((at, _of_place(place, unqualified(written_type(signature.visible[place])))))
    if not readers:
        return None

    def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        found = list(results)
        for at, length in readers:
            found[at] = _text(int(results[at]), length(results, arguments))
        return tuple(found)

    return finish


# How long a text is, by the results and the arguments of its call; None where nobody knows.
Reader = Callable[[tuple[Any, ...], tuple[Any, ...]], int | None]


def _of_result(place: int) -> Reader:
    return lambda results, arguments: int(results[place])


def _of_place(place: int, type_: Type) -> Reader:
    """The number that C wrote where an argument points to."""
    number = type_.target if isinstance(type_, Pointer) else type_
    assert isinstance(number, Scalar)
    size, signed = number.size, number.kind == "int"

    def read(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> int | None:
        address = _address(arguments[place])
        if not address:
            return None
        return int.from_bytes(ctypes.string_at(address, size), sys.byteorder, signed=signed)

    return read


def _address(given: Any) -> int:
    """Where an argument's memory lies; 0 where only the call itself knew, as of a list."""
    if given is None or isinstance(given, list | tuple):
        return 0
    try:
        return int(given if isinstance(given, _native.Pointer) else _native.Pointer(given))
    except Error:
        return 0


def _text(address: int, length: int | None) -> bytes | None:
    """So many bytes; up to their NUL where nobody says how many."""
    if not address:
        return None
    known = length is not None and 0 <= length <= sys.maxsize
    return ctypes.string_at(address, length) if known and length is not None else ctypes.string_at(address)
