"""Matrices of other libraries (Eigen's, Armadillo's): arrays of one or two dimensions in Python."""

from __future__ import annotations

from typing import ClassVar

from ..frozen import frozen
from .array import CArray
from .base import Type
from .containers import Container, Product
from .converted import Converted
from .scalar import SCALARS, Scalar


@frozen
class Matrix(Converted):
    """A matrix or a vector: an array goes in, and one that owns its memory comes back.

    Attributes
    ----------
    element : Scalar
    extents : tuple of int or None
        Of each of Python's dimensions; None where the array's is taken.
    order : str
        How elements lie: ``"F"``, columns first, or ``"C"``.
    inner, outer : int or None
        Of a class that shows others' memory: the stride between neighbours, and between columns (rows in C order), in
        elements; 0 as they lie without gaps, None any.
    shows : str
        What a class that owns no elements does with those that it shows: ``"reads"``, ``"writes"``, or ``"copies"``
        those that it cannot show; empty: it has its own.
    header : str
        The file of ``include/samebytes/crossing`` that knows the class.
    """

    INSIDE: ClassVar = ("element",)

    element: Scalar
    extents: tuple[int | None, ...] = (None, None)
    order: str = "F"
    inner: int | None = 1
    outer: int | None = 0
    shows: str = ""
    header: str = ""

    @property
    def ndim(self) -> int:
        """Python's dimensions."""
        return len(self.extents)

    @property
    def wire(self) -> Product:
        """All elements in a row, and then the numbers of rows and columns, and a stride for each."""
        numbers: tuple[Type, ...] = (Container("", self.element), CArray(SCALARS["int64"], (4,)))
        return Product("", numbers)

    def __str__(self) -> str:
        letters = (n if m is None else str(m) for n, m in zip("nm", self.extents, strict=False))
        return f"{self.element}[{', '.join(letters)}]"
