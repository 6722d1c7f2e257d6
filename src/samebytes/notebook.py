"""What IPython and notebooks show of an error: the user's own lines, marked, and the words of the error."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Iterator
from types import TracebackType

# Escape sequences, as notebooks and terminals colour text.
_RED, _BOLD, _FAINT, _END = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"
# Modules whose frames are not the user's: ours, and those that run a cell.
_FOREIGN = frozenset({__package__, "IPython", "ipykernel", "runpy", "asyncio"})
_CELL = re.compile(r"<ipython-input-|[\\/]ipykernel_\d+[\\/]")
_MAGIC = "get_ipython().run_cell_magic("
# What a compiler says of a place, and how it points to it.
_PLACE = re.compile(r"^\S+:\d+:\d+: (fatal error|error):|^\s+\|\s*[\^~]")


def traceback_lines(error: BaseException) -> list[str]:
    """The parts of a traceback, as IPython prints them: one below the other."""
    shown = [_frame(*where) for where in _own_frames(error.__traceback__)]
    words = [str(error), *getattr(error, "__notes__", ())]
    name = _coloured(type(error).__name__, _BOLD + _RED)
    text = "\n".join(
        _coloured(line, _RED) if _PLACE.match(line) else line for part in words for line in part.splitlines()
    )
    return [*shown, f"{name}: {text}"]


def _own_frames(trace: TracebackType | None) -> Iterator[tuple[str, int, str]]:
    """File, line and function of each frame that is the user's."""
    while trace is not None:
        frame = trace.tb_frame
        home = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        where = frame.f_code.co_filename, trace.tb_lineno
        # What IPython makes of a cell with a magic is no line that its user wrote.
        if home not in _FOREIGN and not linecache.getline(*where).startswith(_MAGIC):
            yield *where, frame.f_code.co_name
        trace = trace.tb_next


def _frame(file: str, line: int, function: str) -> str:
    """One place, with the line before it and the line after."""
    where = "the cell" if _CELL.search(file) else os.path.relpath(file) if os.path.exists(file) else file
    inside = "" if function == "<module>" else f", in {function}()"
    lines = [f"{_coloured(where, _BOLD)}, line {line}{inside}"]
    for number in range(max(line - 1, 1), line + 2):
        text = linecache.getline(file, number).rstrip()
        if number == line:
            lines.append(_coloured(f"----> {number} {text}", _RED))
        elif text:
            lines.append(_coloured(f"      {number} {text}", _FAINT))
    return "\n".join(lines)


def _coloured(text: str, style: str) -> str:
    return text if os.environ.get("NO_COLOR") else f"{style}{text}{_END}"
