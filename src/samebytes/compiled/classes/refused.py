"""What Python has of structs and vectors, and compiled code has not, in words: their identity, hash and text."""

from __future__ import annotations

import operator
from typing import Any

from numba.core.errors import TypingError
from numba.extending import overload_method

from ..compiler import NumbaCompiler
from ..datamodel.kinds import RecordType, StructType, VectorType


def register_refused(compiler: NumbaCompiler) -> None:
    """Have Numba say so: it made a text up, ``<object type:…>``, and failed at keys of dicts without a word."""
    compiler.registry.lower(operator.is_, StructType, StructType)(_no_identity)
    compiler.registry.lower(operator.is_, VectorType, VectorType)(_no_identity)
    for kind in (StructType, RecordType, VectorType):
        overload_method(kind, "__repr__")(_no_text)
        overload_method(kind, "__hash__")(_no_hash)


def _no_text(self: Any) -> Any:
    raise TypingError(f"{self} has no text in compiled code: print(x) writes it, str(x) is for Python")


def _no_hash(self: Any) -> Any:
    raise TypingError(f"{self} has no hash in compiled code: a tuple of its numbers serves as a key")


def _no_identity(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    raise TypingError(f"{signature.args[0]} is a value in compiled code and no object: == compares it")
