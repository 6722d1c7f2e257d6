"""Where C passes the values of a call: in which registers, and where on the stack (System V ABI, AMD64, 3.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from ..dialects import layout
from ..types import VOID, CArray, Enum, Function, Pointer, Scalar, Struct, Type, Vector, unqualified

REGISTERS = {"integer": 6, "sse": 8}  # for arguments
_FIRST = {"integer": 0, "sse": 6}  # as the core numbers them
_STACK = 14
_PADDING = "padding"  # a word that no register carries
_MOST_ALIGNED = 16  # bytes, of the stack at a call


def _parts(type_: Type, base: int) -> Iterator[tuple[int, int, str]]:
    """Offset, size and class of every number and pointer inside."""
    bare = unqualified(type_)
    size = layout(bare).size
    if isinstance(bare, Scalar) and bare.kind == "complex":
        yield from ((base, size // 2, "sse"), (base + size // 2, size // 2, "sse"))
    elif isinstance(bare, Scalar):
        yield base, size, "sse" if bare.kind == "float" else "integer"
    elif isinstance(bare, Enum | Pointer):
        yield base, size, "integer"
    elif isinstance(bare, CArray):
        step = layout(bare.element).size
        for i in range(bare.count):
            yield from _parts(bare.element, base + i * step)
    else:
        for field in layout(bare).fields:
            yield from _parts(field.type, base + field.offset)


def classes(type_: Type) -> tuple[str, ...] | None:
    """The classes of a value's words: "integer", "sse" or "padding"; () for memory, None where nobody can tell."""
    bare = unqualified(type_)
    if isinstance(bare, Struct) and not bare.complete:
        return None
    if not isinstance(bare, Scalar | Enum | Pointer | Struct | CArray | Vector):
        return None
    size, found = layout(bare).size, dict[int, str]()
    for offset, width, kind in _parts(bare, 0):
        if size > 16 or offset % width:
            return ()
        if found.get(offset // 8) != "integer":
            found[offset // 8] = kind
    return tuple(found.get(i, _PADDING) for i in range(-(-size // 8))) if found else None


def words(function: Function) -> tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]] | None:
    """Where the core finds each argument, and whether each register of the result is an SSE one.

    An argument's first word, and its second where that is not the one behind; no register for a result that goes to
    the address that its caller passes first. None where nobody can tell.
    """
    result = () if function.result == VOID else _classes(function.result, function.result_passing)
    if result is None:
        return None
    free, stack = dict(REGISTERS), 0
    free["integer"] -= function.result != VOID and not result
    places: list[tuple[int, ...]] = []
    for argument in function.arguments:
        found = _classes(argument.type, argument.passing)
        if found is None:
            return None
        if found and all(found.count(kind) <= free[kind] for kind in REGISTERS):
            taken = []
            for kind in (k for k in found if k != _PADDING):
                taken.append(_FIRST[kind] + REGISTERS[kind] - free[kind])
                free[kind] -= 1
            places.append(tuple(taken * 2 if found[0] == _PADDING else taken[: len(set(found))]))
            continue
        size, align = (8, 8) if found and len(found) == 1 else _lying(argument.type)
        if align > _MOST_ALIGNED:
            return None
        stack += -stack % align
        places.append((_STACK + stack // 8,))
        stack += size + -size % 8
    return tuple(places), tuple(kind == "sse" for kind in result)


def _classes(type_: Type, passing: str) -> tuple[str, ...] | None:
    return ("integer",) if passing != "value" else classes(type_)


def _lying(type_: Type) -> tuple[int, int]:
    """Size and alignment on the stack, in bytes."""
    facts = layout(unqualified(type_))
    return facts.size, max(8, facts.align)
