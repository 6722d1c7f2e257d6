"""``wait`` and ``notify`` of atomics: the C++ standard library's, so that C++ and Python wake each other."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from ...make.atomic_wait import waiting
from .site import Call

_ORDERS = {"relaxed": 0, "acquire": 2, "seq_cst": 5}  # std::memory_order


def call_waiting(call: Call, name: str, size: int, place: Any, values: Sequence[Any], order: str) -> None:
    """Write the call of one of them."""
    address = ctypes.cast(getattr(waiting(), f"samebytes_{name}{size}"), ctypes.c_void_p).value
    given = [place, *values]
    if name == "wait":
        given.append(ir.IntType(32)(_ORDERS[order]))
    form = ir.FunctionType(ir.VoidType(), [value.type for value in given]).as_pointer()
    function = call.context.add_dynamic_addr(call.builder, address, info=f"samebytes {name}")
    call.builder.call(call.builder.bitcast(function, form), given)
