"""Containers of C++'s, of which Python gets copies: who would change one in vain is told; what assigning one ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...model.signature import Signature
from ...model.symbols import is_accessor
from ...types import (
    VOID,
    CArray,
    Choice,
    Const,
    Container,
    Dictionary,
    Function,
    Maybe,
    Object,
    Owner,
    Pointer,
    Product,
    Struct,
    Target,
    Type,
    shows_elements,
    unqualified,
)
from ...values import copied


def shown_copies(signatures: Sequence[Signature]) -> dict[str, Any]:
    """What finishes the calls of overloads one of which refers to a container of C++'s.

    Parameters
    ----------
    signatures : sequence of Signature
        Those of one name; the objects inside are const where all give them so.

    Returns
    -------
    dict
        For :class:`samebytes.call.Binding`.
    """
    if is_accessor(signatures[0].name):
        return {}  # of members their properties know better whether anything sets them
    const = all(_is_const(s) for s in signatures)
    shows = [show for s in signatures if (show := copied.shows_copies(_referred(s), const=const)) is not None]
    if not shows:
        return {}
    alike = len({_bare_result(signature) for signature in signatures}) == 1
    show = shows[0] if alike else copied.copied  # of others no type says what lies in the value
    place = copied.Place(f"what {signatures[0].shown_name}() gives", const=True)

    def finish(results: tuple[Any, ...], arguments: Any) -> Any:
        first = show(results[0], place)
        return first if len(results) == 1 else (first, *results[1:])

    return {"finish": finish}


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


def in_place(type_: Type, *, within: bool = False) -> bool:
    """Whether objects lie in the bytes of an optional or a variant, where an assignment may end them."""
    bare = unqualified(type_)
    if isinstance(bare, Struct):
        return within
    if isinstance(bare, Object):
        return not bare.refers and in_place(bare.target, within=within)
    if not isinstance(bare, Maybe | Choice | Product | CArray) or getattr(bare, "shared", False):
        return False
    return any(in_place(part, within=within or isinstance(bare, Maybe | Choice)) for part in bare.parts)


def _bare_result(signature: Signature) -> Type:
    bare = unqualified(signature.result)
    return unqualified(bare.value) if isinstance(bare, Target) else bare


def _referred(signature: Signature) -> Type:
    """What a result refers to; VOID of others."""
    result = signature.result
    if shows_elements(result) or signature.result_passing == "lvalue_ref":
        return result
    bare = unqualified(result)
    return bare.value if isinstance(bare, Maybe) and (isinstance(bare, Target) or bare.shared) else VOID


def _is_const(signature: Signature) -> bool:
    """Whether C++ gives what a result refers to as const."""
    bare = unqualified(signature.result)
    if isinstance(bare, Maybe) and bare.shared:
        return bare.spelling.partition("<")[2].startswith("const ")
    return isinstance(signature.result, Const) or signature.result_spelling.startswith("const ")
