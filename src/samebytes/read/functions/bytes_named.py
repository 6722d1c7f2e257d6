"""The typedefs by which a C header names the bytes of its texts: ``const xmlChar *name`` points to unsigned char."""

from __future__ import annotations

from dataclasses import replace

from ...types import Const, Pointer, Scalar, Type
from ..clang.kinds import ARRAYS, Kind
from ..clang.libclang import ClangType, element_type, type_kind


def with_alias(type_: Type, written: ClangType) -> Type:
    """A pointer to bytes, or to such pointers, with the typedef that the declaration writes for the byte."""
    return _named(type_, written) if _leads(type_) else type_


def _leads(type_: Type) -> bool:
    """Whether a type is a pointer, and pointers lead to bytes; what clang is asked about others would be lost time."""
    if not isinstance(type_, Pointer):
        return False
    target = type_.target
    while isinstance(target, Pointer):
        target = target.target
    return isinstance(target, Scalar) and target.size == 1 and target.kind in ("int", "uint")


def _named(type_: Type, written: ClangType) -> Type:
    if isinstance(type_, Const):
        return Const(_named(type_.type, written))
    assert isinstance(type_, Pointer)
    pointee = _pointee(written)
    if pointee is None:
        return type_
    if isinstance(type_.target, Pointer):
        return replace(type_, pointee=_named(type_.pointee, pointee))
    name = pointee.get_declaration().spelling if type_kind(pointee) in _TYPEDEFS else ""
    return replace(type_, alias=name) if name else type_


_TYPEDEFS = (Kind.TYPEDEF, Kind.ELABORATED)


def _pointee(type_: ClangType) -> ClangType | None:
    """What a type points to, as it is written; through the typedefs of the pointer itself."""
    while True:
        kind = type_kind(type_)
        if kind == Kind.POINTER:
            return type_.get_pointee()
        if kind in ARRAYS:
            return element_type(type_)
        if kind == Kind.ELABORATED:
            type_ = type_.get_named_type()
        elif kind == Kind.TYPEDEF:
            type_ = type_.get_declaration().underlying_typedef_type
        else:
            return None
