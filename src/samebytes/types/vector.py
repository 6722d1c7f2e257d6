"""Vectors of one to four numbers (specification, "Vectors")."""

from __future__ import annotations

from typing import ClassVar

from ..frozen import frozen
from .base import Type
from .scalar import SCALARS, Scalar

COMPONENTS = ("x", "y", "z", "w")
ELEMENTS = tuple(name for name in SCALARS if name not in ("bool", "char") and not name.startswith("complex"))


@frozen
class Vector(Type):
    """``size`` numbers of one format, named x, y, z, w."""

    INSIDE: ClassVar = ("element",)

    element: Scalar
    size: int

    def __post_init__(self) -> None:
        size = self.size if type(self.size) is int else 0
        if getattr(self.element, "name", "") not in ELEMENTS or not 1 <= size <= 4:
            raise TypeError(
                f"no vector of {self.size} × {self.element}: elements are {', '.join(ELEMENTS)}, sizes 1 to 4"
            )

    def __str__(self) -> str:
        return f"{self.element}x{self.size}"
