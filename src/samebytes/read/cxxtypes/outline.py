"""The types of overloads that are not bound, as far as C++'s choice among overloads looks at them.

Nothing is asked and no record is read for them: a class or an enumeration is known by its name, which the library
resolves to what it binds. VOID stands for a type that a template deduces, or that nobody knows without instances.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...later import later_pattern
from ...types import CHARACTERS, INT32, SCALARS, VOID, WIDE, Const, Enum, Named, Pointer, Scalar, Struct, Type
from ..clang.kinds import ARRAYS, FUNCTIONS, Kind
from ..clang.libclang import ClangType, element_type, passing_of, type_kind
from .cxxtypes import is_const
from .scalars import NUMBERS
from .standard import CannotCross, converted
from .type_names import plain_name, unqualified_name

_WIDE: dict[int, Scalar] = {
    Kind.LONGDOUBLE: WIDE["long double"], Kind.FLOAT128: WIDE["__float128"],
    Kind.INT128: WIDE["__int128"], Kind.UINT128: WIDE["unsigned __int128"],
}  # fmt: skip
_NUMBERS: dict[int, Type] = {**NUMBERS, **_WIDE}
_DEDUCED = later_pattern(r"type-parameter-0-(\d+)")
_ADDRESSES = ARRAYS | FUNCTIONS | {Kind.MEMBER_POINTER, Kind.NULLPTR}


def outline(type_: ClangType, arguments: Sequence[ClangType] = ()) -> tuple[Type, str]:
    """The type of a parameter and how it is passed.

    Parameters
    ----------
    arguments : sequence of clang type
        Of a class that a template makes: the template's arguments.
    """
    passing, target = passing_of(type_.get_canonical())
    inner = _inner(target, arguments)
    return (Const(inner) if is_const(target) else inner), passing


def _inner(type_: ClangType, arguments: Sequence[ClangType]) -> Type:
    kind = type_kind(type_)
    if (number := _NUMBERS.get(kind)) is not None:
        return number
    if kind == Kind.POINTER:
        return _pointer(type_.get_pointee(), arguments)
    if kind in _ADDRESSES:
        return Pointer(VOID) if kind not in ARRAYS else _pointer(element_type(type_), arguments)
    if kind == Kind.ENUM:
        return _enum(type_)
    if kind == Kind.RECORD:
        return _record(type_, arguments)
    deduced = _DEDUCED.fullmatch(unqualified_name(type_.spelling))
    if deduced and int(deduced[1]) < len(arguments):
        return _inner(arguments[int(deduced[1])].get_canonical(), ())
    return VOID


def _pointer(target: ClangType, arguments: Sequence[ClangType]) -> Type:
    if type_kind(target) == Kind.RECORD:
        inner: Type = Named(plain_name(target.spelling))
    else:
        inner = VOID if type_kind(target) in FUNCTIONS else _inner(target, arguments)
    word = unqualified_name(target.spelling)
    reads = is_const(target)
    return Pointer(Const(inner) if reads else inner, character=word if reads and word in CHARACTERS else "")


def _enum(type_: ClangType) -> Type:
    name, cursor = plain_name(type_.spelling), type_.get_declaration()
    if name == "std::byte":
        return SCALARS["uint8"]
    underlying = NUMBERS.get(type_kind(cursor.enum_type.get_canonical()), INT32)
    return Enum(name, underlying, (), cursor.is_scoped_enum())


def _record(type_: ClangType, arguments: Sequence[ClangType]) -> Type:
    name = plain_name(type_.spelling)
    try:
        return converted(name, type_, lambda inside: _inner(inside.get_canonical(), arguments)) or Struct(
            name, ()
        )
    except CannotCross:
        return Struct(name, ())
