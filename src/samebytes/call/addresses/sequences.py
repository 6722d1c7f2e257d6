"""Containers of numbers: an array of one dimension is described as it is, a list is converted item by item."""

from __future__ import annotations

import struct
from typing import Any

from ... import _native
from ...types import Container
from ...values.conversion import Packed
from ...values.conversion.converted import convert_sequence
from .needs import Need, checked_view


def sequence_rule(type_: Container, obj: Any, dialect: str) -> Packed:
    """The wire of a container: of numbers an array's address, extent and stride in elements, else a list's."""
    number = type_.numbers
    if number is None or isinstance(obj, list | tuple | range):
        return convert_sequence(type_, obj, dialect)
    words = f"a list or an array {number}[n] in host memory ({type_.words})"
    seen = checked_view(Need(number, 1, True, False, dialect, words), obj)
    return Packed(struct.pack("PQq", seen.ptr, *seen.shape, *seen.strides), (_native.unwritten(seen),))
