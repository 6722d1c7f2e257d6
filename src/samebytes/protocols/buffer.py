"""The buffer protocol (PEP 3118): host memory of anything from bytearray to array.array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ProtocolError
from ..view import ArrayView
from .base import Protocol, Refused, from_ndarray


def describe(obj: Any) -> ArrayView:
    """The view of a buffer; the buffer stays locked while the view lives."""
    try:
        buffer = memoryview(obj)
    except TypeError as error:
        raise Refused(str(error)) from error
    except (BufferError, ValueError) as error:
        raise ProtocolError(f"{type(obj).__qualname__} refuses to show its memory: {error}") from error
    try:
        array = np.asarray(buffer)
    except (ValueError, TypeError, RuntimeError) as error:
        raise Refused(f"buffer format {buffer.format!r}: {error}") from error
    return from_ndarray(array, "buffer", readonly=buffer.readonly)


# Before Python 3.12 a class cannot be asked whether its objects export a buffer; each object is.
PROTOCOL = Protocol("buffer", 50, lambda cls: True, describe, lambda cls: ("buffer", False))
