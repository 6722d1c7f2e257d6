"""Enumerations: named values of an integer format."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from ..frozen import frozen
from .base import Type, remembered_hash, without_hash
from .scalar import Scalar


@frozen(slots=False)
class Enum(Type):
    """A C++ enumeration.

    Attributes
    ----------
    name : str
        Qualified C++ name.
    underlying : Scalar
        The integer format that C++ uses.
    members : tuple of (str, int)
    scoped : bool
        ``enum class``.
    declared : tuple of str
        What C++ calls the members, one by one, where Python's names are others.
    promotions : tuple of str
        The types that C++ promotes an enumerator to, the better one first; empty: none, or they are not known.
    """

    INSIDE: ClassVar = ("underlying",)

    name: str
    underlying: Scalar
    members: tuple[tuple[str, int], ...]
    scoped: bool = False
    spelling: str = field(default="", compare=False)
    doc: str = field(default="", compare=False, repr=False)
    python: type | None = field(default=None, compare=False, repr=False)
    declared: tuple[str, ...] = field(default=(), compare=False, repr=False)
    promotions: tuple[str, ...] = field(default=(), compare=False, repr=False)

    __hash__ = remembered_hash
    __getstate__ = without_hash

    @property
    def short_name(self) -> str:
        """The name without its namespaces."""
        return self.name.rpartition("::")[2]

    @property
    def enumerators(self) -> dict[str, int]:
        """The members' values by C++'s names."""
        names = self.declared or [name for name, _ in self.members]
        return {name: value for name, (_, value) in zip(names, self.members, strict=True)}

    def __str__(self) -> str:
        return self.name
