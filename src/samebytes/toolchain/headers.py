"""Where samebytes' own C++ headers lie."""

from __future__ import annotations

from pathlib import Path

INCLUDE = Path(__file__).parents[1] / "include"


def get_include() -> str:
    """The directory of samebytes' headers, ``<samebytes/array.hpp>``, ``<samebytes/pointer.h>`` and the others."""
    return str(INCLUDE)
