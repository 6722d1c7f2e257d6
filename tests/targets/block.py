"""The threads of a block on a machine for PTX, where they wait for each other: barriers, and shuffles of a warp."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from machine import Machine

_WARP = 32
_LOCAL = re.compile(r"\.local\s+\.align\s+(\d+)\s+\.b8\s+(\w+)\[(\d+)\]")
_WAITS = re.compile(r"\b(?:bar|barrier|shfl)\.")
_OF_A_LAUNCH = re.compile(r"\.extern\s+\.shared\s+\.align\s+(\d+)\s+\.b8\s+(\w+)\[\]")


def waits(ptx: str) -> bool:
    """Whether threads of a kernel wait for each other."""
    return _WAITS.search(ptx) is not None


def give_shared(machine: Machine, ptx: str, size: int) -> None:
    """The memory of a block whose size a launch says."""
    for align, name in _OF_A_LAUNCH.findall(ptx):
        machine.names[name] = machine.place(bytes(size), int(align))


class _Thread:
    """One thread: what is its own while others run."""

    def __init__(self, machine: Machine, ptx: str, special: Mapping[str, int]) -> None:
        own = {name: machine.place(bytes(int(n)), int(align)) for align, name, n in _LOCAL.findall(ptx)}
        self.names, self.registers, self.special = machine.names | own, dict[str, int](), dict(special)
        self.steps = machine.steps()
        self.asked: tuple[Any, ...] | None = None
        self.ended = False

    def go(self, machine: Machine, answer: Any = None) -> None:
        machine.names, machine.registers, machine.special = self.names, self.registers, self.special
        try:
            self.asked = self.steps.send(answer)
        except StopIteration:
            self.ended = True


def run_block(
    machine: Machine, ptx: str, specials: Sequence[Mapping[str, int]], arguments: Sequence[bytes]
) -> None:
    """Run all threads of a block; an assertion fails where some wait for what others do not do."""
    machine.give(*arguments)
    threads = [_Thread(machine, ptx, special) for special in specials]
    for thread in threads:
        thread.go(machine)
    while live := [thread for thread in threads if not thread.ended]:
        if all(thread.asked == ("bar",) for thread in live):
            for thread in live:
                thread.go(machine)
            continue
        moved = False
        for start in range(0, len(threads), _WARP):
            warp = {i: t for i, t in enumerate(threads[start : start + _WARP]) if not t.ended}
            asked = {t.asked[:3] for t in warp.values() if t.asked}
            if len(asked) == 1 and next(iter(asked))[0] == "shfl":
                answers = {lane: _shuffled(warp, lane) for lane in warp}
                for lane, thread in warp.items():
                    thread.go(machine, answers[lane])
                moved = True
        assert moved, f"threads wait for different things: { {t.asked for t in live} }"


def _shuffled(warp: Mapping[int, _Thread], lane: int) -> tuple[int, int]:
    """What a lane reads, and whether from another that is in reach (PTX ISA, "shfl.sync")."""
    assert warp[lane].asked is not None
    _, _, mode, own, b, c = warp[lane].asked  # type: ignore[misc]
    segment, clamp, b = c >> 8 & 31, c & 31, b & 31
    most = (lane & segment) | (clamp & ~segment & 31)
    place = {
        "up": lane - b,
        "down": lane + b,
        "bfly": lane ^ b,
        "idx": (lane & segment) | (b & ~segment & 31),
    }[mode]
    reached = place >= most if mode == "up" else place <= most
    if not reached:
        return own, 0
    source = warp[place].asked  # a lane that has ended is an error
    assert source is not None
    return source[3], 1
