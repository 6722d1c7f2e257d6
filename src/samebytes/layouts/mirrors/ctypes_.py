"""Mirror ctypes: structures whose offsets are ctypes' own, with padding written out where C would not put it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from ...types import (
    CHAR,
    SCALARS,
    VOID,
    Aligned,
    Array,
    Atomic,
    ByKind,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Pointer,
    Scalar,
    Struct,
    Tuple,
    Type,
    Vector,
    Void,
)
from .. import Layout, compute, round_up
from ..ctypes_classes import C_NUMBER, C_POINTER
from ..dialects import Dialect
from .base import Mirror, refused, unreadable

_NUMBERS: dict[str, Any] = {
    "bool": ctypes.c_bool, "char": ctypes.c_char, "int8": ctypes.c_int8, "int16": ctypes.c_int16,
    "int32": ctypes.c_int32, "int64": ctypes.c_int64, "uint8": ctypes.c_uint8, "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "float32": ctypes.c_float, "float64": ctypes.c_double,
}  # fmt: skip
if sys.version_info >= (3, 14):
    _NUMBERS |= {"complex64": ctypes.c_float_complex, "complex128": ctypes.c_double_complex}

# ctypes' codes of its simple types (struct's letters, and some of its own).
_CODES: dict[str, Type] = {
    "?": SCALARS["bool"], "c": CHAR, "b": SCALARS["int8"], "B": SCALARS["uint8"], "h": SCALARS["int16"],
    "H": SCALARS["uint16"], "i": SCALARS["int32"], "I": SCALARS["uint32"], "l": SCALARS["int64"],
    "L": SCALARS["uint64"], "q": SCALARS["int64"], "Q": SCALARS["uint64"], "f": SCALARS["float32"],
    "d": SCALARS["float64"], "F": SCALARS["complex64"], "D": SCALARS["complex128"],
    "P": Pointer(VOID), "z": Pointer(Const(CHAR)),
}  # fmt: skip


def _number(type_: Scalar, dialect: Dialect) -> Any:
    found = _NUMBERS.get(type_.name)
    if found is None:
        since = " before Python 3.14" if type_.kind == "complex" else ""
        raise refused("ctypes", type_, f"ctypes has no such number{since}")
    return found


def _fields(type_: Type, dialect: Dialect) -> Any:
    if isinstance(type_, Struct) and not type_.complete:
        raise refused("ctypes", type_, "it has members that Python does not see")
    layout = compute(type_, dialect)
    if any(place.bit_width for place in layout.fields):
        raise refused("ctypes", type_, "where ctypes puts bit-fields is not the compiler's choice")
    return _structure(type_, layout, dialect)


def _structure(type_: Type, layout: Layout, dialect: Dialect) -> Any:
    members: list[tuple[str, Any]] = []
    end = own = 0
    for place in layout.fields:
        made = make(place.type, dialect)
        align = ctypes.alignment(made)
        if round_up(end, align) != place.offset and place.offset > end:
            members.append((f"_padding_{end}", ctypes.c_char * (place.offset - end)))
        members.append((place.name, made))
        end, own = place.offset + place.size, max(own, align)
    if round_up(end, own) < layout.size:
        members.append((f"_padding_{end}", ctypes.c_char * (layout.size - end)))
    body: dict[str, Any] = {"_fields_": members}
    if layout.align > own:
        if sys.version_info < (3, 13):
            reason = f"ctypes aligns it to {own} bytes; before Python 3.13 it knows no larger alignment"
            raise refused("ctypes", type_, f"{reason}, {layout.align}")
        body["_align_"] = layout.align
    return type(getattr(type_, "short_name", None) or str(type_), (ctypes.Structure,), body)


def _carray(type_: CArray, dialect: Dialect) -> Any:
    made = make(type_.element, dialect)
    for extent in reversed(type_.shape):
        made = made * extent
    return made


def _around(type_: Aligned | Atomic, dialect: Dialect) -> Any:
    inner, layout = make(type_.type, dialect), compute(type_, dialect)
    same = (ctypes.sizeof(inner), ctypes.alignment(inner)) == (layout.size, layout.align)
    return inner if same else _structure(type_, layout, dialect)


def _pointer(type_: Pointer, dialect: Dialect) -> Any:
    if type_.is_string:
        return ctypes.c_char_p
    known = isinstance(type_.target, Scalar | Enum | Vector | Tuple | Struct | CArray | Pointer)
    return ctypes.POINTER(make(type_.target, dialect)) if known else ctypes.c_void_p


_RULES: ByKind[Callable[[Any, Dialect], Any]] = ByKind(
    "layouts: the ctypes class of a type",
    {
        Scalar: _number,
        Enum: lambda type_, dialect: make(type_.underlying, dialect),
        Vector: _fields,
        Struct: _fields,
        Tuple: _fields,
        Array: _fields,
        CArray: _carray,
        Aligned: _around,
        Atomic: _around,
        Pointer: _pointer,
        Void: lambda type_, dialect: ctypes.c_void_p,
        Const: lambda type_, dialect: make(type_.type, dialect),
    },
    others="ctypes has none, and the mirror refuses",
)


def make(type_: Type, dialect: Dialect) -> Any:
    """The ctypes class of a type in a dialect."""
    rule = _RULES.get(type(type_))
    if rule is None:
        raise refused("ctypes", type_, "its layout is not known")
    return rule(type_, dialect)


def measure(made: Any) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    """Size, alignment, and the fields' names and offsets, as ctypes says them."""
    names = [name for name, *_ in getattr(made, "_fields_", ()) if not name.startswith("_padding_")]
    return ctypes.sizeof(made), ctypes.alignment(made), tuple((n, getattr(made, n).offset) for n in names)


