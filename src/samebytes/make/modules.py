"""C++20 modules: their declarations are found in what the compiler refuses, and refused in one sentence."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import BindError
from .request import Request

# What may hide a declaration, or look like one.
_HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
# [module.unit], [module.import]: at the start of a line, and until a semicolon.
_DECLARED = re.compile(
    r"^[ \t]*((?:export[ \t]+)?(?:module\b[ \t]*(?:[\w.]+(?:[ \t]*:[ \t]*\w+)?)?"
    r"|import\b[ \t]*(?:<[^>\n]+>|:?[ \t]*[\w.]+)))[ \t]*;",
    re.MULTILINE,
)

_SAID = re.compile(r"(?:export\s+)?\b(?:module|import)\b[^;]*")


def refused_module(request: Request, main: Path) -> BindError | None:
    """The error about a source that is a module or imports one; None where it declares nothing of the kind.

    Only what a compiler refuses is asked about: elsewhere ``module`` and ``import`` are names as others.
    """
    if request.language == "c":
        return None
    text = _HIDDEN.sub(_blank, main.read_text(errors="replace"))
    match = _DECLARED.search(text)
    if match is None:
        return None
    line = text.count("\n", 0, match.start(1)) + 1
    whole = _SAID.search(main.read_text(errors="replace").splitlines()[line - 1])
    said = " ".join(whole[0].split()) if whole else match[1]
    name = main.name if request.source is not None else main
    return BindError(
        f"{name}:{line}: C++20 modules are not bound ('{said};'), as what a compiler makes of them fits no other: bind "
        "a header with the declarations, and give the module's sources, compiled, as libraries="
    )


def _blank(match: re.Match[str]) -> str:
    """What takes as many lines; texts stay in the place of a name."""
    inside = match[0].count("\n")
    return "S" if match[0].startswith('"') else " " + "\n" * inside
