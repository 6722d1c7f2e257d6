"""Containers of C++ that the shim makes and describes again: sequences, maps, optionals, products, variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Type
from .converted import Converted
from .scalar import Scalar


@dataclass(frozen=True, slots=True)
class Container(Converted):
    """A container whose elements are copied in and out.

    Attributes
    ----------
    element : Type
    unique : bool
        Whether Python sees a set.
    """

    INSIDE: ClassVar = ("element",)

    element: Type
    unique: bool = False

    @property
    def numbers(self) -> Scalar | None:
        """The element, where elements are numbers: then an array describes them."""
        plain = isinstance(self.element, Scalar) and not self.unique
        return self.element if plain and isinstance(self.element, Scalar) else None

    def __str__(self) -> str:
        if self.numbers is not None:
            return f"{self.element}[n]"
        return f"{'set' if self.unique else 'list'}[{self.element}]"


@dataclass(frozen=True, slots=True)
class Dictionary(Converted):
    """A std::map or std::unordered_map: a dict.

    Attributes
    ----------
    key, value : Type
    """

    INSIDE: ClassVar = ("key", "value")

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"dict[{self.key}, {self.value}]"


@dataclass(frozen=True, slots=True)
class Maybe(Converted):
    """A std::optional: None, or the value."""

    INSIDE: ClassVar = ("value",)

    value: Type

    def __str__(self) -> str:
        return f"{self.value} | None"


@dataclass(frozen=True, slots=True)
class Target(Maybe):
    """A pointer to one converted object, ``std::string*``: None, or a value that the shim makes the target."""


@dataclass(frozen=True, slots=True)
class Product(Converted):
    """A std::pair or std::tuple, or a std::array of what is converted: a tuple of known length."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements)) or '()'}]"


@dataclass(frozen=True, slots=True)
class Choice(Converted):
    """A std::variant: a value of the one of its types that it is."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.elements))