def read(hint: Any) -> Type | None:
    """The type of a ctypes class."""
    if not isinstance(hint, type):
        return None
    for base, rule in _READERS.items():
        if issubclass(hint, base):
            return rule(hint)
    return None


def _simple(hint: Any) -> Type:
    found = _CODES.get(hint._type_)
    if found is None or ("__ctype_be__" in vars(hint) and hint is not hint.__ctype_le__):
        raise unreadable(hint, "C++ on this machine has no such type that Python reads")
    return found


def _array(hint: Any) -> Type:
    shape: tuple[int, ...] = ()
    while issubclass(hint, ctypes.Array):
        length: Any = hint._length_
        shape, hint = (*shape, length), hint._type_
    if 0 in shape:
        raise unreadable(hint, "it has no elements")
    return CArray(_known(hint), shape)


def _struct(hint: Any) -> Type:
    if hasattr(hint, "_swappedbytes_"):
        raise unreadable(hint, "it is not in this machine's byte order")
    declared = [row for cls in reversed(hint.__mro__) for row in vars(cls).get("_fields_", ())]
    fields = []
    for name, kind, *bits in declared:
        if bits:
            raise unreadable(hint, f"{name!r} is a bit-field: only a C++ compiler decides where it lies")
        if not name.startswith("_padding_"):
            fields.append(Field(name, _known(kind), getattr(hint, name).offset))
    if not fields:
        raise unreadable(hint, "it has no fields")
    extent = Extent(ctypes.sizeof(hint), ctypes.alignment(hint))
    return Struct(hint.__name__, tuple(fields), fixed=extent)


def _known(hint: Any) -> Type:
    found = read(hint)
    if found is None:
        raise unreadable(hint, "it is no class of ctypes")
    return found


def _target(hint: Any) -> Type:
    # A structure may point to itself: what it points to is not looked into.
    inner = hint._type_
    return Pointer(VOID if issubclass(inner, ctypes.Structure | ctypes.Union) else _known(inner))


_READERS: dict[Any, Callable[[Any], Type]] = {
    C_NUMBER: _simple,
    C_POINTER: _target,
    ctypes.Array: _array,
    ctypes.Structure: _struct,
    ctypes.Union: _struct,
}

MIRROR = Mirror("ctypes", ("ctypes", "_ctypes"), make, read, measure)
