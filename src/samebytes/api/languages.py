"""Which language a header or a source is in."""

from __future__ import annotations

from ..errors import BindError
from ..make.request import is_c_source


def language_of(language: str | None, main: str | None, otherwise: str | None) -> str | None:
    """The language that is asked for, that a file's name says, or the given one.

    Raises
    ------
    BindError
        If there is no such language.
    """
    if language not in (None, "c", "c++"):
        raise BindError(f"language is 'c' or 'c++', got {language!r}")
    if language is None and main is not None and is_c_source(main):
        return "c"
    return language or otherwise
