"""How much a call can pass: what the core's frames hold."""

from __future__ import annotations

from collections.abc import Iterable

from ... import _native
from ...layouts.dialects import layout
from ...types import Handle, Struct, Type
from ..cxxtypes.cxxtypes import CannotCross

_MOST = _native.MAX_FRAME // 2  # bytes: of the arguments, and of the result


def check_values(values: Iterable[tuple[Type, str]]) -> None:
    """Raise for more than a call can pass: types, each with how it is passed."""
    found = list(values)
    if len(found) >= _native.MAX_ARGUMENTS:
        raise CannotCross(
            f"it has {len(found)} parameters, and calls pass fewer than {_native.MAX_ARGUMENTS}"
        )
    size = sum(layout(type_).size for type_, passing in found if _travels(type_, passing))
    if size > _MOST:
        raise CannotCross(
            f"{size} bytes are passed by value, and calls pass at most {_MOST}: take it by reference"
        )


def _travels(type_: Type, passing: str) -> bool:
    """Whether a record's bytes are in the frame of a call."""
    return passing == "value" and isinstance(type_, Struct) and not isinstance(type_, Handle)
