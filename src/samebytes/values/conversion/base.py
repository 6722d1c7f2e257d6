"""Where the rules of conversion stand, and what one conversion yields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import Mismatch
from ...frozen import frozen
from ...types import ByKind, Container, Converted, Held, Type, unqualified


@frozen
class Packed:
    """A converted value.

    Attributes
    ----------
    data : bytes
        The machine representation, padding zeroed where it was built here.
    owners : tuple
        What must live as long as the bytes are used: they hold its address.
    """

    data: bytes
    owners: tuple[Any, ...] = ()


# rule(type, value, dialect); it raises Mismatch.
Rule = Callable[[Any, Any, str], Packed]
RULES: ByKind[Rule] = ByKind(
    "values: the bytes of what Python passes for a type",
    {},
    without={"it is the root of others": (Converted,), "it is a result": (Held,)},
)


def convert(type_: Type, value: Any, dialect: str = "cxx") -> Packed:
    """The bytes of a value as one type.

    Raises
    ------
    Mismatch
        If the value does not fit; its ``path`` says where inside.
    """
    return RULES[type(type_)](type_, value, dialect)


def runs_out(type_: Type, value: Any) -> bool:
    """Whether an object is an iterator, which gives each element once, and a type one that takes its elements."""
    return isinstance(unqualified(type_), Container) and hasattr(type(value), "__next__")


class at:  # noqa: N801
    """Adds a step to the path of a Mismatch that passes through."""

    def __init__(self, step: str) -> None:
        self.step = step

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, Mismatch):
            error.path = self.step + error.path
