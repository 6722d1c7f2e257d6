"""Shims that are built when they are first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..model.verdicts import Verdict


class Built(NamedTuple):
    """A shim that is there.

    Attributes
    ----------
    address : int
    function : int
        The C++ function's own; 0 where it has none that a function pointer could hold.
    verdict : Verdict or None
        What was read in the shim's code.
    """

    address: int
    function: int
    verdict: Verdict | None


class Later:
    """One shim, which is built when somebody needs it.

    Parameters
    ----------
    known : callable
        What there is of it; None: nothing yet.
    build : callable
        What there is of it, built now where it is not there.
    """

    __slots__ = ("build", "known")

    def __init__(self, known: Callable[[], Built | None], build: Callable[[], Built]) -> None:
        self.known, self.build = known, build
