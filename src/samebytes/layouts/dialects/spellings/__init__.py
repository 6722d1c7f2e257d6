"""C++ spellings of types into descriptions: ``"const float*"``, ``"cuda::std::complex<double>"``, ``"float4"``."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from ....types import Type, as_type
from .parser import Parser


@lru_cache(maxsize=512)
def parse(text: str) -> Type:
    """The type that C++ text names.

    Raises
    ------
    TypeError
        If the text names no type with a machine representation; the message has the nearest names.
    """
    return Parser(text).parse()


# NumPy's own words, "f4" or ">c16", which no type of C++ is called.
_DTYPE = re.compile(r"[<>=|]?[biufcSUV]\d{1,9}", re.ASCII)


def read_text(hint: str) -> Type:
    """The type that text names, C++'s or NumPy's."""
    return as_type(np.dtype(hint)) if _DTYPE.fullmatch(hint) else parse(hint)
