"""Containers of numbers: an array of one dimension is described as it is, a list is converted item by item."""

from __future__ import annotations

import struct
from typing import Any

from ... import _native
from ...arrays.protocols import view
from ...errors import ProtocolError
from ...types import ArrayRule, Container
from ...values.conversion import Packed
from ...values.conversion.converted import convert_sequence
from ...values.conversion.iterables import advice, is_listed
from .needs import Need, checked_view


def sequence_rule(type_: Container, obj: Any, dialect: str) -> Packed:
    """The wire of a container: of numbers an array's address, extent and stride in elements, else a list's."""
    number = type_.numbers
    if number is None or isinstance(obj, list | tuple | range):
        return convert_sequence(type_, obj, dialect)
    if (is_listed(obj) or advice(obj)) and not _is_array(obj, dialect):
        return convert_sequence(type_, obj, dialect)
    words = f"a list or an array {number}[n] in host memory ({type_.words})"
    seen = checked_view(Need(ArrayRule.of(type_), dialect, words), obj)
    return Packed(struct.pack("PQq", seen.ptr, *seen.shape, *seen.strides), (_native.unwritten(seen),))


def _is_array(obj: Any, dialect: str) -> bool:
    """Whether a sequence shows its memory, as an ``array.array`` does: then its elements are what lies there."""
    try:
        view(obj, dialect=dialect)
    except ProtocolError:
        return False
    return True
