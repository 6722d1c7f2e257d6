"""Members of class templates whose bodies C++ refuses for some arguments: found in the compiler's own words."""

from __future__ import annotations

import re
from dataclasses import replace

from .applying import describe
from .errors import CompileError, first_sentence
from .headers.model import Module, Skipped
from .signature import Location

_PLACE = re.compile(r"shims\.cpp:(\d+)")
_SHIM = re.compile(r"samebytes_[fpn](\d+)_")


def without_refused(module: Module, error: CompileError, text: str) -> Module | None:
    """The module without the members that the compiler refused; None where other code is to blame.

    C++ compiles such a body only where it is called, and many classes have members for some arguments alone.

    Parameters
    ----------
    text : str
        The shims that the error is about.
    """
    lines = text.split("\n")
    numbers = {_shim_at(lines, int(place)) for place in _PLACE.findall(error.output)} - {None}
    named = zip(module.numbers or range(len(module.functions)), module.functions, strict=True)
    gone = [f for number, f in named if number in numbers]
    if not gone or not all("<" in f.owner and not f.instance for f in gone):
        return None
    reason = f"C++ refuses it for these arguments: {first_sentence(error)}"
    skipped = [Skipped(describe(f), "function", reason, f.location or Location("", 0)) for f in gone]
    rest = tuple(f for f in module.functions if f not in gone)
    return replace(module, functions=rest, skipped=(*module.skipped, *skipped))


def _shim_at(lines: list[str], place: int) -> int | None:
    """The number of the shim that a line belongs to."""
    found = (_SHIM.search(line) for line in reversed(lines[:place]))
    return next((int(shim[1]) for shim in found if shim), None)
