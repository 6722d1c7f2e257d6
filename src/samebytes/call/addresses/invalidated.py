"""What is said where Python code, run while arguments were read, moved or freed the memory of one read before."""

from __future__ import annotations

from typing import Any, NoReturn

from ... import _native
from ...errors import ArrayError, Mismatch, call_error, class_name


def raise_moved(function: str, number: int, what: Any) -> NoReturn:
    """Raise the error; ``number`` is the argument's, counted from 1, or 0."""
    words = f"its memory was moved or freed meanwhile ({class_name(type(what))})"
    expected = "memory that stays where it is while the arguments are read"
    raise call_error(function, [Mismatch(ArrayError, expected, words, _ADVICE, index=number - 1)])


_ADVICE = (
    "Another argument's code, or another thread, resized the array: "
    "resize(), resize_() or set_() while a call uses it"
)

_native.set_moved(raise_moved)
