"""Text for ``const wchar_t*`` and its like: an array of its code units, and a NUL behind."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..errors import ArgumentError, Mismatch, value_words

_ORDER = "le" if sys.byteorder == "little" else "be"
# By C++'s word: a character's format, the encoding, what becomes of lone surrogates. Linux's wchar_t has a sign.
_UNITS: dict[str, tuple[Any, str, str]] = {
    "wchar_t": (np.int32, f"utf-32-{_ORDER}", "surrogatepass"),
    "char8_t": (np.uint8, "utf-8", "surrogateescape"),
    "char16_t": (np.uint16, f"utf-16-{_ORDER}", "surrogatepass"),
    "char32_t": (np.uint32, f"utf-32-{_ORDER}", "surrogatepass"),
}


def wide_text(text: str, word: str) -> Any:
    """The code units of a text, and the NUL that ends it.

    Raises
    ------
    Mismatch
        If the text has a NUL itself, which would end it there, or a lone surrogate that is no byte of UTF-8.
    """
    if "\0" in text:
        advice = "A NUL would end it there: pass an array of its characters"
        raise Mismatch(ArgumentError, f"text without NUL (const {word}*)", value_words(text), advice)
    dtype, encoding, errors = _UNITS[word]
    try:
        return np.frombuffer(f"{text}\0".encode(encoding, errors), dtype)
    except UnicodeEncodeError as error:
        raise Mismatch(ArgumentError, f"text (const {word}*)", value_words(text), error.reason) from None
