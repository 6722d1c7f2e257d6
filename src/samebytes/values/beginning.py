"""How an object begins of which not every field is given: with the initial values that C++ declares, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..errors import ArgumentError, plain_error
from ..types import MISSING, Struct
from .building import signature

_NONE = "C++ makes none without them"
_UNKNOWN = "Only code of C++'s that does not run on the host knows its initial values"


def blank_of(struct: Struct) -> Callable[[Any], None]:
    """What fills a new object of zeros before its fields are set, of a class whose objects do not begin as zeros.

    A constructor of C++'s takes its place where one runs on the host (:func:`loading.linking.records.add_constructor`).
    """
    if given := {f.name: f.default for f in struct.fields if f.default is not MISSING}:
        return partial(_set_fields, given)
    if not struct.default_constructible or struct.initial is None:
        return _refuse_blank
    return partial(_set_bytes, bytes(struct.initial))


def _set_fields(values: Mapping[str, Any], record: Any) -> None:
    for name, value in values.items():
        setattr(record, name, value)


def _set_bytes(data: bytes, record: Any) -> None:
    memoryview(record).cast("B")[:] = data


def _refuse_blank(record: Any) -> None:
    """There is no object of the class but one that is given all that it has.

    Raises
    ------
    ArgumentError
        With what to do.
    """
    cls = type(record)
    struct: Struct = cls.__samebytes_type__
    why = _NONE if not struct.default_constructible else _UNKNOWN
    advice = vars(cls).get("__samebytes_unread__") or f"{why}: give each field, {signature(cls, struct)}"
    raise plain_error(ArgumentError, cls.__name__, f"lacks arguments. {advice}")
