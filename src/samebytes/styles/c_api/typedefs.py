"""Which numbers are of a type that names one thing, ``typedef uint8_t color_mode``, as enumerators are."""

from __future__ import annotations

import re

from . import evidence, vocabulary
from .cases import Case

_SPELLED = re.compile(
    r"(?:\b(?:const|volatile|struct|union|enum|unsigned|signed|register)\b|/\*.*?\*/|\s)*(\w+)"
)


def spelled(words: str) -> str:
    """The name of a parameter's type as it is written, ``mode_t`` of ``const mode_t* mode``."""
    found = _SPELLED.match(words)
    return found[1] if found else ""


def is_enumerator(case: Case) -> bool:
    """Whether a type is one thing by its name: it goes by value elsewhere, and no pointer to const points to it."""
    name = spelled(case.words)
    if name not in case.around.by_value or name in case.around.of_many:
        return False
    words = evidence.words(name)
    return bool(words) and vocabulary.PLAIN_TYPES.fullmatch(name) is None


__all__ = ["is_enumerator", "spelled"]
