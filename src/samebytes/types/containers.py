"""Containers of C++ that the shim makes and describes again: sequences, maps, optionals, products, variants."""

from __future__ import annotations

from typing import ClassVar

from ..frozen import frozen
from .base import Type, unqualified
from .converted import Converted, Object, Owner
from .function import Function
from .pointer import Pointer
from .scalar import Scalar


@frozen
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

    @property
    def listed(self) -> bool:
        """Whether it is a ``std::initializer_list``: what C++ writes in braces."""
        return self.spelling.startswith("std::initializer_list<")

    def __str__(self) -> str:
        if self.numbers is not None:
            return f"{self.element}[n]"
        return f"{'set' if self.unique else 'list'}[{self.element}]"


@frozen
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


@frozen
class Maybe(Converted):
    """A std::optional: None, or the value."""

    INSIDE: ClassVar = ("value",)

    value: Type

    def __str__(self) -> str:
        return f"{self.value} | None"


@frozen
class Target(Maybe):
    """A pointer to one converted object, ``std::string*``: None, or a value that the shim makes the target."""


@frozen
class Product(Converted):
    """A std::pair or std::tuple, or a std::array of what is converted: a tuple of known length."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements)) or '()'}]"


@frozen
class Choice(Converted):
    """A std::variant: a value of the one of its types that it is."""

    INSIDE: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.elements))


def refers(type_: Type) -> bool:
    """Whether a container or its like has the addresses of objects that are not its own: ``std::vector<T*>``."""
    bare = unqualified(type_)
    if isinstance(bare, Object) and bare.refers:
        return True
    return isinstance(bare, Pointer) or any(map(refers, _in_bytes(bare)))


def _in_bytes(bare: Type) -> tuple[Type, ...]:
    """What lies inside of a value: of a shared object, and of what a function takes, nothing."""
    return () if isinstance(bare, Owner | Function) else bare.parts
