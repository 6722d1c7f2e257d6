"""Shims: the C or C++ functions through which Python calls, one language a file."""

from ...model.owner import Owner
from .base import Piece, ShimGenerator, Shims, joined
from .c import GENERATOR as _C
from .cuda import GENERATOR as _CUDA
from .cxx import GENERATOR as _CXX
from .macros import hidden_macros, hidden_names, set_aside

# Keyed by the language in which the header was read; CUDA's is of device code.
GENERATORS: dict[str, ShimGenerator] = {"c++": _CXX, "c": _C, "cuda": _CUDA}

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
