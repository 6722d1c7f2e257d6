"""The signatures that compiled code sees, in Numbast's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.typing import signature

from ...errors import Mismatch, value_error
from ...model.signature import Parameter
from ...types import Pointer
from ..datamodel.equivalents import numba_type
from .choosing import Direct
from .overloads import Overloads
from .results import return_type


def signature_of(overloads: Overloads, direct: Direct) -> Any:
    """One overload's signature."""
    arguments = [_argument(p, overloads.dialect) for p in direct.visible]
    return signature(in_words(lambda: return_type(direct.signature, overloads.dialect)), *arguments)


def _argument(parameter: Parameter, dialect: str) -> Any:
    found = in_words(lambda: numba_type(parameter.value_type, dialect))
    pointer = isinstance(parameter.value_type, Pointer)
    return (
        types.CPointer(found) if parameter.intent.name in ("inout_ptr", "out_ptr") and not pointer else found
    )


def in_words(make: Callable[[], Any]) -> Any:
    """What ``make`` gives; a type that compiled code lacks as an error in words."""
    try:
        return make()
    except Mismatch as mismatch:
        raise value_error("", mismatch) from None
