"""What a rule for arguments finds: how well one of Numba's types serves a parameter, and the code for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..lowering.site import Call

EXACT, LOSSLESS, CONVERTED, LAST = 0.0, 1.0, 2.0, 3.0

Lower = Callable[[Call, Any], Any]


@dataclass(frozen=True)
class Fit:
    """How one of Numba's types serves a parameter.

    Attributes
    ----------
    rank : float
        As in :mod:`samebytes.call.overloads`: the smaller, the better.
    lower : callable
        ``lower(call, value)``: the argument as the direct shim takes it.
    """

    rank: float
    lower: Lower
