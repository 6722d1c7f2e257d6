"""What pointers and references of ctypes say of the memory behind them: it is checked against what C++ takes it for."""

from __future__ import annotations

import ctypes
from typing import Any

from ...layouts.ctypes_classes import C_POINTER, C_REFERENCE, target_of
from ...layouts.dialects import find_dialect, layout
from ...layouts.differences import difference
from ...types import VOID, CArray, Const, Handle, Named, Pointer, Struct, Type, as_type, unqualified

RECORDS = (ctypes.Structure, ctypes.Union)
_PLAIN = "sb.Pointer(address) is an address that nobody checks"


def described(obj: Any, *, anything: bool) -> Pointer:
    """What a ctypes pointer or a reference points to; where ``anything`` will do, what no type of ours is, too.

    Raises
    ------
    TypeError
        If no type of ours is such memory.
    """
    try:
        found = as_type(ctypes.POINTER(type(obj._obj)) if isinstance(obj, C_REFERENCE) else type(obj))
    except TypeError:
        if not anything:
            raise
        return Pointer(Const(VOID) if isinstance(obj, ctypes.c_wchar_p) else VOID)
    assert isinstance(found, Pointer)
    return found


def claimed_difference(target: Type, obj: Any) -> str:
    """How the memory that a pointer or a reference of ctypes describes is not what C++ takes it for; empty if it is.

    A structure is compared by its size and all of its fields; c_void_p describes nothing.
    """
    if isinstance(obj, C_REFERENCE):
        return _difference(target, type(obj._obj))
    return _difference(target, type(obj)._type_) if isinstance(obj, C_POINTER) else ""


def _difference(target: Type, hint: Any) -> str:
    target = unqualified(target)
    if target == VOID:
        return ""
    if issubclass(hint, RECORDS):
        return record_difference(target, hint)
    if issubclass(hint, C_POINTER) and isinstance(target, Pointer):
        return _difference(target.target, hint._type_) or _number_difference(target.target, hint._type_)
    if issubclass(hint, ctypes.Array) and isinstance(target, CArray) and issubclass(_element(hint), RECORDS):
        return record_difference(target.element, _element(hint))
    # Numbers are compared as types, which do not say what an address in their place leads to.
    return _number_difference(target, hint) if isinstance(target, Pointer) else ""


def _number_difference(target: Type, hint: Any) -> str:
    """Of what lies behind a further pointer: a number is what C++ has there; an address without a type fits any."""
    target = unqualified(target)
    if target == VOID or issubclass(hint, (*RECORDS, C_POINTER)):
        return ""
    try:
        found = as_type(hint)
    except TypeError as error:
        return str(error)
    if isinstance(target, Pointer) and isinstance(found, Pointer):
        target, found = target.target, found.target
    if VOID in (target, found):
        return ""
    return difference(target, found, find_dialect("cxx"))


def _element(hint: Any) -> Any:
    while issubclass(hint, ctypes.Array):
        hint = hint._type_
    return hint


def record_difference(target: Type, hint: Any) -> str:
    """How a structure of ctypes is not what C++ has there: its size or a field; empty if it is."""
    name = f"ctypes.{'Union' if issubclass(hint, ctypes.Union) else 'Structure'} {hint.__name__}"
    if isinstance(target, Named):
        same = hint.__name__ == target.name or not getattr(hint, "_fields_", ())
        return "" if same else f"It points to a {name}, and {target} is only declared. {_PLAIN}"
    if not isinstance(target, Struct):
        return f"It points to a {name}. {_PLAIN}"
    if isinstance(target, Handle) or not target.complete:
        return f"It points to a {name}, and {target} has more than fields that Python sees. {_PLAIN}"
    try:
        found = difference(target, as_type(hint), find_dialect("cxx"))
    except TypeError as error:
        return f"Its layout is not known: {error}. {_PLAIN}"
    found = found or _pointers_difference(target, hint, set())
    return f"The layout of {name} differs: {found}" if found else ""


def _pointers_difference(target: Struct, hint: Any, seen: set[tuple[str, Any]]) -> str:
    """Where a pointer in a structure of the same fields leads to something else; structures may lead to themselves."""
    seen.add((target.name, hint))
    types = {field.name: unqualified(field.type) for field in target.fields}
    for name, kind, *_ in getattr(hint, "_fields_", ()):
        own, kind = _innermost(types.get(name)), _element(kind)
        if issubclass(kind, C_POINTER) and isinstance(own, Pointer):
            found = _behind(own.target, kind._type_, seen)
        elif issubclass(kind, RECORDS) and isinstance(own, Struct) and (own.name, kind) not in seen:
            found = _pointers_difference(own, kind, seen)
        else:
            continue
        if found:
            return f"its {name} leads to something else. {found}"
    return ""


def _behind(target: Type, hint: Any, seen: set[tuple[str, Any]]) -> str:
    """How what lies behind a pointer in a structure is not what C++ has there."""
    target = unqualified(target)
    if isinstance(target, Named) and target.home is not None:
        target = target.home.structs.get(target.name, target)
    if not (issubclass(hint, RECORDS) and isinstance(target, Struct)):
        return _difference(target, hint) or _number_difference(target, hint)
    if (target.name, hint) in seen:
        return ""
    seen.add((target.name, hint))
    return record_difference(target, hint)


def _innermost(type_: Type | None) -> Type | None:
    while isinstance(type_, CArray | Const):
        type_ = type_.element if isinstance(type_, CArray) else type_.type
    return type_


def missing_room(target: Type, count: int, obj: Any) -> str:
    """What a reference of ctypes has too little of for so many; empty if that is there, or nobody knows."""
    if not isinstance(obj, C_REFERENCE) or target == VOID or isinstance(unqualified(target), Named):
        return ""
    needed = layout(target).size * max(count, 1)
    begins = target_of(obj) - ctypes.addressof(obj._obj)
    there = ctypes.sizeof(obj._obj) - begins
    return (
        ""
        if begins >= 0 and there >= needed
        else f"It has {max(there, 0)} bytes there, and {needed} are needed"
    )
