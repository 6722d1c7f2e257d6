"""Variables of the device: read and written by attribute access, as copies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..call.attribute import Attribute
from ..errors import LayoutError, Mismatch, value_error
from ..layouts.dialects import layout
from ..types import CArray, Const, Enum, Scalar, Struct, Type, in_memory, unqualified
from ..values.conversion import convert
from ..values.reading import read
from .code import Code


class DeviceVariable(Attribute):
    """A ``__device__`` or ``__constant__`` variable.

    What is read is a copy that cannot be written: numbers, enumerators and vectors, an array of numbers as a read-only
    NumPy array, a struct as the tuple of its fields. A launch has ended when it returns, so that a copy shows what it
    wrote.

    Parameters
    ----------
    name, symbol : str
        Qualified; the linker's.
    type_ : Type
        Linked; Const where it cannot be written.
    code : Code
    """

    def __init__(self, name: str, symbol: str, type_: Type, code: Code) -> None:
        self._name, self._symbol, self._code = name, symbol, code
        self.type: Type = type_
        self._shown = _as_value(unqualified(type_))
        self._size = layout(unqualified(type_), code.dialect).size
        self._kept: tuple[Any, ...] = ()  # what the addresses lead into that were written last

    def get(self) -> Any:
        """A copy of its value."""
        device, address = self._place()
        data = device.read(address, self._size)
        element = self._shown
        while isinstance(element, CArray):
            element = unqualified(element.element)
        element = element.underlying if isinstance(element, Enum) else element
        if isinstance(self._shown, CArray) and isinstance(element, Scalar):
            return np.frombuffer(data, element.dtype).reshape(_shape(self._shown))
        return read(self._shown, data)

    def set(self, value: Any) -> None:
        """Write it; arrays that it then leads to live as long as it does so."""
        if isinstance(self.type, Const):
            raise AttributeError(f"{self._name!r} is const in C++ and cannot be set")
        device, address = self._place()
        type_ = in_memory(unqualified(self.type), f"{self._code.dialect}:{device.number}")
        try:
            packed = convert(type_, value, self._code.dialect)
        except Mismatch as mismatch:
            raise value_error(f"{self._name}:", mismatch) from None
        device.write(address, packed.data)
        self._kept = packed.owners

    def _place(self) -> tuple[Any, int]:
        device, address, size = self._code.variable(self._symbol)
        if size != self._size:
            raise size_error(self._name, self._size, size)
        return device, address


def size_error(name: str, ours: int, theirs: int) -> LayoutError:
    """The error for a variable of other bytes than its declaration says."""
    return LayoutError(f"{name} has {ours} bytes, and in its compiled code {theirs}")


def _shape(type_: CArray) -> tuple[int, ...]:
    inner = unqualified(type_.element)
    return (*type_.shape, *(_shape(inner) if isinstance(inner, CArray) else ()))


def _as_value(type_: Type) -> Type:
    """The type whose structs are read as tuples: a record would look as if it could be written."""
    made = type_.with_parts(_as_value)
    return replace(made, python=None) if isinstance(made, Struct) else made
