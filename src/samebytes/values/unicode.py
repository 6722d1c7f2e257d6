"""What C++ has as text and Python cannot: numbers that are no codes of Unicode's."""

from __future__ import annotations

import sys

import numpy as np

from ..errors import RangeError


def refuse_codes(words: str, data: bytes) -> str:
    """Refuse text of 32-bit characters.

    Parameters
    ----------
    words : str
        What C++ calls it.
    data : bytes

    Raises
    ------
    RangeError
        Which character is none of Python's.
    """
    codes = np.frombuffer(data, np.uint32)
    place = int(np.argmax(codes > sys.maxunicode))
    raise RangeError(
        f"C++ gave a {words} whose character [{place}] is {int(codes[place]):#x}, and Unicode ends at "
        f"{sys.maxunicode:#x}: Python has no such text. A std::vector<std::uint32_t> of C++'s shows the codes"
    )
