"""Names that a header includes from files of other libraries: which ``expose=`` brings them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_MOST = 4 << 20  # bytes of text that are looked at for one name
# What declares a name: a macro, a type, a function, an enumerator, a variable or a typedef.
_DECLARES = (
    r"^[ \t]*#[ \t]*define[ \t]+{0}\b|\b(?:struct|union|class|enum|using|namespace|typedef)\b[^;{{}}()]*\b{0}\b"
    r"|[\w*&>][ \t\n*&]+{0}[ \t]*\(|[{{,][ \t\n]*{0}[ \t\n]*[,=}}]|[\w*&>}}][ \t\n*&]+{0}[ \t]*(?:\[[^\]]*\][ \t]*)*;"
)


def brought_by(name: str, others: Iterable[str]) -> str:
    """What brings a name that the header includes and does not expose, as a sentence; empty where no file has it.

    Parameters
    ----------
    others : iterable of str
        The files of other libraries that the header includes.
    """
    declares, left = re.compile(_DECLARES.format(re.escape(name)), re.MULTILINE), _MOST
    for path in others:
        if left <= 0:
            break
        try:
            text = Path(path).read_text(errors="replace")
        except OSError:
            continue
        left -= len(text)
        if name in text and declares.search(_COMMENTS.sub("", text)):
            pattern = f"*/{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)}"
            return (
                f" {path}, which the header includes, is not of its library: expose=[{pattern!r}] brings it."
            )
    return ""
