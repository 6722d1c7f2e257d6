"""What may stand for a function pointer: one row per kind of object that has, or can become, a C function."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType
from typing import Any

from ... import _native
from ...errors import OVERWHELMED, ArgumentError, Mismatch, value_words
from ...layouts.ctypes_classes import C_FUNCTION
from ...layouts.dialects import find_dialect
from ...layouts.differences import difference
from ...types import VOID, Argument, Enum, Function, Handle, Pointer, Struct, Type, as_type, unqualified
from ...values.conversion import Packed
from .closure import check_arity, closure, unfit
from .readers import CannotPass, Find
from .returning import address_in

_CDECL = 1  # ctypes' FUNCFLAG_CDECL


def is_empty(obj: Any) -> bool:
    """Whether an object is a ``std::function`` that C++ gave, and that holds nothing: C++ gets an empty one, too."""
    described = getattr(type(obj), "__samebytes_type__", None)
    return isinstance(described, Handle) and described.name.startswith("std::function<") and not obj


def function_rule(function: Function, obj: Any, dialect: str) -> Packed:
    """The address of a C function: of one that the object has, or of one that runs a Python callable.

    Raises
    ------
    Mismatch
        If the object is nothing of the kind, or a function of another signature.
    """
    if is_empty(obj):
        return Packed(bytes(8))
    address, owners = function_address(function, obj, _native.call_errors())
    return Packed(address.to_bytes(8, "little"), owners)


def function_address(function: Function, obj: Any, errors: Any = None) -> tuple[int, tuple[Any, ...]]:
    """Address and owners for whatever stands for a function pointer; ``errors`` as for :func:`closure`."""
    if obj is None:
        return 0, ()
    if type(obj) is FunctionType:  # none of the sources' objects
        return _from_callable(function, obj, errors)
    for applies, rule in _SOURCES:
        if applies(obj):
            found = rule(function, obj)
            if found is not None:
                return found
    if not callable(obj):
        raise Mismatch(ArgumentError, words(function), value_words(obj))
    return _from_callable(function, obj, errors)


def words(function: Function) -> str:
    """What a function pointer takes, as messages show it."""
    return f"a callable, a C function of this type, a Pointer or None ({spelled(function)})"


def spelled(function: Function) -> str:
    """The type in C++ if a header spelled it, else in our own words."""
    return function.holder or function.spelling or f"{function}"


def finder(function: Function) -> Find:
    """Finds the records of the library that the function type belongs to."""
    find: Find | None = getattr(function.python, "__samebytes_find__", None)
    return find or _nothing


def _nothing(name: str) -> None:
    """No library, no records."""


def same_signature(one: Function, other: Function) -> bool:
    """Whether a function of one type can be called through a pointer of the other."""
    if one.barred or other.barred:
        return bool(one.spelling) and one.spelling == other.spelling
    return (
        len(one.arguments) == len(other.arguments)
        and one.result_passing == other.result_passing
        and alike(one.result, other.result)
        and all(
            a.passing == b.passing and alike(a.type, b.type)
            for a, b in zip(one.arguments, other.arguments, strict=True)
        )
    )


def alike(one: Type, other: Type) -> bool:
    """Whether C passes values of two types in the same way, for the same bytes."""
    one, other = unqualified(one), unqualified(other)
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return one == other or _alike_targets(one.target, other.target)
    if VOID in (one, other):
        return one == other
    return not difference(one, other, find_dialect("cxx"))


def _alike_targets(one: Type, other: Type) -> bool:
    """Pointers to void stand for any, as Python's own types say no more than that."""
    if VOID in (one, other):
        return True
    if isinstance(one, Function) and isinstance(other, Function):
        return same_signature(one, other)
    names = [getattr(t, "name", None) for t in (one, other)]
    if names[0] is not None and not isinstance(one, Enum | Struct):
        return bool(names[0] == names[1])
    try:
        return not difference(one, other, find_dialect("cxx"))
    except OVERWHELMED:
        raise
    except Exception:
        return False


def _refused(function: Function, obj: Any, other: Function) -> Mismatch:
    advice = f"Its signature is {spelled(other)}"
    if spelled(other) == spelled(function):
        advice += ", with other types of these names"
    return Mismatch(ArgumentError, words(function), value_words(obj), advice)


# --- the rows ---


def _from_pointer(function: Function, obj: Any) -> tuple[int, tuple[Any, ...]]:
    described = getattr(type(obj), "__samebytes_type__", None)
    other = described.target if isinstance(described, Pointer) else None
    if isinstance(other, Function) and not same_signature(function, other):
        raise _refused(function, obj, other)
    return obj.address, (obj,)


