"""Arrays that C++ receives as an object of some library's class: std::span, and the mdspan of any library."""

from __future__ import annotations

from ..frozen import frozen
from .array import Array


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
    """

    spelling: str = ""
    layout: str = "right"
    extents: tuple[int | None, ...] = ()

    def __str__(self) -> str:
        return self.spelling
