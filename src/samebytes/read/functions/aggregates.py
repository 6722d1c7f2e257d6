"""The constructor that C++ writes with braces, ``Point{1, 2}``: of classes that declare none, one argument a member."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.signature import Default, Parameter, Signature
from ...types import (
    MISSING,
    ByKind,
    Container,
    Handle,
    Maybe,
    Pointer,
    Scalar,
    Struct,
    Text,
    Type,
    unqualified,
)
from ..clang.kinds import ARRAYS, EXPRESSIONS, REFERENCES, Kind
from ..clang.libclang import ClangType, Cursor, children, kind_of, type_kind
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.lifetimes import check_made
from ..questions.inheritance import Inheritance
from .constants import default_argument
from .functions import parameter_names
from .implicit import implicit_constructor
from .limits import check_values

AGGREGATE = 128  # as the question "traits" counts it
# What a member is that C++ is not given and that declares no initial value, as far as Python can say it.
_BLANK: ByKind[object] = ByKind(
    "read: a member that C++ is not given",
    {Scalar: 0, Pointer: None, Text: "", Container: (), Maybe: None},
    others="only C++ knows its value",
)


class _NoBraces(Exception):
    """No constructor of the members can be written."""


def aggregate_constructor(
    cursor: Cursor, owner: Struct, types: Types, inheritance: Inheritance, traits: Callable[[ClangType], int]
) -> Iterator[Signature]:
    """What makes an object of its members; Python itself does where it sees all of them and they are bytes.

    It ends before the first member that no argument can be: C++ gives that and all behind it their initial values.

    Parameters
    ----------
    traits : callable
        The answer to the question "traits" about a class.
    """
    made = not isinstance(owner, Handle) or (owner.destructible and not owner.abstract)
    if owner.complete or owner.union or not made or not traits(cursor.type) & AGGREGATE:
        return
    try:
        opening, members = _members(cursor.type, inheritance, traits)
    except _NoBraces:
        return
    parameters: list[Parameter] = []
    names = parameter_names([member.spelling for member in members])
    for name, member in zip(names, members, strict=True):
        try:
            parameters.append(_parameter(name, member, types))
            check_values((p.type, p.passing) for p in parameters)
        except CannotCross:
            break
    if parameters:
        yield implicit_constructor(cursor, owner, tuple(parameters), braces=opening, explicit=True)


def _members(
    type_: ClangType, inheritance: Inheritance, traits: Callable[[ClangType], int]
) -> tuple[str, list[Cursor]]:
    """How the braces open, and the members for which arguments follow: those of bases first (brace elision).

    Raises
    ------
    _NoBraces
        If a base is an object of its own to C++, or a member a reference.
    """
    opening, found = "{", list[Cursor]()
    for base in inheritance.known(type_) or ():
        if not (list(base.type.get_fields()) or inheritance.known(base.type)):
            if found:
                raise _NoBraces
            opening += "{}, "
            continue
        inner, members = _members(base.type, inheritance, traits)
        if inner != "{" or not traits(base.type) & AGGREGATE:
            raise _NoBraces
        found += members
    for member in type_.get_fields():
        if type_kind(member.type.get_canonical()) in REFERENCES:
            raise _NoBraces
        if not (member.is_bitfield() and not member.spelling):  # that is no element
            found.append(member)
    return opening, found


def _parameter(name: str, member: Cursor, types: Types) -> Parameter:
    """The parameter for a member.

    Raises
    ------
    CannotCross
        If no argument can be it: an array, a bit-field, an anonymous union.
    """
    canonical = member.type.get_canonical()
    message = types.troubles.type(member.type)
    if (
        message
        or member.is_bitfield()
        or not member.spelling.isidentifier()
        or type_kind(canonical) in ARRAYS
    ):
        raise CannotCross(message or "braces would stand around it")
    type_ = types.crossing(canonical)
    check_made(type_, "value", const=False)
    if isinstance(type_, Handle) and not type_.copyable:
        raise CannotCross("it can only be moved, and Python keeps its object")
    spelling = types.spelling(canonical)
    pointer = type_kind(canonical) == Kind.POINTER
    bare = spelling.removesuffix("const").rstrip() if pointer else spelling.removeprefix("const ")
    return Parameter(name, type_, bare, default=_default(member, type_, types))


def _default(member: Cursor, type_: Type, types: Types) -> Default:
    """What a member is that is not given; a value where Python knows it, else C++ does."""
    words = [token.spelling for token in member.get_tokens()]
    behind = words[words.index(member.spelling) + 1 :] if member.spelling in words else None
    written = any(kind_of(child) in EXPRESSIONS for child in children(member))
    if behind is not None and not behind and not written:
        value = _BLANK.get(type(unqualified(type_)), MISSING)
        return Default("{}", value)
    found = default_argument(member, type_, types.unit) if behind is not None and "=" in behind else None
    return found or Default("".join(behind or ()) or "{}")
