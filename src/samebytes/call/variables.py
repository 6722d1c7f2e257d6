"""Bound variables: read and written where C++ has them, by attribute access on the library."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, ValuesView
from typing import Any

import numpy as np

from .. import _native
from ..errors import ArgumentError, Mismatch, value_error
from ..layouts import has_pointers
from ..layouts.dialects import layout
from ..types import (
    Atomic,
    ByKind,
    CArray,
    Const,
    Enum,
    Function,
    Handle,
    Pointer,
    Scalar,
    Struct,
    Type,
    refers,
    shows_elements,
    shows_text,
    unqualified,
)
from ..values import handle as handles
from ..values.array_views import nested, read_only, unwritable
from ..values.atomics import at_place, atomic_number
from ..values.codecs import codec
from ..values.constants import is_unassigned, unassigned
from ..values.conversion import convert, structs
from ..values.copied import Place, shows_copies
from ..values.pointed import object_at, pointer_to_object
from ..values.reading import read
from .attribute import Attribute

# ctypes reads and writes each with one instruction.
_CELLS: dict[int, Any] = {
    ctypes.sizeof(cell): cell for cell in (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)
}


def _refuse(name: str) -> AttributeError:
    return AttributeError(f"{name!r} is const in C++ and cannot be set")


class Accessed(Attribute):
    """A variable of a converted type: each access is a call.

    Parameters
    ----------
    name : str
    type_ : Type
    getter : callable
    setter : callable or None
        None where it is const, or shows text that is not its own.
    """

    def __init__(
        self, name: str, type_: Type, getter: Callable[[], Any], setter: Callable[[Any], Any] | None
    ) -> None:
        self._name, self._getter, self._setter = name, getter, setter
        self._place = Place(name, setter is None)
        self._show, self._refers = shows_copies(type_), refers(type_)
        self._shows = "text" if shows_text(type_) else "elements" if shows_elements(type_) else ""

    def get(self) -> Any:
        return self._getter() if self._show is None else self._show(self._getter(), self._place)

    def set(self, value: Any) -> None:
        if self._setter is None and self._shows:
            words = f"only shows {self._shows}: nothing would keep what Python gives it to show, so only C++ sets it"
            raise AttributeError(f"{self._name!r} {words}")
        if self._setter is None:
            raise _refuse(self._name)
        if self._refers and (kept := next(filter(_is_kept, _items(value)), None)) is not None:
            hint = "Nothing would keep it alive: keep it yourself, and give sb.Pointer(address)"
            mismatch = Mismatch(ArgumentError, "addresses without an owner, or None", f"{kept!r}", hint)
            raise value_error(f"{self._name}:", mismatch)
        self._setter(value)


class Evaluated(Attribute):
    """A macro that is an expression, which C evaluates each time.

    Parameters
    ----------
    name : str
    type_ : Type
        Of its value; linked.
    find : callable
        Gives the function that evaluates it; what that needs of a library which is opened later is looked up then.
    """

    def __init__(self, name: str, type_: Type, find: Callable[[], Callable[[], Any]]) -> None:
        self._name, self._find = name, find
        self.type = Const(type_)

    def get(self) -> Any:
        return self._find()()

    def set(self, value: Any) -> None:
        raise AttributeError(f"{self._name!r} is a macro, which C evaluates each time: it cannot be set")


class Unsized(Attribute):
    """An array of unknown length: text up to its NUL where it holds constant text, else a pointer to its first element.

    Parameters
    ----------
    name : str
    type_ : Type
        Of a pointer to the first element, linked.
    address : callable
        Where it lies, for this thread.
    owner : object
        What keeps the memory: the library.
    """

    def __init__(self, name: str, type_: Type, address: Callable[[], int], owner: Any) -> None:
        self._name, self._pointer, self._address, self._owner = name, unqualified(type_), address, owner
        self.type = type_

    def get(self) -> Any:
        place = self._address().to_bytes(8, "little")
        text = isinstance(self._pointer, Pointer) and self._pointer.is_text
        if text:
            return codec(self._pointer).unpack(place)
        levels, _ = self._pointer.levels if isinstance(self._pointer, Pointer) else (0, 0)
        return _native.Pointer._behind(self._address(), self._owner, levels)

    def set(self, value: Any) -> None:
        raise AttributeError(f"{self._name!r} is an array and cannot be set")


class MemoryVariable(Attribute):
    """A variable whose bytes Python knows.

    Numbers, enumerators and pointers are read as values; a struct is its record, an object itself, an array of numbers
    a NumPy array, one of structs or objects a tuple of them, all at the variable's own place. What is const is never
    shown writable: of a record it is a copy. An atomic is read and written at once.

    Parameters
    ----------
    name : str
    type_ : Type
        Linked; Const where it cannot be written.
    address : callable
        Where it lies, for this thread.
    owner : object
        What keeps the memory: the library.
    """

    def __init__(self, name: str, type_: Type, address: Callable[[], int], owner: Any) -> None:
        bare = unqualified(type_)
        self._type = bare.type if isinstance(bare, Atomic) else bare
        self._name, self._address, self._owner = name, address, owner
        self.type = type_
        self._const = isinstance(type_, Const)
        self._callable: Any = None  # the callable behind a function pointer
        self._size = layout(self._type).size
        self._cell = _CELLS[self._size] if isinstance(bare, Atomic) else None
        self._number = atomic_number(type_)
        self._read = _READERS.get(type(self._type), _value)

    def address(self) -> int:
        """Where it lies, for this thread."""
        return self._address()

    @property
    def content(self) -> memoryview:
        """Its bytes where they lie; of an atomic a copy."""
        if self._cell is not None:
            value: int = self._cell.from_address(self._address()).value
            return memoryview(value.to_bytes(self._size, sys.byteorder))
        return memoryview((ctypes.c_char * self._size).from_address(self._address())).cast("B")

    def get(self) -> Any:
        found = self._read(self, self._type)  # type: ignore[no-untyped-call]
        if self._number is None:
            return found
        return at_place(found, self._number, self._address(), self._owner, self._name)

    def set(self, value: Any) -> None:
        if self._const:
            raise _refuse(self._name)
        if self._is_itself(value):
            return  # what `lib.object += x` assigns once C++ has done it
        if is_unassigned(self._type):
            raise unassigned(self._name)
        if (what := handles.owned_by_cxx(self._type)) is not None:
            raise AttributeError(f"{self._name!r} is {what}")
        try:
            packed = convert(self._type, value)
        except Mismatch as mismatch:
            raise value_error(f"{self._name}:", mismatch) from None
        before = self._callable  # C++ may call it until the variable holds another address
        if _is_function(self._type):
            self._callable = packed.owners
        elif _points(self._type) and any(map(_has_owner, self._kept_by(packed, value))):
            pointer = isinstance(self._type, Pointer)
            address = f"{int.from_bytes(packed.data, sys.byteorder):#x}" if pointer else "address"
            hint = f"Nothing would keep it alive: keep it yourself, and give sb.Pointer({address})"
            words = Mismatch(ArgumentError, "an address without an owner, or None", f"{value!r}", hint)
            raise value_error(f"{self._name}:", words)
        if self._cell is None:
            self.content[:] = packed.data
        else:
            self._cell.from_address(self._address()).value = int.from_bytes(packed.data, sys.byteorder)
        del before

    def _is_itself(self, value: Any) -> bool:
        """Whether a value is the object that the variable is."""
        bare = unqualified(self._type)
        return (
            isinstance(bare, Struct)
            and type(value) is bare.python
            and structs.address_of(value) == self._address()
        )

    def _kept_by(self, packed: Any, value: Any) -> list[Any]:
        """What owns the addresses of the value's bytes: a record whose bytes are copied owns none of those."""
        copied_itself = not isinstance(self._type, Pointer)
        return [owner for owner in packed.owners if not (copied_itself and owner is value)]

    def _numbers(self, type_: CArray) -> Any:
        element = unqualified(type_.element)
        scalar = element.underlying if isinstance(element, Enum) else element
        if isinstance(element, Struct) and self._is_shown(element):
            return nested(type_, self._size, lambda offset: self._shown(element, offset))
        if not isinstance(scalar, Scalar):
            return self._object(type_)
        view = np.frombuffer(self.content, scalar.dtype).reshape(type_.shape)
        return read_only(view) if self._const else view

    def _struct(self, type_: Struct) -> Any:
        return self._shown(type_, 0) if self._is_shown(type_) else self._value(type_)

    def _is_shown(self, type_: Struct) -> bool:
        """Whether an object of it is shown where it lies; a record cannot be const, so it is a copy there."""
        python: Any = type_.python
        handle = isinstance(type_, Handle)
        return python is not None and (handle or (issubclass(python, _native.Record) and not self._const))

    def _shown(self, type_: Struct, offset: int) -> Any:
        """The object at an offset (bytes)."""
        python: Any = type_.python
        const = {"const": self._const} if isinstance(type_, Handle) else {}
        return python.__samebytes_view__(self._address() + offset, self._owner, **const)

    def _pointer(self, type_: Pointer) -> Any:
        # Text is what C++ says it is: the variable's type, not bytes of unknown origin, tells that it points to any.
        native = type_.is_text or type_.row is not None or _is_function(type_)
        return codec(type_).unpack(self.content) if native else self._object(type_)

    def _object(self, type_: Type) -> Any:
        to_object = pointer_to_object(type_)
        found = self._value(type_)
        return found if to_object is None else object_at(found, to_object, lambda name: _class_of(to_object))

    def _value(self, type_: Type) -> Any:
        found = read(type_, bytes(self.content), 0, self._owner)
        return unwritable(found, _native.mark_const) if self._const else found


