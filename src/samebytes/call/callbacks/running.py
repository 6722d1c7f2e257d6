"""Python callables as std::function: arguments are read, and results described, as those of a call are."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from ... import _native
from ...errors import ArgumentError, Mismatch, value_words
from ...model.callbacks import is_const, shown_as
from ...model.slots import pointed
from ...types import (
    VOID,
    Argument,
    Callback,
    Const,
    Converted,
    Enum,
    Function,
    Handle,
    Held,
    Object,
    Pointer,
    Scalar,
    Struct,
    Type,
    unqualified,
)
from ...values.codecs import codec, const_codec, is_record, shown_codec, view_codec
from ...values.conversion import Packed
from ...values.copied import Place, shows_copies
from ...values.overriding import Overridden
from ...values.wires import inner_objects
from .closure import check_arity
from .on_error import parts_of
from .plans import OwningWriter, gives_pointers, plan_of
from .sources import function_address, is_empty, is_foreign, same_signature

_WIRE = struct.Struct("PPP")


def callback_rule(type_: Callback, obj: Any, dialect: str) -> Packed:
    """The wire of a std::function, which keeps what it is made of; None makes an empty one.

    Raises
    ------
    Mismatch
        If the object is no callable, or a function of another signature.
    """
    if obj is None or is_empty(obj):
        return Packed(bytes(_WIRE.size))
    owners: Any
    if type(obj) is Overridden:
        owners = _native.Callback(plan_for(type_), obj.name, None, _write(type_))
        return Packed(_WIRE.pack(0, id(owners), _native.CALLABLE_API), (owners,))
    speaks_c = _speaks_c(type_.function)
    if not speaks_c and getattr(obj, "interop", False) is True:
        advice = "C has no such arguments or results; f.underlying runs in the interpreter"
        raise Mismatch(ArgumentError, f"a callable or None ({type_.words})", value_words(obj), advice)
    if isinstance(obj, _native.Pointer) or (is_foreign(obj) and speaks_c):
        address, owners = function_address(type_.function, obj)
    else:
        address, owners = _own_symbol(type_, obj)
    if not address:
        words = f"a callable or None ({type_.words})"
        if not callable(obj):
            raise Mismatch(ArgumentError, words, value_words(obj))
        check_arity(type_.function, obj, words)
        call, on_error = parts_of(obj, type_.function)
        owners = _native.Callback(plan_for(type_), call, _native.call_errors(), _write(type_), on_error)
    return Packed(_WIRE.pack(address, id(owners), _native.CALLABLE_API), (owners,))


def _write(type_: Callback) -> OwningWriter | None:
    """Of results that point to Python's objects: what keeps these until the thread's next call."""
    return OwningWriter(type_.function) if gives_pointers(type_.function) else None


def _speaks_c(function: Function) -> bool:
    """Whether C's functions, of ctypes and Numba, have such arguments and results."""
    parts = [unqualified(part) for part in function.parts]
    return not any(isinstance(part, Handle | Converted) for part in parts)


def _own_symbol(type_: Callback, obj: Any) -> tuple[int, Any]:
    """Of a function that samebytes bound: its own symbol, where an overload has exactly this signature."""
    plan = getattr(obj, "__self__", None)
    binding: Any = getattr(plan.fallback, "__self__", None) if isinstance(plan, _native.Plan) else None
    for own, address in binding.own_functions() if binding is not None else ():
        if same_signature(type_.function, own):
            return address, (obj,)
    return 0, ()


def _reader(argument: Argument) -> _native.Codec:
    bare = unqualified(argument.type)
    target = bare.target if isinstance(bare, Pointer) else None
    if isinstance(target, Struct) and target.python is not None and shown_as(argument) == "copied":
        return view_codec(target, const=bool((seen := pointed(bare)) and seen[1]))
    if type(bare) is Struct and argument.passing == "lvalue_ref" and is_const(argument) and is_record(bare):
        return const_codec(bare)
    if isinstance(bare, Converted) and argument.passing == "lvalue_ref" and is_const(argument):
        return _copied(argument, bare)
    const = isinstance(argument.type, Const) and isinstance(bare, Handle)
    return _READERS[shown_as(argument)](argument.type, bare, const)


def _copied(argument: Argument, bare: Converted) -> _native.Codec:
    """Of a container by const T&: a copy, which refuses to be changed as what a result refers to does."""
    show = shows_copies(bare, const=True)
    place = Place("what C++ gives by const T&", const=True)
    read = Held(bare) if shown_as(argument) == "kept" else inner_objects(bare)
    return codec(read) if show is None else shown_codec(read, partial(_shown, show, place))


def _shown(show: Callable[[Any, Place], Any], place: Place, value: Any) -> Any:
    return show(value, place)


def _address_reader(type_: Type, bare: Any, const: bool) -> _native.Codec:
    if isinstance(bare, Struct) and bare.python is not None:
        return view_codec(bare, const=const)
    return codec(Pointer(type_))


_READERS: dict[str, Callable[[Type, Any, bool], _native.Codec]] = {
    "copied": lambda type_, bare, const: codec(inner_objects(bare)),
    "kept": lambda type_, bare, const: codec(Held(bare)),
    "object": lambda type_, bare, const: codec(Held(Object("", Const(bare) if const else bare))),
    "address": _address_reader,
}


@lru_cache(maxsize=1024)
def plan_for(type_: Callback) -> _native.CallbackPlan:
    """How calls of a std::function pass to a callable."""
    function = type_.function
    plain = isinstance(unqualified(function.result), Scalar | Enum | Struct) and not gives_pointers(function)
    return plan_of(
        function, [_reader(a) for a in function.arguments], codec(function.result) if plain else None,
        codec(Pointer(VOID)),
    )  # fmt: skip
