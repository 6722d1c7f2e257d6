"""Arrays: the descriptor that C++ receives, and arrays held inside a struct."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, Literal, get_args, get_origin

from ..frozen import frozen
from .base import Const, Type, Void, as_type, described, unqualified
from .scalar import unspelled

MOST_DIMENSIONS = 64  # NumPy's limit, and so that of every array that Python can make


def _number(hint: Any, what: str) -> int:
    """An integer, or the int inside ``Literal[2]``."""
    value = get_args(hint)[0] if get_origin(hint) is Literal and len(get_args(hint)) == 1 else hint
    try:
        found = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        found = -1
    if found < 0:
        raise TypeError(f"{what}, got {hint!r}")
    return found


def _rank(hint: object, element: object) -> int:
    what = f"array[{element}, ndim] takes a number of dimensions from 0 to {MOST_DIMENSIONS}"
    found = _number(hint, what)
    if found > MOST_DIMENSIONS:
        raise TypeError(f"{what}, got {hint!r}")
    return found


def _extents(hints: tuple[object, ...], element: object) -> tuple[int, ...]:
    what = f"carray[{element}, {', '.join(map(str, hints))}]: each extent is a number of elements, 0 or more"
    return tuple(_number(hint, what) for hint in hints)


def _element(type_: Type) -> Type:
    if isinstance(unqualified(type_), Void):
        raise TypeError("there are no arrays of None: void* is sb.pointer[None]")
    return type_


@frozen
class Array(Type):
    """An array that lives elsewhere: address, shape and strides cross; written ``sb.array[T, ndim]``.

    Machine representation: the descriptor of the specification's chapter "Arrays",
    ``{T* data; uint64_t shape[ndim]; uint64_t strides[ndim]}`` with strides in elements.

    Attributes
    ----------
    dtype : Type
        Of the elements, with its const.
    ndim : int
    memory : str
        As of :class:`Pointer`.
    """

    INSIDE: ClassVar = ("dtype",)

    dtype: Type
    ndim: int
    memory: str = ""

    def __post_init__(self) -> None:
        described(self, "dtype")
        object.__setattr__(self, "dtype", unspelled(self.dtype))
        object.__setattr__(self, "ndim", _rank(self.ndim, self.dtype))

    def __class_getitem__(cls, hints: tuple[object, object]) -> Array:
        if not isinstance(hints, tuple) or len(hints) != 2:
            raise TypeError("write array[dtype, ndim], for example array[sb.float32, 2]")
        return cls(_element(as_type(hints[0])), hints[1])  # type: ignore[arg-type]

    @property
    def const(self) -> bool:
        """Whether the callee may only read the elements."""
        return isinstance(self.dtype, Const)

    @property
    def element(self) -> Type:
        """The element type without its const."""
        return unqualified(self.dtype)

    def __str__(self) -> str:
        return f"array[{self.dtype}, {self.ndim}]"


@frozen
class CArray(Type):
    """A C array held by value in a struct; written ``sb.carray[T, 3, 4]`` (row-major)."""

    INSIDE: ClassVar = ("element",)

    element: Type
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        described(self, "element")
        object.__setattr__(self, "shape", _extents(self.shape, self.element))

    def __class_getitem__(cls, hints: tuple[object, ...]) -> CArray:
        if not isinstance(hints, tuple) or len(hints) < 2:
            raise TypeError("write carray[type, extent, ...], for example carray[sb.float32, 3, 4]")
        return cls(_element(as_type(hints[0])), hints[1:])  # type: ignore[arg-type]

    @property
    def count(self) -> int:
        """The number of elements."""
        total = 1
        for extent in self.shape:
            total *= extent
        return total

    def __str__(self) -> str:
        return f"carray[{self.element}, {', '.join(map(str, self.shape))}]"
