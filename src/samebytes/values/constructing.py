"""Which ``__init__`` of Python's has C++'s constructor make the object: one that calls another."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from .. import _native
from .overriding import is_own

_NAME = "__init__"


def is_deferred(cls: type) -> bool:
    """Whether the object of a class of Python's is made by its ``__init__``, and not of the arguments of the call.

    That is so where the ``__init__`` names another one, and no ``__new__`` of Python's makes the object before.
    """
    found: Any = None
    for base in cls.__mro__:
        space = vars(base)
        if is_own(base):
            break
        if "__new__" in space:
            return False
        found = found or space.get(_NAME)
    return found is not None and _names_another(found)


def _names_another(function: Any) -> bool:
    while (inner := getattr(function, "__wrapped__", None)) is not None:
        function = inner
    return isinstance(function, FunctionType) and _names(function.__code__)


def _names(code: CodeType) -> bool:
    return _NAME in code.co_names or any(
        _names(part) for part in code.co_consts if isinstance(part, CodeType)
    )


def defer(cls: type) -> None:
    """Have calls of a class that Python derived make the object where that is to happen."""
    if not is_own(cls):
        _native.set_deferred(cls, is_deferred(cls))
