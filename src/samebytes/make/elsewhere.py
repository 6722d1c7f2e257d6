"""Variables of a C header that lie in a library which is opened later, and which of their names may be macros."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from pathlib import Path

from ..later import later_pattern
from ..model.module import Module
from ..read.curating.undefined import symbol_of
from .request import Request

# Comments and macros: what a macro mentions, it uses.
_SET_ASIDE = later_pattern(
    r"//[^\n]*|/\*.*?\*/|^[ \t]*#[ \t]*define(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE
)
# What stands before a name that is used, not declared.
_USES = frozenset(
    {"return", "case", "else", "sizeof", "goto", "define", "undef", "ifdef", "ifndef", "defined"}
)


def elsewhere(request: Request, module: Module) -> set[str]:
    """The variables that nothing else than the library can define."""
    if request.library is None or module.language != "c" or request.libraries or request.sources:
        return set()
    own = ctypes.CDLL(None)
    declared = {v.qualified for v in module.variables if symbol_of(v) == v.qualified and not v.repeated}
    return {name for name in declared if name.isidentifier() and not hasattr(own, name)}


def ambiguous(names: Iterable[str], module: Module) -> set[str]:
    """Those of some names that a header seems to declare again: for a parameter, a local variable, a field.

    A macro of the name would change such a declaration, and what follows it. In doubt a name counts as one.
    """
    wanted = "|".join(map(re.escape, sorted(names)))
    if not wanted:
        return set()
    declarator = re.compile(rf"(?:(\w+)\s+|\*\s*|,\s*)({wanted})\b\s*(?:[=;,\[:]|(\)))")
    found: dict[str, int] = {}
    for file in module.included:
        try:
            text = _SET_ASIDE.sub(" ", Path(file).read_text(errors="replace"))
        except OSError:
            continue
        for match in declarator.finditer(text):
            argument = match[0].startswith(",") and match[3]
            if match[1] not in _USES and not argument:
                found[match[2]] = found.get(match[2], 0) + 1
    return {name for name, count in found.items() if count > 1}
