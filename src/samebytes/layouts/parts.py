"""What types are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..types import (
    Aligned,
    Array,
    Atomic,
    Callback,
    CArray,
    Choice,
    Const,
    Container,
    Dictionary,
    Duration,
    Enum,
    Function,
    Handle,
    Held,
    Instant,
    Maybe,
    Mdspan,
    Object,
    Owner,
    Pointer,
    Product,
    Span,
    Struct,
    Target,
    Tuple,
    Type,
    Vector,
)

_PARTS: dict[type[Type], Callable[[Any], tuple[Type, ...]]] = {
    Pointer: lambda t: (t.pointee,),
    Function: lambda t: (t.result, *(a.type for a in t.arguments)),
    Vector: lambda t: (t.element,),
    CArray: lambda t: (t.element,),
    Array: lambda t: (t.dtype,),
    Span: lambda t: (t.dtype,),
    **dict.fromkeys((Struct, Handle), lambda t: tuple(f.type for f in t.fields)),
    Tuple: lambda t: t.elements,
    Mdspan: lambda t: tuple(f.type for f in t.fields),
    Aligned: lambda t: (t.type,),
    Atomic: lambda t: (t.type,),
    Enum: lambda t: (t.underlying,),
    Const: lambda t: (t.type,),
    Held: lambda t: (t.type,),
    **dict.fromkeys(
        (Callback, Choice, Container, Dictionary, Instant, Maybe, Object, Owner, Target, Product, Duration),
        lambda t: t.parts,
    ),
}


def walk(type_: Type) -> Iterator[Type]:
    """The type and all it is made of, each once, parts before wholes."""
    seen: set[Type] = set()

    def visit(part: Type) -> Iterator[Type]:
        if part in seen:
            return
        seen.add(part)
        for inner in _PARTS.get(type(part), lambda _: ())(part):
            yield from visit(inner)
        yield part

    return visit(type_)
