"""C++ exceptions in compiled code: Python's, raised where the call stands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from numba import njit, types

from ... import _native
from ..attempts import leave_failed
from ..datamodel.models import ADDRESS
from .site import Site

# Numbers, as Numba compiles no table of classes.
_VALUE, _INDEX, _MEMORY, _OVERFLOW, _SYSTEM = map(
    _native.EXCEPTIONS.index, (ValueError, IndexError, MemoryError, OverflowError, OSError)
)
_LOW = 0xFFFFFFFF  # the cause; above it stands the errno of an error of the system


def _raise(code: int, message: str) -> None:
    """What the statuses of direct shims mean (emit/parts/direct.hpp); compiled by Numba."""
    if code == _VALUE:
        raise ValueError(message)
    if code == _INDEX:
        raise IndexError(message)
    if code == _MEMORY:
        raise MemoryError(message)
    if code == _OVERFLOW:
        raise OverflowError(message)
    if code & _LOW == _SYSTEM:
        raise OSError(code >> 32, message)
    raise RuntimeError(message)


def raise_outcome(site: Site, status: Any, message: int, undo: Callable[[], None]) -> None:
    """Raise the exception that a status stands for, unless it is 0.

    Parameters
    ----------
    undo : callable
        Writes what gives back the storage of a result that there is not.
    """
    failed = site.builder.icmp_unsigned("!=", status, status.type(0))
    with site.builder.if_then(failed, likely=False):
        undo()
        # Numba shows a caught exception to nobody, and frees none that has a message.
        caught = site.context.call_conv.check_try_status(site.builder).in_try
        with site.builder.if_then(site.builder.not_(caught)):
            _raise_message(site, status, message)
        site.context.call_conv.set_static_user_exc(site.builder, RuntimeError)
        leave_failed(site.context, site.builder)


def _raise_message(site: Site, status: Any, message: int) -> None:
    text = _text(site, message)
    kind = types.Dispatcher(_compiled())
    signature = site.context.typing_context.resolve_function_type(kind, (types.int64, types.unicode_type), {})
    site.context.get_function(kind, signature)(site.builder, (status, text))


@cache
def _compiled() -> Any:
    return njit(_raise)


def _text(site: Site, message: int) -> Any:
    """The thread's last message as Numba's text: four bytes for each character."""
    builder = site.builder
    give = ir.FunctionType(ADDRESS, [ir.IntType(64).as_pointer()])
    address = site.context.add_dynamic_addr(builder, message, info="samebytes_message")
    length = site.compiler.cgutils.alloca_once(builder, ir.IntType(64))
    data = builder.call(builder.bitcast(address, give.as_pointer()), [length])
    made = site.proxy(types.unicode_type)
    made.data = data
    made.length = builder.load(length)
    made.kind = ir.IntType(32)(4)
    made.is_ascii = ir.IntType(32)(0)
    made.hash = made.hash.type(-1)
    made.parent = made.parent.type(None)
    return made._getvalue()
