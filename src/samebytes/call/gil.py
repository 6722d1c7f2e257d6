"""Whether a call keeps the GIL: as the user says, or where a function's code is proven to end soon, without waiting."""

from __future__ import annotations

from .._native import INDIRECT, OWN_BYTES
from ..frozen import frozen
from ..model.symbols import ACCESS
from .candidate import Candidate
from .frame import FrameLayout, Slot

# The choice of each function by its own code; else True or False, for all.
AUTO = "auto"
Nogil = bool | str
UNREAD, OTHERS = "nothing was read of its code", "it uses memory that is not of the call alone"
UNBUILT = "its code is built, and read, at the first call"


@frozen
class Gil:
    """What becomes of the GIL in the calls of one candidate.

    Attributes
    ----------
    releases : bool
    why : str
        A clause.
    reads : tuple of int
        Where the GIL stays: of which arguments the memory has to be samebytes' own, by their places in the table.
    """

    releases: bool
    why: str
    reads: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return f"{'releases' if self.releases else 'keeps'} the GIL: {self.why}"

    def flags(self, slot: Slot) -> int:
        """The flags of an input: whether the core asks, in each call, whose memory its object lies in."""
        lent = slot.flags & INDIRECT or slot.codec.kind == "struct"
        return slot.flags | (OWN_BYTES if lent and slot.index in self.reads else 0)


def gil(nogil: Nogil, candidate: Candidate, frame: FrameLayout) -> Gil:
    """The choice for one candidate."""
    if nogil != AUTO:
        access = candidate.signature.name.startswith(ACCESS)
        return Gil(bool(nogil), "it is an access to an object" if access else f"nogil={bool(nogil)}")
    verdict = candidate.read
    if verdict is None:
        return Gil(True, UNBUILT if candidate.waits else UNREAD)
    if verdict.reason:
        return Gil(True, verdict.reason)
    if not all(_is_own(index, frame) for index in verdict.reads):
        return Gil(True, OTHERS)
    return Gil(False, verdict.words, verdict.reads)


def _is_own(index: int, frame: FrameLayout) -> bool:
    """Whether an entry of the table leads to the frame, or to bytes of which each call asks whose they are.

    Behind the arguments stand the result and the record of errors. An object that is no bytes is made where its
    class allocates; storage that Python makes may be anyone's.
    """
    slot = next((s for s in (*frame.inputs, *frame.outputs) if s.index == index), None)
    if slot is not None:
        return slot.room is None and slot.guarded is None
    if index == frame.argv:
        return frame.result is not None and frame.result.codec.kind != "handle"
    return index == frame.argv + 1
