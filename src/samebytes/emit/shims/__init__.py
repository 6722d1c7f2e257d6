"""Shims: the C or C++ functions through which Python calls, one language a file."""

from ...later import loaded
from ...model.owner import Owner
from .base import Piece, ShimGenerator, Shims, joined
from .macros import hidden_macros, hidden_names, set_aside

# Keyed by the language in which the header was read; CUDA's is of device code.
_FILES = {"c++": "cxx", "c": "c", "cuda": "cuda"}


class _Generators(dict[str, ShimGenerator]):
    """By language, each loaded when it is first needed."""

    def __missing__(self, language: str) -> ShimGenerator:
        found: ShimGenerator = loaded(f"{__name__}.{_FILES[language]}").GENERATOR
        self[language] = found
        return found


GENERATORS = _Generators()

__all__ = [
    "GENERATORS",
    "Owner",
    "Piece",
    "ShimGenerator",
    "Shims",
    "hidden_macros",
    "hidden_names",
    "joined",
    "set_aside",
]
