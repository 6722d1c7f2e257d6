"""Where samebytes' own C++ headers lie."""

from __future__ import annotations

import os

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")


def get_include() -> str:
    """The directory of samebytes' headers, ``<samebytes/array.hpp>``, ``<samebytes/pointer.h>`` and the others."""
    return INCLUDE