def _from_ctypes(function: Function, obj: Any) -> tuple[int, tuple[Any, ...]]:
    if obj.argtypes is None:
        advice = "Set its argtypes and restype, so that its signature is known"
        raise Mismatch(ArgumentError, words(function), value_words(obj), advice)
    _check(function, obj, obj.restype, obj.argtypes)
    if not type(obj)._flags_ & _CDECL:
        raise Mismatch(
            ArgumentError, words(function), value_words(obj), "It does not follow C's calling convention"
        )
    return address_in(obj), (obj,)


def _from_numba(function: Function, obj: Any) -> tuple[int, tuple[Any, ...]]:
    signature = obj._sig
    _check(function, obj, signature.return_type, signature.args)
    return int(obj.address), (obj,)


def _check(function: Function, obj: Any, result: Any, arguments: Any) -> None:
    """Raise a Mismatch if another library's signature is not that of the function type."""
    try:
        other = Function(_foreign(result), tuple(Argument(_foreign(a)) for a in arguments))
    except TypeError as error:
        raise Mismatch(ArgumentError, words(function), value_words(obj), str(error)) from None
    flat = _by_value(function)
    if not same_signature(flat, other):
        raise _refused(function, obj, other)


def _by_value(function: Function) -> Function:
    """References as the pointers that they are to C."""
    arguments = tuple(a if a.passing == "value" else Argument(Pointer(a.type)) for a in function.arguments)
    result = function.result if function.result_passing == "value" else Pointer(function.result)
    return replace(function, arguments=arguments, result=result, result_passing="value")


def _foreign(hint: Any) -> Type:
    """The type of ctypes or Numba, whose pointers NumPy does not know."""
    name = type(hint).__name__
    if hint is None or name in ("NoneType", "Void"):
        return VOID
    if name == "RawPointer" or hint is ctypes.c_void_p:
        return Pointer(VOID)
    if name == "CPointer":
        try:
            return Pointer(_foreign(hint.dtype))
        except TypeError:
            return Pointer(VOID)
    return as_type(hint)


def _from_bound(function: Function, obj: Any) -> tuple[int, tuple[Any, ...]] | None:
    """A function that samebytes bound: its own symbol, where one of its overloads has exactly this signature."""
    binding: Any = getattr(obj.__self__.fallback, "__self__", None)
    for own, address in binding.own_functions() if binding is not None else ():
        if same_signature(function, own):
            return address, (obj,)
    return None  # its overloads are others: it is called as any callable is


def _from_callable(function: Function, obj: Any, errors: Any) -> tuple[int, tuple[Any, ...]]:
    find = finder(function)
    if reason := unfit(function, find):
        expected = f"a C function, a Pointer or None ({spelled(function)})"
        raise Mismatch(
            ArgumentError, expected, value_words(obj), f"No Python callable can stand for it: {reason}"
        )
    check_arity(function, obj, words(function))
    try:
        address, owner = closure(function, obj, find, errors)
    except CannotPass as reason:
        expected = f"a C function, a Pointer or None ({spelled(function)})"
        advice = f"So many callbacks exist that ctypes would have to make this one, and {reason}"
        raise Mismatch(ArgumentError, expected, value_words(obj), advice) from None
    return address, (owner,)


def _is_cfunc(obj: Any) -> bool:
    module = sys.modules.get("numba.core.ccallback")
    return module is not None and isinstance(obj, module.CFunc)


def is_foreign(obj: Any) -> bool:
    """Whether an object is a C function of ctypes or of Numba, or makes one."""
    return isinstance(obj, C_FUNCTION) or _is_cfunc(obj) or getattr(obj, "interop", False) is True


def _is_own(obj: Any) -> bool:
    return hasattr(type(obj), "__samebytes_function__")


def _from_own(function: Function, obj: Any) -> tuple[int, tuple[Any, ...]] | None:
    """What makes C functions of its own: see ``compiled.functions``."""
    found: tuple[int, tuple[Any, ...]] | None = obj.__samebytes_function__(function)
    return found


def _is_bound(obj: Any) -> bool:
    return isinstance(obj, BuiltinFunctionType) and isinstance(obj.__self__, _native.Plan)


_Source = tuple[Callable[[Any], bool], Callable[[Function, Any], tuple[int, tuple[Any, ...]] | None]]
_SOURCES: tuple[_Source, ...] = (
    (lambda obj: isinstance(obj, _native.Pointer), _from_pointer),
    (lambda obj: isinstance(obj, C_FUNCTION), _from_ctypes),
    (_is_cfunc, _from_numba),
    (_is_bound, _from_bound),
    (_is_own, _from_own),
)
