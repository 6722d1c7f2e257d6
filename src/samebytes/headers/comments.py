"""Documentation comments as plain text."""

from __future__ import annotations

import re
from inspect import cleandoc
from textwrap import dedent

_LINE = re.compile(r"^\s*//[/!]<? ?")
_STAR = re.compile(r"^\s*\* ?(?!/)")


def clean(raw: str | None) -> str:
    """The text of a doxygen comment, without its markers and its common indentation."""
    if not raw:
        return ""
    if _LINE.match(raw):
        return dedent("\n".join(_LINE.sub("", line).rstrip() for line in raw.splitlines())).strip()
    lines: list[str] = []
    inside = False
    for line in raw.splitlines():
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
