"""Tuples: structs whose members are named by their position (specification, "Tuples")."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_

from ..frozen import frozen
from ..later import at_first_use
from .base import Type
from .scalar import Scalar
from .struct import Field, Struct
from .vector import Vector

hashlib = at_first_use("hashlib")


@frozen(slots=False)
class Tuple(Struct):
    """A standard-layout struct with members ``__0``, ``__1`` …; written ``tuple[int, float]``.

    A tuple inside a tuple is a struct inside a struct. ``std::tuple`` is not its representation: its members'
    order is nowhere specified.
    """

    @classmethod
    def of(cls, elements: Iterable[Type]) -> Tuple:
        """The tuple of some element types.

        Raises
        ------
        TypeError
            If there are none: C++ has no struct without bytes.
        """
        parts = tuple(elements)
        if not parts:
            raise TypeError("an empty tuple has no machine representation")
        return cls(_name(parts), tuple(Field(f"__{i}", part) for i, part in enumerate(parts)))

    @property
    def elements(self) -> tuple[Type, ...]:
        """The types of the elements, in order."""
        return tuple(field.type for field in self.fields)

    def with_parts(self, change: Callable[[Type], Type]) -> Tuple:
        """The tuple of changed elements."""
        elements = tuple(map(change, self.elements))
        return self if all(map(is_, elements, self.elements)) else Tuple.of(elements)

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements))}]"


def _name(elements: tuple[Type, ...]) -> str:
    """One C++ name for each list of types, so that a tuple means the same struct in all translation units."""
    words = "_".join(map(str, elements))
    if (
        not all(isinstance(part, Scalar | Vector) for part in elements)
        or len(words) > 60
        or not words.isidentifier()
    ):
        words = hashlib.sha256(words.encode()).hexdigest()[:16]
    return f"samebytes_tuple_{words}"
