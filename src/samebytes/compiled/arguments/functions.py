"""C functions as arguments of compiled calls: what ``numba.cfunc`` and ``@func`` make, and functions of ctypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from ...errors import ArgumentError, Mismatch
from ...types import VOID, Enum, Function, Pointer, Type, unqualified
from ..datamodel.equivalents import numba_type
from ..datamodel.models import ADDRESS
from ..lowering.site import Call
from .fit import EXACT, Fit


def fit_function(type_: Pointer, argument: Any, dialect: str) -> Fit:
    """How a type of Numba's serves a function pointer.

    Raises
    ------
    Mismatch
        If it does not; the message says what does.
    """
    function = type_.target
    assert isinstance(function, Function)
    words = f"a C function {function.spelling or function} (numba.cfunc makes one)"
    if dialect == "cuda":
        raise Mismatch(ArgumentError, words, str(argument), "Device code has no C functions of the host")
    for kind, (signature, lower) in _SOURCES.items():
        if isinstance(argument, kind):
            if not _same(function, signature(argument), dialect):
                raise Mismatch(ArgumentError, words, str(signature(argument)), "Its signature is another")
            return Fit(EXACT, lower)
    advice = ""
    if isinstance(argument, types.Dispatcher):
        own = getattr(argument.dispatcher, "__samebytes_func__", None)
        if own is not None and own.interop:
            address, _ = own.__samebytes_function__(function)
            return Fit(EXACT, lambda call, value: _constant(call, address))
        advice = "@sb.func(interop=True) makes one of a Python function"
    raise Mismatch(ArgumentError, words, str(argument), advice)


def _same(function: Function, signature: Any, dialect: str) -> bool:
    if function.barred or function.result_passing != "value":
        return False
    wanted = [(function.result, "value"), *((a.type, a.passing) for a in function.arguments)]
    found = [signature.return_type, *signature.args]
    return len(wanted) == len(found) and all(
        _alike(type_, passing, kind, dialect) for (type_, passing), kind in zip(wanted, found, strict=True)
    )


def _alike(type_: Type, passing: str, kind: Any, dialect: str) -> bool:
    bare = unqualified(type_)
    if passing != "value" or isinstance(bare, Pointer):
        return isinstance(kind, types.CPointer | types.RawPointer)
    if bare == VOID:
        return bool(kind == types.void)
    if isinstance(bare, Enum):
        bare = bare.underlying
    try:
        return bool(numba_type(bare, dialect) == kind) and isinstance(kind, types.Number | types.Boolean)
    except Mismatch:
        return False


def _constant(call: Call, address: int) -> Any:
    return call.builder.bitcast(
        call.context.add_dynamic_addr(call.builder, address, info="samebytes.func"), ADDRESS
    )


def _from_cfunc(call: Call, value: Any) -> Any:
    found = call.builder.extract_value(value, 0)  # the C function; of compiled Python functions there is none
    some = call.builder.icmp_unsigned("!=", found, found.type(None))
    call.require(some, ArgumentError, "expected a C function that numba.cfunc made, got another function")
    return call.builder.bitcast(found, ADDRESS)


def _from_pointer(call: Call, value: Any) -> Any:
    return call.builder.bitcast(value, ADDRESS)


# A type of Numba's -> its signature, and the code that gives its address.
_SOURCES: dict[Any, tuple[Callable[[Any], Any], Callable[[Call, Any], Any]]] = {
    types.FunctionType: (lambda kind: kind.signature, _from_cfunc),
    types.ExternalFunctionPointer: (lambda kind: kind.sig, _from_pointer),
}
