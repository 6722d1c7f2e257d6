"""The buffer protocol (PEP 3118): host memory of anything from bytearray to array.array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _native
from ...errors import OVERWHELMED
from ...layouts.ctypes_classes import C_OBJECT
from ..view import HOST, ArrayView, c_strides, numpy_type, numpy_words
from ..view.formats import BadFormat, read
from .base import HOSTS, Protocol, Refused, view_of_facts


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view of a buffer; the buffer stays locked while the view lives."""
    try:
        address, shape, strides, text, itemsize, _, _, readonly, lock = _native.describe_buffer(obj)
    except OVERWHELMED:
        raise
    except Exception as error:
        raise Refused(str(error)) from None  # CPython's own words
    try:
        dtype = read(text, itemsize)
    except BadFormat as error:
        if not isinstance(obj, C_OBJECT):
            raise Refused(f"buffer format {text[:60]!r}: {error}") from None
        # ctypes has no words for unions, bit-fields and packed structures, and pointers are no numbers.
        dtype = np.dtype(f"V{itemsize}")
    base, inner = dtype.subdtype or (dtype, ())
    steps = c_strides(shape, itemsize) if strides is None else strides
    return view_of_facts(
        obj, "buffer", type=numpy_type(base), dtype_name=numpy_words(base), ptr=address, shape=(*shape, *inner),
        byte_strides=(*steps, *c_strides(inner, base.itemsize)), itemsize=base.itemsize, device=HOST,
        readonly=readonly, owner=lock, dtype=base,
    )  # fmt: skip


# Before Python 3.12 a class cannot be asked whether its objects export a buffer; each object is.
PROTOCOL = Protocol("buffer", 50, lambda cls: True, describe, lambda cls: ("buffer", False), HOSTS)
