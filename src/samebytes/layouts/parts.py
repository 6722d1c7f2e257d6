"""What types are made of, one inside another."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Array, Pointer, Type


def walk(type_: Type) -> Iterator[Type]:
    """The type and all it is made of, each once, parts before wholes."""
    seen: set[Type] = set()

    def visit(part: Type) -> Iterator[Type]:
        if part in seen:
            return
        seen.add(part)
        for inner in part.parts:
            yield from visit(inner)
        yield part

    return visit(type_)


def has_pointers(type_: Type) -> bool:
    """Whether values hold addresses of other memory."""
    return any(isinstance(part, Array | Pointer) for part in walk(type_))
