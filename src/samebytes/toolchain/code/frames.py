"""What the code of a frame on the stack does with an exception that leaves a call in it: passes, catches, or ends all.

A compiler says by a gap in a frame's table that a call may let no exception out (``noexcept``), or by a landing pad
which only calls ``std::terminate``: behind a cleanup, or as Clang does it. So tables and landing pads are read.
"""

from __future__ import annotations

import ctypes
import os
import struct
from functools import cache, lru_cache, partial
from pathlib import Path

from ... import _native
from .decoding import Instruction
from .flow import COMPUTED, flow
from .image import Image, Target
from .pointees.tables import cases
from .unwinding import personality_of, sites_at

PASSES, CAUGHT, ENDS = _native.EXCEPTION_PASSES, _native.EXCEPTION_IS_CAUGHT, _native.EXCEPTION_ENDS
UNKNOWN = _native.EXCEPTION_FATE_IS_UNKNOWN
_MOST_BYTES = 64 << 20  # of a library whose code is read while a call waits
_COMPARED = 5  # bytes of a landing pad: it has a call or a jump at least
_MOST_INSTRUCTIONS = 20_000  # behind a landing pad
_FEW_INSTRUCTIONS = 16  # of Clang's function for landing pads that end all, whose name may be stripped
# By the function that a landing pad comes to (Itanium C++ ABI: Exception Handling, 2.4 and 2.5).
_OUTCOMES = {
    "__cxa_begin_catch": CAUGHT,
    "_Unwind_Resume": PASSES,
    "_Unwind_Resume_or_Rethrow": PASSES,
    "__cxa_end_cleanup": PASSES,
    "_ZSt9terminatev": ENDS,
    "__cxa_call_terminate": ENDS,
    "__clang_call_terminate": ENDS,
    "__cxa_call_unexpected": ENDS,
    "abort": ENDS,
}
_MANGLED, _OWN = "_Z", "samebytes_"  # names of C++'s functions, and of ours, which are as C's


def leaving(path: str, base: int, at: int, start: int, table: int, entry: int) -> tuple[int, int]:
    """What becomes of an exception that leaves a call.

    Parameters
    ----------
    path : str
        The library of the code.
    base : int
        What its addresses in memory have more than those in the file.
    at, start : int
        The call, and its function.
    table : int
        The function's table of landing pads in memory; 0: it has none.
    entry : int
        The function's entry of ``.eh_frame`` in memory.

    Returns
    -------
    outcome : int
        ``PASSES``, ``CAUGHT`` or ``ENDS``; ``UNKNOWN`` where the code cannot be read.
    personality : int
        The address of the routine that reads the table; 0: there is none.
    """
    try:
        personality = personality_of(entry) if table else 0
        return _outcome(path, base, at, start, table), personality
    except (OSError, ValueError, KeyError, IndexError, struct.error):
        return UNKNOWN, 0


def _outcome(path: str, base: int, at: int, start: int, table: int) -> int:
    image = _image(path)
    _check_loaded(image, base, start, at + 1 - start)
    if table:
        pads = [pad for low, high, pad in sites_at(table, start) if low <= at < high]
        if not pads:
            return ENDS
        if pads[0]:
            _check_loaded(image, base, pads[0], _COMPARED)
            found = _outcomes(image, pads[0] - base)
            if found == {CAUGHT}:
                return CAUGHT
            if PASSES not in found:
                return ENDS
    return PASSES if _is_cxx(image, start - base) else ENDS


def _check_loaded(image: Image, base: int, address: int, size: int) -> None:
    """Raise a ValueError where the file has other code by now than what was loaded of it."""
    if image.bytes_at(address - base, size) != ctypes.string_at(address, size):
        raise ValueError("the library's file has changed since it was loaded")


@lru_cache(maxsize=64)
def _image(path: str) -> Image:
    if os.path.getsize(path) > _MOST_BYTES:
        raise ValueError("it takes too long to read so large a library")
    return Image(Path(path))


def _is_cxx(image: Image, address: int) -> bool:
    """Whether a function is C++'s: C's expects that what it calls returns. Its name tells, else its library's names."""
    found = image.function_at(address)
    if found is not None:
        return found.name.startswith((_MANGLED, _OWN))
    return any(name.startswith(_MANGLED) for names in (image.exported, image.outside) for name in names)


def _outcomes(image: Image, pad: int) -> set[int]:
    """All that the code from a landing pad on may come to; a table of jumps chooses among many catch clauses."""
    outcome_of = cache(partial(_outcome_of, image))
    found: set[int] = set()
    instructions: dict[int, Instruction] = {}
    open_ = [pad]
    while open_:
        code = flow(
            image, open_.pop(), most=_MOST_INSTRUCTIONS, ends=lambda call: outcome_of(call) is not None
        )
        instructions |= code.instructions
        found |= {outcome for call in code.calls.values() if (outcome := outcome_of(call)) is not None}
        for address, problem in code.problems.items():
            listed = cases(image, instructions, address) if problem == COMPUTED else None
            if listed is None:
                raise ValueError("some of the code behind a landing pad is not known")
            open_ += [case for case in listed if case not in instructions]
    return found


def _outcome_of(image: Image, target: Target) -> int | None:
    name = image.name_of(target)
    if name or target.address is None:
        return _OUTCOMES.get(name)
    code = flow(image, target.address, most=_FEW_INSTRUCTIONS)
    called = [image.name_of(call) for _, call in sorted(code.calls.items())]
    return ENDS if called == ["__cxa_begin_catch", "_ZSt9terminatev"] else None
