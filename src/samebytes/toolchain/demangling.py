"""The C++ names of the linker's symbols, by the C++ library that is there."""

from __future__ import annotations

import ctypes
import re

_SYMBOL = re.compile(r"\b_Z\w+")


def demangled(symbol: str) -> str:
    """The C++ name; the linker's where it is none of C++'s, or no C++ library is there to ask."""
    try:
        runtime = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return symbol
    runtime.__cxa_demangle.restype = ctypes.c_void_p
    said = runtime.__cxa_demangle(symbol.encode(), None, None, None)
    if not said:
        return symbol
    text = ctypes.string_at(said).decode()
    ctypes.CDLL(None).free(ctypes.c_void_p(said))
    return text


def demangled_text(text: str) -> str:
    """A message with C++'s names in the place of symbols."""
    return _SYMBOL.sub(lambda found: demangled(found[0]), text)
