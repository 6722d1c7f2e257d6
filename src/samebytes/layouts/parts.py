"""What types are made of, one inside another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def walk_all(types: Iterable[Type]) -> list[Type]:
    """Some types and all that they are made of, each object once, parts before wholes; none is hashed."""
    seen: dict[int, Type] = {}  # they stay: a number is that of no other object meanwhile
    found: list[Type] = []

    def visit(part: Type) -> None:
        seen[id(part)] = part
        for inner in part.parts:
            if id(inner) not in seen:
                visit(inner)
        found.append(part)

    for type_ in types:
        if id(type_) not in seen:
            visit(type_)
    return found


def has_pointers(type_: Type) -> bool:
    """Whether values hold addresses of other memory."""
    return any(isinstance(part, Array | Pointer) for part in walk_all((type_,)))


def device_memory(type_: Type) -> str:
    """The devices whose memory the addresses in values lead into, as of :class:`Pointer`; empty: none does."""
    inside = (part.memory for part in walk_all((type_,)) if isinstance(part, Array | Pointer))
    return next(filter(None, inside), "")


def in_device_memory(type_: Type) -> bool:
    """Whether values hold addresses of a device's memory."""
    return bool(device_memory(type_))
