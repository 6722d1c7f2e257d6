"""How C functions return structs (System V ABI, AMD64, 3.2.3): what ctypes' closures do not do by themselves."""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Iterable
from typing import Any

from ...layouts.dialects import layout
from ...layouts.processors import GENERAL, INTEGER, REAL, Placing, processor
from ...types import Function, Type
from .plans import Kept

_ENDBR, _CALL, _RETURN = (
    b"\xf3\x0f\x1e\xfa",
    b"\x48\x83\xec\x08\x49\xbb%s\x41\xff\xd3\x48\x83\xc4\x08",
    b"\xc3",
)
# From where rax points to, into the two registers of a result.
_LOADS = {
    (GENERAL, GENERAL): b"\x48\x8b\x50\x08\x48\x8b\x00",
    (REAL, REAL): b"\xf2\x0f\x10\x00\xf2\x0f\x10\x48\x08",
    (GENERAL, REAL): b"\xf2\x0f\x10\x40\x08\x48\x8b\x00",
    (REAL, GENERAL): b"\xf2\x0f\x10\x00\x48\x8b\x40\x08",
}
_results = Kept()  # of each thread the bytes of its last one, which the code behind the call reads at once


def _words(type_: Type) -> tuple[str, ...] | None:
    """The classes of a result's words; () for memory, None where nobody can tell."""
    machine = processor()
    shape = machine.shape(type_) if machine else None
    return shape.words if shape else None


def cannot_return(function: Function) -> str:
    """Why no callback of ctypes' can return the struct that a function returns; empty where one can."""
    found, machine = _words(function.result), processor()
    if found is None or machine is None:
        return f"it returns {function.result}, and how C passes that is not known here"
    if len(found) < 2:
        return ""
    placing = Placing(machine.registers)
    for argument in function.arguments:
        shape = INTEGER if argument.passing != "value" else machine.shape(argument.type)
        if shape is None or not shape.words:
            return "it returns a struct in two registers, and takes one on the stack"
        if placing(shape)[0] >= machine.registers.count:
            return "it returns a struct in two registers, and takes more arguments than registers hold"
    return ""


def returning(
    function: Function, arguments: Iterable[Any], run: Callable[..., bytes | None]
) -> tuple[int, Any]:
    """A C function that returns the bytes that ``run`` gives: zeros for None.

    Returns
    -------
    address : int
    owner : object
    """
    found, size = _words(function.result), layout(function.result).size
    assert found is not None

    def bytes_of(values: tuple[Any, ...]) -> bytes:
        return run(*values) or bytes(size)

    if not found:  # the caller says where

        def to_memory(place: int, *values: Any) -> int:
            ctypes.memmove(place, bytes_of(values), size)
            return place

        made = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, *arguments)(to_memory)
        return address_in(made), made
    if len(found) == 1:
        integer = found[0] == GENERAL

        def in_register(*values: Any) -> Any:
            word = bytes_of(values).ljust(8, b"\0")
            return int.from_bytes(word, "little") if integer else struct.unpack("d", word)[0]

        one = ctypes.CFUNCTYPE(ctypes.c_uint64 if integer else ctypes.c_double, *arguments)(in_register)
        return address_in(one), one

    def in_two(*values: Any) -> int:
        place = ctypes.create_string_buffer(bytes_of(values), 16)
        _results(place)
        return ctypes.addressof(place)

    two = ctypes.CFUNCTYPE(ctypes.c_void_p, *arguments)(in_two)
    code = _ENDBR + _CALL % struct.pack("<Q", address_in(two)) + _LOADS[found[0], found[1]] + _RETURN
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    return ctypes.addressof(ctypes.c_char.from_buffer(page)), (page, two)


def address_in(pointer: Any) -> int:
    """The address that one of ctypes' function pointers holds; ``ctypes.cast`` would make a cycle of references."""
    return ctypes.c_void_p.from_buffer_copy(pointer).value or 0
