"""Text for ``const wchar_t*``, ``char16_t`` and ``char32_t``: an array of its code units, and a NUL behind."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from ..errors import ArgumentError, Mismatch, value_words
from ..model.signature import Parameter
from ..types import Pointer

_SPELLED = re.compile(
    r"const (wchar_t|char16_t|char32_t) \*(const)?|(wchar_t|char16_t|char32_t) const \*(const)?"
)
_ORDER = "le" if sys.byteorder == "little" else "be"
# By its word: the format of a character, and the encoding. Linux's wchar_t has 32 bits and a sign.
_UNITS: dict[str, tuple[Any, str]] = {
    "wchar_t": (np.int32, f"utf-32-{_ORDER}"),
    "char16_t": (np.uint16, f"utf-16-{_ORDER}"),
    "char32_t": (np.uint32, f"utf-32-{_ORDER}"),
}


def wide_units(parameter: Parameter) -> str:
    """The word for the characters that a parameter points to, where they are wide and only read; else empty."""
    if parameter.passing != "value" or not isinstance(parameter.value_type, Pointer):
        return ""
    found = _SPELLED.fullmatch(parameter.spelling)
    return (found[1] or found[3]) if found else ""


def wide_text(text: str, word: str) -> Any:
    """The code units of a text, and the NUL that ends it.

    Raises
    ------
    Mismatch
        If the text has a NUL itself, which would end it there.
    """
    if "\0" in text:
        advice = "A NUL would end it there: pass an array of its characters"
        raise Mismatch(ArgumentError, f"text without NUL (const {word}*)", value_words(text), advice)
    dtype, encoding = _UNITS[word]
    return np.frombuffer(f"{text}\0".encode(encoding, "surrogatepass"), dtype)
