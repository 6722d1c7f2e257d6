"""Directives in the text of a file, found by their sign: a pattern for a line's beginning tries every line, and takes
ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import Match, Pattern


def directives(pattern: Pattern[bytes], text: bytes) -> Iterator[Match[bytes]]:
    """The matches of a pattern that begins with ``#``, where nothing but blanks stands before it in its line.

    As with ``^[ \\t]*`` before it and ``re.MULTILINE``, none overlaps another.
    """
    at = 0
    while (found := pattern.search(text, at)) is not None:
        start = found.start()
        if text[text.rfind(b"\n", 0, start) + 1 : start].strip(b" \t"):
            at = start + 1
        else:
            yield found
            at = found.end()
