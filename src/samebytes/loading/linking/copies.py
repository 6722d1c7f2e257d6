"""Containers of C++'s, of which Python gets copies: who would change one in vain is told; what assigning one ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...model.signature import Signature
from ...types import (
    VOID,
    Const,
    Container,
    Dictionary,
    Function,
    Object,
    Owner,
    Pointer,
    Struct,
    Target,
    Type,
    lends_elements,
    unqualified,
)
from ...values import copied


def shown_copies(signatures: Sequence[Signature]) -> dict[str, Any]:
    """What finishes the calls of overloads one of which gives a container that C++ lets its callers change.

    Parameters
    ----------
    signatures : sequence of Signature
        Those of one name; what C++ gives as const beside it is shown so, too.

    Returns
    -------
    dict
        For :class:`samebytes.call.Binding`.
    """
    if not any(copied.is_copied(_referred(signature)) for signature in signatures):
        return {}
    place = copied.Place(f"what {signatures[0].shown_name}() gives", const=True)
    return {"finish": lambda results, arguments: copied.first_copied(results, place)}


def contained(type_: Type) -> tuple[type, ...]:
    """The classes of the objects that are in a container of a type, itself inside of another or not."""
    return tuple(dict.fromkeys(_classes(type_, inside=False)))


def _classes(type_: Type, *, inside: bool) -> Iterator[type]:
    bare = unqualified(type_)
    if isinstance(bare, Struct):
        if inside and bare.python is not None:
            yield bare.python
    elif not isinstance(bare, Owner | Function | Pointer) and not (isinstance(bare, Object) and bare.refers):
        for part in bare.parts:
            yield from _classes(part, inside=inside or isinstance(bare, Container | Dictionary))


def _referred(signature: Signature) -> Type:
    """What a result refers to and does not say to be const; VOID of others."""
    result = signature.result
    if lends_elements(result):
        return result
    if signature.result_passing == "lvalue_ref":
        return VOID if isinstance(result, Const) else result
    if isinstance(result, Target) and not signature.result_spelling.startswith("const "):
        return result.value
    return VOID
