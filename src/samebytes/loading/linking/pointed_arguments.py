"""Pointers to objects that may lie in what a call made of its arguments: Python sees the object, which keeps that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import _native
from ...model.signature import Signature
from ...model.slots import keeps_arguments
from ...types import Pointer, Struct, unqualified
from ...values.conversion import structs
from ...values.pointed import object_at


def shown_objects(signatures: Sequence[Signature]) -> dict[str, Any]:
    """What finishes the calls of overloads one of which gives such a pointer.

    Parameters
    ----------
    signatures : sequence of Signature
        Those of one name, linked. Where they give pointers to several types, nothing tells one from the other.

    Returns
    -------
    dict
        For :class:`samebytes.call.Binding`.
    """
    kept = [s for s in signatures if keeps_arguments(s) and _to_object(s) is not None]
    pointers = {unqualified(s.result) for s in signatures if isinstance(unqualified(s.result), Pointer)}
    if not kept or len(pointers) != 1:
        return {}
    type_ = _to_object(kept[0])
    assert type_ is not None

    def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        first = results[0]
        if type(first) is _native.Pointer:
            first = _argument_at(first, type_, arguments) or object_at(first, type_, _class_of)
        return first if len(results) == 1 else (first, *results[1:])

    def _class_of(_: str) -> Any:
        return getattr(type_.target, "python", None)

    return {"finish": finish}


def _to_object(signature: Signature) -> Pointer | None:
    type_ = unqualified(signature.result)
    return type_ if isinstance(type_, Pointer) and isinstance(type_.target, Struct) else None


def _argument_at(pointer: Any, type_: Pointer, arguments: tuple[Any, ...]) -> Any:
    """The argument that lies there, if it is no more const and no less than what C++ gave."""
    python = getattr(type_.target, "python", None)
    for one in arguments:
        if python is not None and isinstance(one, python) and structs.address_of(one) == pointer.address:
            return one if _native.is_const(one) == type_.const else None
    return None
