"""What can run from one address of a library on: the graph of its instructions, and what they call."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .decoding import Instruction, direct_target, falls_through, fixed_slot, is_call, is_jump
from .image import Image, Target


class Flow(NamedTuple):
    """The instructions that run from an entry on, calls apart: all of them, unless ``problems`` says otherwise.

    A jump to another function goes on there, as its last call; ``.cold`` parts and landing pads are reached by the
    edges that lead to them, whatever they are named. A call may go on behind it, and at its landing pad.

    Attributes
    ----------
    entry : int
    instructions : mapping of int to Instruction
        By address.
    successors : mapping of int to tuple of int
        By address of an instruction: those of the ones that may run next.
    calls : mapping of int to Target
        By address of an instruction: what it calls, or jumps to outside of the library.
    pads : mapping of int to int
        By address of a call: the landing pad where an exception that leaves it goes on; one of its successors.
    problems : mapping of int to str
        By address: why there may be more than is listed, as a sentence.
    """

    entry: int
    instructions: Mapping[int, Instruction]
    successors: Mapping[int, tuple[int, ...]]
    calls: Mapping[int, Target]
    pads: Mapping[int, int]
    problems: Mapping[int, str]

    @property
    def is_complete(self) -> bool:
        return not self.problems


COMPUTED = "it jumps to an address that it computes"
UNREADABLE = "bytes are no instruction"
UNWOUND = "where exceptions go on is not read"
LONG = "it has more than {most} instructions"


def flow(
    image: Image, entry: int, *, most: int = 100_000, ends: Callable[[Target], bool] | None = None
) -> Flow:
    """What can run from an address on.

    Parameters
    ----------
    most : int
        Of how many instructions it gives up.
    ends : callable, optional
        Of what is called: whether that is the end. Only the way there is read, as if nothing threw on it.
    """
    return _Reading(image, most, ends).read(entry)


class _Reading:
    def __init__(self, image: Image, most: int, ends: Callable[[Target], bool] | None) -> None:
        self._image, self._most, self._ends = image, most, ends
        self._instructions: dict[int, Instruction] = {}
        self._successors: dict[int, tuple[int, ...]] = {}
        self._calls: dict[int, Target] = {}
        self._pads: dict[int, int] = {}
        self._problems: dict[int, str] = {}

    def read(self, entry: int) -> Flow:
        open_ = [entry]
        while open_:
            address = open_.pop()
            if address in self._successors:
                continue
            if len(self._instructions) >= self._most:
                self._problems[address] = LONG.format(most=self._most)
                break
            self._successors[address] = found = self._step(address)
            open_.extend(found)
        return Flow(entry, self._instructions, self._successors, self._calls, self._pads, self._problems)

    def _step(self, address: int) -> tuple[int, ...]:
        instruction = self._image.instruction(address)
        if instruction is None:
            self._problems[address] = UNREADABLE
            return ()
        self._instructions[address] = instruction
        found = []
        if falls_through(instruction):
            behind = address + instruction.size
            if not is_call(instruction) or (
                self._returns_to(address, behind) and not self._is_end(instruction)
            ):
                found.append(behind)
        if is_call(instruction):
            self._calls[address] = self._called(instruction)
            found += self._caught(address) if self._ends is None else ()
        elif is_jump(instruction):
            found += self._jumped(instruction)
        return tuple(found)

    def _returns_to(self, call: int, behind: int) -> bool:
        """Whether a function goes on behind a call: what it ends with is a call that never returns."""
        end = self._image.end_of(call)
        return end is None or behind < end

    def _is_end(self, call: Instruction) -> bool:
        return self._ends is not None and self._ends(self._called(call))

    def _called(self, instruction: Instruction) -> Target:
        if (target := direct_target(instruction)) is not None:
            return self._image.reached(target)
        slot = fixed_slot(instruction)
        return self._image.slot(slot) if slot is not None else Target()

    def _jumped(self, instruction: Instruction) -> tuple[int, ...]:
        target = self._called(instruction)
        if target.address is not None:
            return (target.address,)
        if target.name:
            self._calls[instruction.address] = target
        else:
            self._problems[instruction.address] = COMPUTED
        return ()

    def _caught(self, address: int) -> tuple[int, ...]:
        try:
            pad = self._image.landing_pads.of(address)
        except (ValueError, KeyError, IndexError, struct.error):
            self._problems[address] = UNWOUND
            return ()
        if pad is None:
            return ()
        self._pads[address] = pad
        return (pad,)
