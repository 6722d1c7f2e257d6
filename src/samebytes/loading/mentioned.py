"""Which names the code that asks for one mentions: it will ask for these as well."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType

_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep
# So much code is looked at, and no more: a hint may be short of something.
_MOST = 2000


def mentioned() -> set[str]:
    """The names in the code that is calling us, in what encloses it, and in the functions beside it.

    Notes
    -----
    It is a guess, which costs a walk through code that is in memory: names in texts, and those of other modules, are
    not among them, and some of them are other things' names.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    found: set[str] = set()
    if frame is None:
        return found
    seen: set[CodeType] = set()
    open_ = deque(_codes(frame))  # the nearest first
    while open_ and len(seen) < _MOST:
        code = open_.popleft()
        if code not in seen:
            seen.add(code)
            found.update(code.co_names, code.co_varnames, code.co_freevars)
            open_ += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def _codes(frame: FrameType) -> Iterator[CodeType]:
    """The code of a module: of functions that are running there, and of those that it holds, in classes too."""
    names, running = frame.f_globals, frame
    while running is not None and running.f_globals is names:
        yield running.f_code
        running = running.f_back  # type: ignore[assignment]
    # Nothing of these objects is asked, as any may answer by code of its own.
    values = list(names.values())
    for cls in [v for v in values if issubclass(type(v), type)]:
        own = type.__getattribute__(cls, "__dict__")
        if own.get("__module__") == names.get("__name__"):
            values += own.values()
    yield from (v.__code__ for v in values if type(v) is FunctionType and v.__globals__ is names)
