"""What Python has of structs and vectors, and compiled code has not, in words: their hash and their text."""

from __future__ import annotations

from typing import Any

from numba.core.errors import TypingError
from numba.extending import overload_method

from ..datamodel.kinds import RecordType, StructType, VectorType


def register_refused() -> None:
    """Have Numba say so: it made a text up, ``<object type:…>``, and failed at keys of dicts without a word."""
    for kind in (StructType, RecordType, VectorType):
        overload_method(kind, "__repr__")(_no_text)
        overload_method(kind, "__hash__")(_no_hash)


def _no_text(self: Any) -> Any:
    raise TypingError(f"{self} has no text in compiled code: print(x) writes it, str(x) is for Python")


def _no_hash(self: Any) -> Any:
    raise TypingError(f"{self} has no hash in compiled code: a tuple of its numbers serves as a key")
