"""On which side of a comparison an object stands, where Python asks it for both: read off the code that runs."""

from __future__ import annotations

import sys
from dis import cmp_op, opmap
from typing import Any

_COMPARE = opmap["COMPARE_OP"]
_SHIFT = 0 if sys.version_info < (3, 12) else 4 if sys.version_info < (3, 13) else 5
_EQUAL = frozenset({"==", "!="})  # one is the opposite of the other
_FAST, _NAME, _CONST = opmap["LOAD_FAST"], opmap["LOAD_NAME"], opmap["LOAD_CONST"]


def is_on_the_left(frame: Any, sign: str, mirrored: str, obj: Any, other: Any) -> bool | None:
    """Whether the code writes ``obj sign other``, or else ``other mirrored obj``; None where it does not show.

    Parameters
    ----------
    frame : frame
        Whose instruction compares the two.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    if at < 2 or code[at] != _COMPARE:
        return None
    written = cmp_op[code[at + 1] >> _SHIFT]
    if sign != mirrored:
        return True if written == sign else False if written == mirrored else None
    right = _loaded(frame, code, at - 2) if written in _EQUAL else None
    if right is None or obj is other:
        return None
    return True if right[0] is other else False if right[0] is obj else None


def _loaded(frame: Any, code: bytes, at: int) -> tuple[Any] | None:
    """What an instruction loads, in a tuple; None where it loads nothing that one could look up."""
    if at < 0 or (at >= 2 and code[at - 2] == opmap["EXTENDED_ARG"]):
        return None
    kind, argument = code[at], code[at + 1]
    if kind == _CONST:
        return (frame.f_code.co_consts[argument],)
    names = frame.f_code.co_varnames if kind == _FAST else frame.f_code.co_names if kind == _NAME else ()
    if argument >= len(names):
        return None
    known = frame.f_locals if kind == _FAST or names[argument] in frame.f_locals else frame.f_globals
    return (known[names[argument]],) if names[argument] in known else None
