"""What only a declaration has of its parameters, and no type: their names, which tell lengths of texts, and extents."""

from __future__ import annotations

from dataclasses import replace

from ...types import Callback, CArray, Const, Function, Pointer, Type
from ..clang.kinds import ARRAYS, TYPEDEFS, Decl, Kind
from ..clang.libclang import ClangType, Cursor, children_of, element_type, kind_of, type_kind


def with_measures(type_: Type, cursor: Cursor, declared: ClangType | None = None) -> Type:
    """A type with what its function types say, by their parameters' names, about the lengths of texts.

    Parameters
    ----------
    cursor : clang cursor
        The declaration of what has the type: a parameter, a member, a variable, a function, a typedef.
    declared : clang type, optional
        The type as it is written there; that of the declaration, unless said otherwise.
    """
    if isinstance(type_, Const):
        return Const(with_measures(type_.type, cursor, declared))
    if isinstance(type_, CArray):
        return replace(type_, element=with_measures(type_.element, cursor, declared))
    if isinstance(type_, Callback):
        return replace(type_, function=_measured(type_.function, _parameters(cursor, declared)))
    if not isinstance(type_, Pointer):
        return type_
    if not isinstance(type_.pointee, Function):
        return (
            replace(type_, pointee=with_measures(type_.pointee, cursor, declared)) if _leads(type_) else type_
        )
    return replace(type_, pointee=_measured(type_.pointee, _parameters(cursor, declared)))


def _leads(type_: Type) -> bool:
    """Whether pointers lead to a function."""
    while isinstance(type_, Pointer | Const | CArray):
        type_ = _inside(type_)
    return isinstance(type_, Function)


def _inside(type_: Pointer | Const | CArray) -> Type:
    if isinstance(type_, CArray):
        return type_.element
    return type_.pointee if isinstance(type_, Pointer) else type_.type


def _measured(function: Function, parameters: list[Cursor]) -> Function:
    count = len(function.arguments)
    if not count or len(parameters) < count:
        return function
    # Those of a function that is returned come first.
    own = parameters[-count:]
    arguments = [
        replace(a, type=_at_least(with_measures(a.type, cursor), cursor))
        for a, cursor in zip(function.arguments, own, strict=True)
    ]
    return replace(function, arguments=tuple(arguments)).named([cursor.spelling for cursor in own])


def _at_least(type_: Type, parameter: Cursor) -> Type:
    """A parameter's type with the elements that its declaration counts."""
    extent = extent_of(parameter)
    return replace(type_, least=extent) if extent and isinstance(type_, Pointer) else type_


def extent_of(parameter: Cursor) -> int | None:
    """The outermost extent that a parameter's declaration writes, 0 where it leaves it open, None for no array."""
    type_ = parameter.type.get_canonical()
    if type_kind(type_) == Kind.INCOMPLETE_ARRAY:
        return 0
    return type_.element_count if type_kind(type_) == Kind.CONSTANT_ARRAY else None


def _parameters(cursor: Cursor, declared: ClangType | None) -> list[Cursor]:
    """The parameters that a function type was declared with, where its typedef or the declaration itself has them."""
    type_ = declared
    if type_ is None:
        type_ = cursor.underlying_typedef_type if kind_of(cursor) in TYPEDEFS else cursor.type
    while True:
        kind = type_kind(type_)
        if kind in (Kind.POINTER, Kind.LVALUE_REF, Kind.RVALUE_REF):
            type_ = type_.get_pointee()
        elif kind in ARRAYS:
            type_ = element_type(type_)
        elif kind == Kind.ELABORATED:
            type_ = type_.get_named_type()
        elif kind == Kind.TYPEDEF:
            cursor = type_.get_declaration()
            type_ = cursor.underlying_typedef_type
        else:
            return children_of(cursor, Decl.PARAMETER)
