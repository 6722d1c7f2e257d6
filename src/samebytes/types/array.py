"""Arrays: the descriptor that C++ receives, and arrays held inside a struct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args, get_origin

from .base import Const, Type, Void, described, unqualified


def _extent(hint: object) -> int:
    """An int, or the int inside ``Literal[2]``."""
    value = hint
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        value = get_args(hint)[0]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"expected a number of dimensions or an extent, got {hint!r}")
    return value


def _element(type_: Type) -> Type:
    if isinstance(unqualified(type_), Void):
        raise TypeError("there are no arrays of None: void* is sb.pointer[None]")
    return type_


@dataclass(frozen=True, slots=True)
class Array(Type):
    """An array that lives elsewhere: address, shape and strides cross; written ``sb.array[T, ndim]``.

    Machine representation: the descriptor of the specification's chapter "Arrays",
    ``{T* data; uint64_t shape[ndim]; uint64_t strides[ndim]}`` with strides in elements.
    """

    dtype: Type
    ndim: int

    def __post_init__(self) -> None:
        described(self, "dtype")
        _extent(self.ndim)

    def __class_getitem__(cls, hints: tuple[object, object]) -> Array:
        from .hints import as_type

        if not isinstance(hints, tuple) or len(hints) != 2:
            raise TypeError("write array[dtype, ndim], for example array[sb.float32, 2]")
        return cls(_element(as_type(hints[0])), _extent(hints[1]))

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


@dataclass(frozen=True, slots=True)
class CArray(Type):
    """A C array held by value in a struct; written ``sb.carray[T, 3, 4]`` (row-major)."""

    element: Type
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        described(self, "element")
        for extent in self.shape:
            _extent(extent)

    def __class_getitem__(cls, hints: tuple[object, ...]) -> CArray:
        from .hints import as_type

        if not isinstance(hints, tuple) or len(hints) < 2:
            raise TypeError("write carray[type, extent, ...], for example carray[sb.float32, 3, 4]")
        return cls(_element(as_type(hints[0])), tuple(_extent(h) for h in hints[1:]))

    @property
    def count(self) -> int:
        """The number of elements."""
        total = 1
        for extent in self.shape:
            total *= extent
        return total

    def __str__(self) -> str:
        return f"carray[{self.element}, {', '.join(map(str, self.shape))}]"
