"""What a rule for arguments finds: how well one of Numba's types serves a parameter, and the code for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...call import overloads
from ...errors import Mismatch
from ...frozen import frozen
from ...types import Struct
from ..lowering.site import Call

EXACT, LOSSLESS, CONVERTED, LAST = 0.0, 1.0, 2.0, 3.0

Lower = Callable[[Call, Any], Any]


@frozen(slots=False)
class Fit:
    """How one of Numba's types serves a parameter.

    Attributes
    ----------
    rank : float
        As in :mod:`samebytes.call.overloads`: the smaller, the better.
    lower : callable
        ``lower(call, value)``: the argument as the direct shim takes it.
    taken : Struct or None
        The class that an object is taken as.
    const : bool or None
        Whether C++ may not write to that object; None: C++ gets a copy.
    by, step : object and int
        As in :mod:`samebytes.call.overloads`.
    refusal : Mismatch or None
        Why a call is refused where C++ means this parameter.
    """

    rank: float
    lower: Lower
    taken: Struct | None = None
    const: bool | None = False
    by: object = None
    step: int = 0
    refusal: Mismatch | None = None

    @property
    def found(self) -> overloads.Fit:
        """What overload resolution compares."""
        return overloads.Fit(
            self.rank, self.taken.python if self.taken else None, self.const, self.by, self.step
        )
