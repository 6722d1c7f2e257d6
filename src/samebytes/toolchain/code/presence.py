"""Whether code can be read here: what a build depends on, asked without reading any."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

MISSING = "Capstone, which reads code, was not installed when it was built: pip install capstone"


@cache
def can_decode() -> bool:
    """Whether Capstone is installed."""
    return find_spec("capstone") is not None
