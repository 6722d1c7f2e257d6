"""Rows: what ``T* operator[]`` gives, the address of a first element that is subscripted as C++ subscripts it."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any, ClassVar, NoReturn

from .. import _native
from ..layouts.dialects import layout
from ..types import CArray, Const, Function, Named, Pointer, Struct, Type, Void, unqualified
from ..values.codecs import codec
from ..values.pointed import object_at, pointer_to_object
from ..values.pointer_type import PointerType
from .variables import MemoryVariable


class Row(_native.Pointer, metaclass=PointerType):
    """The address of elements of one type, which keeps what C++ was given; ``row[j]`` is the element, not an address.

    C++ does not say how many there are, as it does not of ``T*``; only of a declared array the end is known.
    """

    __slots__ = ()
    __samebytes_type__: ClassVar[Pointer]
    _element: ClassVar[Type]
    _name: ClassVar[str]
    _count: ClassVar[int | None]

    def __getitem__(self, index: Any) -> Any:
        return _element_at(self._variable(index))

    def __setitem__(self, index: Any, value: object) -> None:
        variable = self._variable(index)
        if isinstance(unqualified(self._element), CArray):
            raise TypeError(f"{variable.name}: C++ assigns no arrays: assign to the elements")
        variable.set(value)

    def __len__(self) -> int:
        if self._count is None:
            self._refuse("C++ does not say how many elements are there")
        return self._count

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def _variable(self, index: Any) -> _Element:
        """The element's place, once it is known that this lies in memory that is still there."""
        if isinstance(self._element, Void | Named | Function):
            self._refuse(f"C++ has no elements of {self._element}, only their address")
        try:
            place = operator.index(index)
        except TypeError:
            self._refuse(f"expected an index, got {type(index).__name__}")
        if self._count is not None and not 0 <= place < self._count:
            raise IndexError(f"{self._name}[{place}]: there are {self._count} elements")
        if place < 0:
            raise IndexError(f"{self._name}[{place}]: C++ counts from the first element, not from an end")
        if self.is_ptr_null:
            raise IndexError(f"{self._name}[{place}]: there is nothing behind a null pointer")
        found = super().__getitem__(place * layout(self._element).size)
        return _Element(f"{self._name}[{place}]", self._element, found)

    def _refuse(self, why: str) -> NoReturn:
        raise TypeError(f"{self._name}: {why}")


class _Element(MemoryVariable):
    """One element where it lies.

    Attributes
    ----------
    name : str
    element : Type
    pointer : Pointer
        Its address, which keeps the memory.
    """

    def __init__(self, name: str, type_: Type, pointer: _native.Pointer) -> None:
        super().__init__(name, type_, lambda: pointer.address, pointer)
        self.name, self.element, self.pointer = name, type_, pointer


def _element_at(variable: _Element) -> Any:
    """The element: a number, an object; of an array and of a pointer a row of theirs, as ``[]`` goes on in C++."""
    type_ = unqualified(variable.element)
    if isinstance(type_, CArray):
        inner = type_.element if len(type_.shape) == 1 else replace(type_, shape=type_.shape[1:])
        const = isinstance(variable.element, Const) and not isinstance(inner, Const)
        made = row_class(Const(inner) if const else inner, variable.name, type_.shape[0])
        return _row(made, variable.pointer.address, variable.pointer)
    if not isinstance(type_, Pointer) or type_.is_text or isinstance(type_.target, Function):
        return variable.get()
    found = codec(type_).unpack(variable.content)
    if (to_object := pointer_to_object(type_)) is not None:
        return object_at(found, to_object, lambda _: _class_of(to_object.target))
    return _row(row_class(type_.pointee, variable.name), found.address, variable.pointer)


def _row(made: type[Row], address: int, owner: Any) -> Row:
    return made._behind(address, owner, made.__samebytes_type__.levels[0])


def _class_of(type_: Any) -> Any:
    """The class of objects of a type, which may be declared later."""
    python = getattr(type_, "python", None)
    return type_.home.records.get(type_.name) if python is None and isinstance(type_, Named) else python


def leads_to_objects(type_: Type) -> bool:
    """Whether a type is that of the address of pointers to objects, a ``T**`` of a class."""
    outer: Type = unqualified(type_)
    inner = unqualified(outer.pointee) if isinstance(outer, Pointer) and not outer.memory else None
    if not isinstance(inner, Pointer) or inner.memory or pointer_to_object(inner) is None:
        return False
    # A handle of C's is a pointer whose own class says what it is.
    return isinstance(inner.target, Struct) or (inner.target.home is not None and inner.target.python is None)  # type: ignore[attr-defined]


def row_class(element: Type, name: str, count: int | None = None) -> type[Row]:
    """The class of the rows of one type.

    Parameters
    ----------
    element : Type
        Linked; Const where C++ may only read.
    name : str
        What errors call such a row.
    count : int, optional
        How many elements there are, where C++ declares it.
    """
    space = {"__slots__": (), "_element": element, "_name": name, "_count": count}
    made: Any = PointerType("Row", (Row,), {**space, "__module__": Row.__module__})
    made.__samebytes_type__ = Pointer(element)
    return made  # type: ignore[no-any-return]


def of_rows(result: Type, name: str) -> Type:
    """The result of a function, a row where it is an address of elements.

    Parameters
    ----------
    result : Type
        Linked.
    name : str
        What errors call such a row.
    """
    type_ = unqualified(result)
    if not isinstance(type_, Pointer) or type_.is_text or type_.memory or isinstance(type_.target, Function):
        return result
    if isinstance(type_.target, Named) and type_.target.python is not None:
        return result  # a handle of C's, whose class says what it is
    row = replace(type_, row=row_class(type_.pointee, name))
    return Const(row) if isinstance(result, Const) else row
