"""Python callables as std::function: arguments are read, and results described, as those of a call are."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from .. import _native
from ..conversion import Packed, convert, register
from ..errors import ArgumentError, Mismatch, value_words
from ..types import VOID, Argument, Callback, Const, Converted, Handle, Pointer, Struct, Type, unqualified
from ..values.codecs import codec, view_codec
from .closure import check_arity, result_error
from .crossing import measured_text
from .sources import function_address, same_signature

_WIRE = struct.Struct("PPP")


def callback_rule(type_: Callback, obj: Any, dialect: str) -> Packed:
    """The wire of a std::function, which keeps what it is made of; None makes an empty one.

    Raises
    ------
    Mismatch
        If the object is no callable, or a function of another signature.
    """
    if obj is None:
        return Packed(bytes(_WIRE.size))
    owners: Any
    if isinstance(obj, _native.Pointer):
        address, owners = function_address(type_.function, obj)
    else:
        address, owners = _own_symbol(type_, obj)
    if not address:
        words = f"a callable or None ({type_.words})"
        if not callable(obj):
            raise Mismatch(ArgumentError, words, value_words(obj))
        check_arity(type_.function, obj, words)
        owners = _runner(type_, obj, _native.call_errors())
    return Packed(_WIRE.pack(address, id(owners), _native.CALLABLE_API), (owners,))


def _own_symbol(type_: Callback, obj: Any) -> tuple[int, Any]:
    """Of a function that samebytes bound: its own symbol, where an overload has exactly this signature."""
    plan = getattr(obj, "__self__", None)
    binding: Any = getattr(plan.fallback, "__self__", None) if isinstance(plan, _native.Plan) else None
    for own, address in binding.own_functions() if binding is not None else ():
        if same_signature(type_.function, own):
            return address, (obj,)
    return 0, ()


def is_shown(argument: Argument) -> bool:
    """Whether a callback sees an argument where C++ has it: an object, or what a reference lets it change."""
    bare = unqualified(argument.type)
    if isinstance(bare, Converted):
        return False
    refers = argument.passing != "value" and (
        isinstance(bare, Struct) or not isinstance(argument.type, Const)
    )
    return isinstance(bare, Handle) or refers


def _reader(argument: Argument) -> _native.Codec:
    bare = unqualified(argument.type)
    if not is_shown(argument):
        return codec(argument.type)
    if isinstance(bare, Struct) and bare.python is not None:
        return view_codec(bare, const=isinstance(argument.type, Const) and isinstance(bare, Handle))
    return codec(Pointer(argument.type))


def _runner(type_: Callback, call: Callable[..., Any], errors: Any) -> Callable[[int], Any]:
    function = type_.function
    readers = [_reader(a) for a in function.arguments]
    texts = [(i, a.measured) for i, a in enumerate(function.arguments) if a.measured]
    for i, _ in texts:
        readers[i] = codec(Pointer(VOID))  # read together with its length
    count = 2 + len(readers)

    def run(args: int) -> tuple[Any, ...] | None:
        try:
            places = (ctypes.c_size_t * count).from_address(args)
            shown = [read.read(place) for read, place in zip(readers, places[2:], strict=True)]
            for i, counts in texts:
                shown[i] = measured_text(int(shown[i]), [shown[j] for j in counts])
            returned = call(*shown)
            packed = _written(function.result, returned, call)
            ctypes.memmove(places[1], packed.data, len(packed.data))
            return packed.owners
        except BaseException as error:
            _native.post_error(errors, error, call)
            return None

    return run


def _written(result: Type, returned: Any, call: Any) -> Packed:
    if result == VOID:
        return Packed(b"")
    try:
        return convert(result, returned)
    except Mismatch as mismatch:
        raise result_error(call, mismatch) from None


register(Callback, callback_rule)
