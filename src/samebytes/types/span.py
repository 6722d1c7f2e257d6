"""Arrays that C++ receives as an object of some library's class: std::span, and the mdspan of any library."""

from __future__ import annotations

from ..frozen import frozen
from .array import Array, CArray
from .base import Type
from .pointer import Pointer
from .struct import Field, Struct


@frozen
class Span(Array):
    """An array parameter; the shim makes the object of the descriptor, so that its layout is C++'s own business.

    Attributes
    ----------
    spelling : str
        The class, ``std::span<const float>``.
    layout : str
        What strides it can show: ``"right"`` (C order), ``"left"`` (Fortran order), ``"stride"`` (positive) or
        ``"relaxed"`` (any).
    extents : tuple of int or None
        Those that C++ fixes; None where the array's is taken.
    index : Type or None
        The integers in which libcu++'s mdspan counts, where its bytes are known; None of other classes.
    make : str
        A function in C++ that makes the object of address, shape and strides in elements; empty where the class is made
        as ``std::span`` and ``std::mdspan`` are.
    """

    spelling: str = ""
    layout: str = "right"
    extents: tuple[int | None, ...] = ()
    index: Type | None = None
    make: str = ""

    @property
    def image(self) -> Struct:
        """What libcu++'s mdspan holds: the address, the extents that C++ does not fix, strides where it keeps them."""
        assert self.index is not None
        free = self.extents.count(None)
        fields = [Field("data", Pointer(self.dtype))]
        fields += [Field("extents", CArray(self.index, (free,)))] * bool(free)
        fields += [Field("strides", CArray(self.index, (self.ndim,)))] * (
            self.layout == "stride" and self.ndim > 0
        )
        return Struct(self.spelling, tuple(fields))

    def __str__(self) -> str:
        return self.spelling
