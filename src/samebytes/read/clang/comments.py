"""Documentation comments as plain text."""

from __future__ import annotations

import re
from inspect import cleandoc
from textwrap import dedent

from ...later import later_pattern

_LINE = later_pattern(r"^\s*//[/!]<? ?", re.MULTILINE)
_OPENING = later_pattern(r"^/\*[*!]?<? ?")
_STAR = later_pattern(r"^\s*\* ?", re.MULTILINE)


def clean(raw: str | None) -> str:
    """The text of a doxygen comment, without its markers and its common indentation."""
    if not raw:
        return ""
    if _LINE.match(raw):
        return dedent(_LINE.sub("", raw)).strip()
    first, *rest = _OPENING.sub("", raw.strip()).removesuffix("*/").splitlines() or [""]
    text = cleandoc("\n".join([first, *(_STAR.sub("", line) for line in rest)]))
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()
