"""Documentation comments as plain text."""

from __future__ import annotations

import re
from inspect import cleandoc

_LINE = re.compile(r"^\s*//[/!]<? ?")
_STAR = re.compile(r"^\s*\* ?(?!/)")


def clean(raw: str | None) -> str:
    """The text of a doxygen comment, without its markers and its common indentation."""
    if not raw:
        return ""
    lines: list[str] = []
    inside = False
    for line in raw.splitlines():
        if not inside and _LINE.match(line):
            lines.append(_LINE.sub("", line))
            continue
        opening = re.match(r"^\s*/\*[*!]?<? ?", line)
        if opening and not inside:
            inside = True
            line = line[opening.end() :]
        elif inside:
            line = _STAR.sub("", line)
        if inside and "*/" in line:
            line, inside = line[: line.index("*/")], False
        lines.append(line.rstrip())
    return cleandoc("\n".join(lines)).strip()
