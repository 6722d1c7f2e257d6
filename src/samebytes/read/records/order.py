"""The order of classes: each stands behind its bases, its members and what its functions take, if that is possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...layouts.parts import walk
from ...types import Struct


def dependencies_first(structs: Iterable[Struct]) -> tuple[Struct, ...]:
    """Structs in their order, but for those that are declared ahead of what they are made of."""
    waiting = {struct.name: struct for struct in structs}
    found: list[Struct] = []

    def add(struct: Struct) -> None:
        for name in _parts(struct):
            if name in waiting:
                add(waiting.pop(name))
        found.append(struct)

    while waiting:
        add(waiting.pop(next(iter(waiting))))
    return tuple(found)


def _parts(struct: Struct) -> Iterator[str]:
    yield from (base.name for base in struct.bases)
    for type_ in struct.parts:
        yield from (part.name for part in walk(type_) if isinstance(part, Struct))
