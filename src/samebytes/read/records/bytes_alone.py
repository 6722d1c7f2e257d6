"""What C++ code can do with objects of structs that C could declare: no compiler is asked that."""

from __future__ import annotations

from ..clang.kinds import Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    canonical,
    children,
    element_type,
    is_invalid,
    kind_of,
    type_kind,
    type_spelling,
)
from ..cxxtypes.scalars import NUMBERS

# They are copied, assigned, destroyed, and made of nothing without code of the class, and are aggregates: the answer
# to the question "traits" (ISO C++ [class.copy.ctor], [class.copy.assign], [class.default.ctor], [dcl.init.aggr]).
TRAITS = 1 + 2 + 8 + 64 + 128 + 256

_VALUES = frozenset({*NUMBERS, Kind.LONGDOUBLE, Kind.POINTER, Kind.ENUM})
# What libclang shows below a member: the names in its type, and the extents of its arrays. An initial value of a member
# that is no array may be a number, too, and that of an array is none.
_NAMES: frozenset[int] = frozenset({Decl.TYPE_REFERENCE, Decl.NAMESPACE_REFERENCE})
_EXTENT = 106  # CXCursor_IntegerLiteral


def is_bytes_alone(type_: ClangType, known: dict[str, bool]) -> bool:
    """Whether a struct has nothing but members without initial values, of numbers, pointers and such structs.

    Parameters
    ----------
    known : dict
        By the canonical spelling, what was found; the call adds to it.
    """
    type_ = canonical(type_)
    name = type_spelling(type_)
    if name not in known:
        known[name] = "<" not in name and _says_so(type_.get_declaration(), known)
    return known[name]


def _says_so(cursor: Cursor, known: dict[str, bool]) -> bool:
    if kind_of(cursor) != Decl.STRUCT or is_invalid(cursor):
        return False
    members = children(cursor)
    return bool(members) and all(kind_of(m) == Decl.FIELD and _is_bytes(m, known) for m in members)


def _is_bytes(member: Cursor, known: dict[str, bool]) -> bool:
    type_ = canonical(member.type)
    shown = _NAMES
    while not _is_qualified(type_) and type_kind(type_) == Kind.CONSTANT_ARRAY:
        type_, shown = element_type(type_), _NAMES | {_EXTENT}
    if _is_qualified(type_):
        return False
    kind = type_kind(type_)
    plain = kind in _VALUES or (kind == Kind.RECORD and is_bytes_alone(type_, known))
    return plain and shown.issuperset(map(kind_of, children(member)))


def _is_qualified(type_: ClangType) -> bool:
    """Whether a type, or the elements of an array, are const or volatile: clang says it of either."""
    return bool(type_.is_const_qualified() or type_.is_volatile_qualified())
