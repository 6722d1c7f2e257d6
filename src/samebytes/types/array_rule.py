"""What a parameter asks of an array that stands for it: said once for each kind of type, and read by every target.

Python's call, the core's plans, launches of kernels and compiled code read the same record (the design, "One statement
of an argument's rules"). Each of them checks a field when it types the call, or when it runs, or refuses the argument.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..frozen import frozen
from .array import Array, CArray
from .base import Type, unqualified
from .containers import Container, Matrix, NdArray
from .kinds import ByKind
from .pointer import Pointer
from .span import Span
from .vector import Vector

# The orders that elements may have to lie in.
ANY_ORDER, C_ORDER, F_ORDER, POSITIVE = "", "C", "F", "positive"


@frozen
class ArrayRule:
    """What is asked of an array.

    Elements are aligned as their type is, unless they are copied. Elements that C++ may write to share no bytes, and
    are no read-only array's.

    Attributes
    ----------
    element : Type
        VOID: any elements that are plain bytes.
    const : bool
        Whether C++ only reads.
    ndim : int or None
        None where any rank will do that has the last extents.
    order : str
        ``"C"`` or ``"F"``: the elements lie in this order without gaps; ``"positive"``: no stride is negative or zero;
        empty: any strides.
    extents : tuple of (int or None)
        The last extents; None: any.
    least : int
        How many there are at least of what the last extents describe.
    count : int or None
        How many elements there are, of what a reference names; None: any number.
    by_value : bool
        Whether C++ gets a copy of the elements.
    memory : str
        As of :class:`Pointer`.
    """

    element: Type
    const: bool
    ndim: int | None = None
    order: str = ANY_ORDER
    extents: tuple[int | None, ...] = ()
    least: int = 0
    count: int | None = None
    by_value: bool = False
    memory: str = ""

    @property
    def row(self) -> int:
        """The elements of what the last extents describe, as far as these are fixed."""
        return prod(n or 1 for n in self.extents)

    @property
    def is_fixed(self) -> bool:
        """Whether C++ fixes some extent."""
        return any(n is not None for n in self.extents)

    @staticmethod
    def of(type_: Type) -> ArrayRule:
        """What a parameter of a type asks; a LayoutError where no array stands for it."""
        return RULES[type(type_)](type_)

    @staticmethod
    def of_value(type_: Type) -> ArrayRule:
        """What an array, or a vector, asks of another whose elements become its own."""
        if isinstance(type_, Vector):
            return ArrayRule(type_.element, True, 1, C_ORDER, (type_.size,), by_value=True)
        element, shape = _rows(type_)
        return ArrayRule(element, True, len(shape), C_ORDER, shape, by_value=True)

    @staticmethod
    def of_reference(target: Type) -> ArrayRule:
        """What a reference asks of an array whose elements it names: so many, in C order, whatever their shape."""
        element, shape = _rows(target)
        return ArrayRule(element, False, None, C_ORDER, count=prod(shape))


def _rows(target: Type) -> tuple[Type, tuple[int, ...]]:
    """The elements of C arrays, of arrays of them too, and all their extents."""
    shape: tuple[int, ...] = ()
    while isinstance(target, CArray):
        shape, target = (*shape, *target.shape), unqualified(target.element)
    return target, shape


def _pointer(type_: Pointer) -> ArrayRule:
    element, shape = _rows(type_.target)
    return ArrayRule(element, type_.const, None, C_ORDER, shape, type_.least, memory=type_.memory)


# The order that each layout of mdspan shows (ISO C++, [mdspan.layout]).
_LAYOUTS = {"right": C_ORDER, "left": F_ORDER, "stride": POSITIVE, "relaxed": ANY_ORDER}


def _span(type_: Span) -> ArrayRule:
    order = _LAYOUTS[type_.layout]
    return ArrayRule(type_.element, type_.const, type_.ndim, order, type_.extents, memory=type_.memory)


def _matrix(type_: Matrix) -> ArrayRule:
    return ArrayRule(type_.element, type_.shows != "writes", type_.ndim)


def _container(type_: Container) -> ArrayRule:
    assert type_.numbers is not None, "a list stands for a container of others"
    return ArrayRule(type_.numbers, True, 1)


RULES: ByKind[Callable[[Any], ArrayRule]] = ByKind(
    "types: what is asked of an array",
    {
        Pointer: _pointer,
        Array: lambda type_: ArrayRule(type_.element, type_.const, type_.ndim, memory=type_.memory),
        Span: _span,
        NdArray: lambda type_: ArrayRule(type_.elements[0], not type_.writes),
        Matrix: _matrix,
        Container: _container,
    },
    others="no array stands for it",
)
