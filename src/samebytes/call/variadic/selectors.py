"""Functions whose further argument a number before it tells: libcurl's options and answers (curl.h, CURLOPTTYPE_…)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...types import SCALARS, VOID, Pointer, Type
from .formats import ExpectedArgument

_WHOLE, _PLACE = SCALARS["int64"], Pointer(VOID)
# By an option's ten thousands: a long, an object, a function, a curl_off_t, a blob.
_OPTIONS: dict[int, tuple[str, Type | None]] = {
    0: ("int", _WHOLE), 1: ("address", None), 2: ("function", None), 3: ("int", _WHOLE), 4: ("address", None),
}  # fmt: skip
# By an answer's kind: text, long, double, a list or another pointer, a socket, a curl_off_t.
_ANSWERS: dict[int, tuple[str, Type | None]] = {
    1: ("place", _PLACE), 2: ("place", _WHOLE), 3: ("place", SCALARS["float64"]), 4: ("place", _PLACE),
    5: ("place", SCALARS["int32"]), 6: ("place", _WHOLE),
}  # fmt: skip
_ANSWER_KIND = 0x100000
_KINDS: dict[str, Callable[[int], tuple[str, Type | None] | None]] = {
    "option": lambda number: _OPTIONS.get(number // 10_000),
    "answer": lambda number: _ANSWERS.get(number // _ANSWER_KIND),
}


def is_selector(family: str) -> bool:
    """Whether a number tells what the further argument of a family's functions is."""
    return family in _KINDS


def selected(family: str, number: int, shown: Any) -> ExpectedArgument | None:
    """The argument that a number asks for; None where nothing is known of the number.

    Parameters
    ----------
    shown : object
        What the call gave for the number: an enumerator has a name.
    """
    found = _KINDS[family](number)
    if found is None:
        return None
    kind, type_ = found
    return ExpectedArgument(str(getattr(shown, "name", None) or number), kind, type_)
