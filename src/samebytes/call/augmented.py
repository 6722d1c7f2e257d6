"""``a[i] += x``: C++ has one operation there, and Python assigns what that gave back once more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dis import opmap
from typing import Any

from .candidate import COMPUTES, special_of

_SWAP, _STORE, _BINARY, _CACHE = (opmap[name] for name in ("SWAP", "STORE_SUBSCR", "BINARY_OP", "CACHE"))


def without_echo(assign: Callable[[Any, Any, Any], Any], elements: tuple[type, ...]) -> Callable[..., None]:
    """A ``__setitem__`` that leaves to C++ alone what its own ``+=`` has done already.

    Where ``a[i]`` is an object whose class has ``+=``, Python calls that, and then assigns the same object to ``a[i]``:
    with a proxy's ``operator=``, or one that does more than copy, that is another program than C++'s ``a[i] += x``.

    Parameters
    ----------
    assign : callable
        C++'s ``a[i] = x``.
    elements : tuple of type
        The classes of what ``a[i]`` is.
    """

    def assign_once(self: Any, index: Any, value: Any) -> None:
        if not (isinstance(value, elements) and _is_echo(sys._getframe(1), value)):
            assign(self, index, value)

    assign_once.__name__, assign_once.__doc__ = "__setitem__", assign.__doc__
    return assign_once


def _is_echo(frame: Any, value: Any) -> bool:
    """Whether a frame is at the assignment of ``a[i] += x``, and C++ has that very operator of the value's class.

    Python compiles it to ``BINARY_OP``, ``SWAP 3``, ``SWAP 2``, ``STORE_SUBSCR``, and nothing else to the last three.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    if at < 6 or tuple(code[at - 4 : at + 1]) != (_SWAP, 3, _SWAP, 2, _STORE):
        return False
    at -= 6
    while at > 0 and code[at] == _CACHE:
        at -= 2
    method = special_of(type(value), _IN_PLACE.get(code[at + 1], "")) if code[at] == _BINARY else None
    return method is not None and not hasattr(method, COMPUTES)


# CPython's numbers of the operators (Include/opcode.h).
_IN_PLACE = {
    13: "__iadd__", 14: "__iand__", 16: "__ilshift__", 18: "__imul__", 19: "__imod__", 20: "__ior__",
    22: "__irshift__", 23: "__isub__", 24: "__itruediv__", 25: "__ixor__",
}  # fmt: skip
