"""Members in whose bytes objects lie that an assignment may end: an optional, a variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _native
from ...errors import IntentError, Mismatch, value_error, value_words
from ...layouts.dialects import layout
from ...types import Converted, Type
from ...values.conversion import structs
from ...values.conversion.handles import CONFLICTS

_LATER = "assign it after that call, or give the call a copy, copy.copy(x)"


def put_unused(put: Callable[[Any, Any], Any], type_: Type, where: str) -> Callable[[Any, Any], None]:
    """What sets such a member, but not while a running call has an argument that may lie in it.

    Parameters
    ----------
    put : callable
        Sets it.
    type_ : Type
        The member's.
    where : str
        The member, as messages say it.
    """
    words = type_.words if isinstance(type_, Converted) else str(type_)

    def put_where_unused(instance: Any, value: Any) -> None:
        for used in _native.arguments_within(instance):
            if not isinstance(instance, type(used)) and not _is_field(instance, used):
                expected, advice = f"what C++ can take now for {words}", f"{CONFLICTS['replaced']}: {_LATER}"
                raise value_error(f"{where}:", Mismatch(IntentError, expected, value_words(value), advice))
        put(instance, value)

    return put_where_unused


def _is_field(whole: Any, part: Any) -> bool:
    """Whether an object that lies in another is a field of it, or lies in one."""
    at = structs.address_of(part) - structs.address_of(whole)
    fields = type(whole).__samebytes_type__.fields
    return any(0 <= at - (f.offset or 0) < layout(f.type).size for f in fields)
