"""The constructors that C++ declares by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.signature import Parameter, Signature
from ...types import Const, Handle, Struct
from ..clang.kinds import ARRAYS, Decl, Kind
from ..clang.libclang import Cursor, children, innermost, kind_of, type_kind
from .functions import location

_COPIED, _DEFAULTED = 1, 8  # as the question "traits" counts them
_EXPRESSIONS = (100, 199)  # libclang's cursor kinds


def implicit_constructors(
    cursor: Cursor,
    owner: Struct,
    traits: int,
    members: Iterable[Cursor] | None = None,
    known: dict[str, bool] | None = None,
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
    known : dict, optional
        What was found of classes before, which is added to: each is looked into once.
    """
    known = {} if known is None else known
    if isinstance(owner, Handle) and (owner.abstract or not owner.destructible):
        return
    declared = [c for c in (members or children(cursor)) if _constructs(c, cursor)]
    if not declared and traits & _DEFAULTED and (not owner.complete or _has_initial_values(cursor, known)):
        yield _implicit(cursor, owner, ())
    copies = any(kind_of(c) == Decl.CONSTRUCTOR and c.is_copy_constructor() for c in declared)
    aggregate = not declared and owner.complete
    if traits & _COPIED and not copies and not aggregate:
        other = Parameter("other", Const(owner), f"const {owner.spelling} &", "lvalue_ref")
        yield _implicit(cursor, owner, (other,))


def _constructs(cursor: Cursor, owner: Cursor) -> bool:
    template = (
        kind_of(cursor) == Decl.FUNCTION_TEMPLATE and cursor.spelling.partition("<")[0] == owner.spelling
    )
    return template or kind_of(cursor) == Decl.CONSTRUCTOR


def _has_initial_values(cursor: Cursor, known: dict[str, bool]) -> bool:
    """Whether members have initial values: then an object without arguments is not all zeros."""
    key = cursor.get_usr() or cursor.type.spelling
    if key not in known:
        known[key] = _members_have(cursor, known)
    return known[key]


def _members_have(cursor: Cursor, known: dict[str, bool]) -> bool:
    for child in children(cursor):
        if kind_of(child) not in (Decl.FIELD, Decl.BASE):
            continue
        inner = innermost(child.type)
        if kind_of(child) == Decl.FIELD and _has_initial_value(child):
            return True
        if type_kind(inner) == Kind.RECORD and not _trivially_made(inner.get_declaration(), known):
            return True
    return False


def _has_initial_value(field: Cursor) -> bool:
    """libclang does not tell an initial value from an array's length or a bit-field's width."""
    kinds = [kind_of(c) for c in children(field) if _EXPRESSIONS[0] <= kind_of(c) <= _EXPRESSIONS[1]]
    if type_kind(field.type.get_canonical()) in ARRAYS:
        return Decl.BRACES in kinds or Decl.STRING_LITERAL in kinds
    return len(kinds) > int(field.is_bitfield())


def _trivially_made(cursor: Cursor, known: dict[str, bool]) -> bool:
    """Whether C++ runs no code to make an object without arguments."""
    return not _has_initial_values(cursor, known) and not any(
        _constructs(c, cursor) for c in children(cursor)
    )


def _implicit(cursor: Cursor, owner: Struct, parameters: tuple[Parameter, ...]) -> Signature:
    return Signature(
        owner.short_name, f"{owner.name}::{owner.short_name}", parameters, owner, owner.spelling,
        namespace=tuple(owner.name.split("::")), location=location(cursor), kind="constructor", owner=owner.name,
        home=owner.spelling, implicit=True,
    )  # fmt: skip
