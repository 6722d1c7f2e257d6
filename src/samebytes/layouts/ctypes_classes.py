"""The classes of ctypes objects that ctypes does not name."""

from __future__ import annotations

import ctypes
from typing import Any

C_OBJECT: Any = ctypes.c_int.__mro__[2]
"""What every ctypes object is."""
C_NUMBER: Any = ctypes.c_int.__mro__[1]
"""What ``c_int`` and its like are, and ``c_void_p``, ``c_char_p`` and ``c_wchar_p``, too."""
C_POINTER: Any = ctypes.POINTER(ctypes.c_int).__mro__[1]
"""What ``POINTER(…)`` makes."""
C_FUNCTION: Any = ctypes.CFUNCTYPE(None).__mro__[1]
"""What ``CFUNCTYPE(…)`` makes, and functions of loaded libraries."""
C_REFERENCE: Any = type(ctypes.byref(ctypes.c_int()))
"""What ``byref(…)`` gives."""
C_ADDRESSES: tuple[Any, ...] = (
    ctypes.c_void_p, ctypes.c_char_p, ctypes.c_wchar_p, C_POINTER, C_FUNCTION, C_REFERENCE,
)  # fmt: skip
"""What holds an address, although ctypes shows it as a buffer of eight bytes, too."""


def target_of(obj: Any) -> int:
    """Where an object that holds an address points; 0: nowhere.

    Raises
    ------
    TypeError
        If it is what ctypes passes for an argument (``c_char_p.from_param(…)``): only calls of ctypes read that.
    """
    try:
        return ctypes.cast(obj, ctypes.c_void_p).value or 0
    except ctypes.ArgumentError:
        raise TypeError("It is what ctypes passes for an argument, and shows no address") from None