def _class_of(type_: Pointer) -> Any:
    """The class of the objects that Python sees through a pointer; None if it sees none."""
    found: Any = getattr(type_.target, "python", None)
    return found if isinstance(type_.target, Struct) and issubclass(found, _native.Record) else None


def _value(variable: MemoryVariable, type_: Type) -> Any:
    return variable._value(type_)


_READERS: ByKind[Callable[[MemoryVariable, Any], Any]] = ByKind(
    "call: how a variable of a type is read",
    {
        CArray: MemoryVariable._numbers,
        Struct: MemoryVariable._struct,
        Handle: MemoryVariable._struct,
        Pointer: MemoryVariable._pointer,
    },
    others="by its value",
)


def _has_owner(one: object) -> bool:
    """Whether something must be kept for what it points to; a bare address is the caller's promise."""
    return not (isinstance(one, _native.Pointer) and one.owner is None)


def _items(value: object) -> Iterator[object]:
    """What is in a container, and in those inside of it; another value itself."""
    inside = value.values() if isinstance(value, dict) else value
    if not isinstance(inside, list | tuple | set | frozenset | ValuesView):
        yield value
        return
    if isinstance(value, dict):
        yield from value
    for item in inside:
        yield from _items(item)


def _is_kept(item: object) -> bool:
    """Whether it is an object, which dies when nothing keeps it, and no plain value."""
    return _has_owner(item) and not isinstance(item, int | float | complex | bytes | str | None)


def _points(type_: Type) -> bool:
    return has_pointers(type_)


def _is_function(type_: Type) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.target, Function)
