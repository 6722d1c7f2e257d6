"""The constructors that C++ declares by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.signature import Parameter, Signature
from ...types import Const, Handle, Struct
from ..clang.kinds import Decl
from ..clang.libclang import Cursor, children, constructs, kind_of
from .functions import location

_COPIED, _DEFAULTED, _BLANK = 1, 8, 64  # as the question "traits" counts them


def implicit_constructors(
    cursor: Cursor,
    owner: Struct,
    traits: int,
    members: Iterable[Cursor] | None = None,
) -> Iterator[Signature]:
    """The constructors that C++ declares by itself, as far as a call from Python means one.

    Parameters
    ----------
    cursor : Cursor
        The class.
    traits : int
        What C++ code outside the class can do with its objects: the answer to the question "traits".
    members : iterable of Cursor, optional
        Its members, where the cursor does not list them, as that of an instantiation.
    """
    if isinstance(owner, Handle) and (owner.abstract or not owner.destructible):
        return
    declared = [c for c in (members or children(cursor)) if constructs(c, cursor)]
    if not declared:
        yield from default_constructor(cursor, owner, traits)
    copies = any(kind_of(c) == Decl.CONSTRUCTOR and c.is_copy_constructor() for c in declared)
    aggregate = not declared and owner.complete
    if traits & _COPIED and not copies and not aggregate:
        other = Parameter("other", Const(owner), f"const {owner.spelling} &", "lvalue_ref")
        yield implicit_constructor(cursor, owner, (other,))


def default_constructor(cursor: Cursor, owner: Struct, traits: int) -> Iterator[Signature]:
    """What makes an object without arguments, where its bytes are not all zeros then, or Python sees not all of them.

    Parameters
    ----------
    traits : int
        As for :func:`implicit_constructors`.
    """
    if traits & _DEFAULTED and not (owner.complete and traits & _BLANK):
        yield implicit_constructor(cursor, owner, ())


def implicit_constructor(
    cursor: Cursor,
    owner: Struct,
    parameters: tuple[Parameter, ...],
    *,
    braces: str = "",
    explicit: bool = False,
) -> Signature:
    """A constructor that no declaration of the class says."""
    return Signature(
        owner.short_name, f"{owner.name}::{owner.short_name}", parameters, owner, owner.spelling,
        namespace=tuple(owner.name.split("::")), location=location(cursor), kind="constructor", owner=owner.name,
        home=owner.spelling, implicit=True, braces=braces, explicit=explicit,
    )  # fmt: skip
