"""What was read in the code of one shim, for the choice whether its calls keep the GIL."""

from __future__ import annotations

from ..frozen import frozen


@frozen
class Verdict:
    """Whether a shim ends soon and waits for nothing.

    Attributes
    ----------
    symbol : str
        The shim's; empty: of every shim.
    reason : str
        Why it may take long, or wait, as a clause: ``it has a loop``; empty where it cannot.
    instructions, calls : int
        At most so many run, calls included; so many functions of the library are called.
    reads : tuple of int
        The entries of its table of arguments whose memory it reads or writes: that has to be samebytes' own.
    """

    symbol: str
    reason: str = ""
    instructions: int = 0
    calls: int = 0
    reads: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """What was shown, in words."""
        calls = f"{_count(self.calls, 'call')} inside the library" if self.calls else "no call"
        return f"{_count(self.instructions, 'instruction')}, no loop, {calls}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
