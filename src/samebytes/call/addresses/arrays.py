"""Array parameters: the descriptor of address, shape and strides, written and read."""

from __future__ import annotations

import struct
from typing import Any

from ... import _native
from ...arrays.view import HOST, ArrayView
from ...layouts.dialects import layout
from ...types import Array, ArrayRule
from ...values.conversion import Packed
from .device_pointers import device_array_rule, target_view
from .needs import Need, assumed_device, checked_view, shape_words


def array_rule(type_: Array, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array: address, shape, and strides in elements."""
    if type_.memory:
        return device_array_rule(type_, obj, dialect)
    spelled = f"samebytes::array<{'const ' if type_.const else ''}{type_.element}, {type_.ndim}>"
    rule = ArrayRule.of(type_)
    words = f"{type_.element}{shape_words(rule)} in host memory ({spelled})"
    seen = checked_view(Need(rule, dialect, words), obj)
    descriptor = struct.pack(f"P{2 * seen.ndim}q", seen.ptr, *seen.shape, *seen.strides)
    return Packed(descriptor, (_native.unwritten(seen) if type_.const else seen,))


def read_array(type_: Array, data: Any, offset: int, owner: Any) -> ArrayView:
    """The array that a descriptor describes; the view keeps the owner, which may be all that its elements live in."""
    numbers = struct.unpack_from(f"P{type_.ndim}Q{type_.ndim}q", data, offset)
    facts = layout(type_.element)
    seen = target_view(numbers[0], owner) if type_.memory else None
    device = seen.device if seen else assumed_device(type_.memory) if type_.memory else HOST
    return ArrayView(
        type=type_.element,
        dtype_name=str(type_.element),
        ptr=numbers[0],
        shape=numbers[1 : 1 + type_.ndim],
        byte_strides=tuple(stride * facts.size for stride in numbers[1 + type_.ndim :]),
        itemsize=facts.size,
        device=device,
        readonly=type_.const,
        protocol="descriptor",
        owner=owner,
        stream=seen.stream if seen else None,
    )
