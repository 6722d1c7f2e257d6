"""Whether a function's code takes what an argument points to for one value that it writes: proven, refuted or open."""

from __future__ import annotations

from .effects import Access, Effect, Summary

# What code shows of the place behind an argument; where it shows none of these, nothing is known.
WRITTEN = "written"  # whatever happens: one value is written there or none, and nothing else is done with the address
READ = "read"  # what is there before the call is read
MANY = "many"  # more than one value is written
OPEN = ""

_LONG_DOUBLE = 16  # bytes, of which x87's registers fill ten
_REAL_BYTES = 10


def shows(summary: Summary | None, argument: int, size: int) -> str:
    """What is known of the place behind an argument.

    Parameters
    ----------
    argument : int
        As :meth:`~samebytes.toolchain.code.pointees.program.Program.summary` counts them.
    size : int
        Bytes of one value.
    """
    effect = summary.effects.get(argument) if summary is not None else None
    if summary is None or effect is None:
        return OPEN
    if any(access.sure and _is_behind(access, size) for access in effect.writes):
        return MANY
    if any(access.sure for access in effect.reads):
        return READ
    return WRITTEN if summary.complete and _is_output(effect, size) else OPEN


def _is_behind(access: Access, size: int) -> bool:
    """Whether it does not lie within one value; where nobody knows where, it is an element of many."""
    return access.offset is None or access.offset < 0 or access.offset + access.size > size


def _is_output(effect: Effect, size: int) -> bool:
    if effect.leaks or effect.reads or any(_is_behind(access, size) for access in effect.writes):
        return False
    whole = {(0, size)} | ({(0, _REAL_BYTES)} if size == _LONG_DOUBLE else set())
    places = {(access.offset, access.size) for access in effect.writes}
    half = size // 2
    return not whole.isdisjoint(places) or (size == _LONG_DOUBLE and {(0, half), (half, half)} <= places)
