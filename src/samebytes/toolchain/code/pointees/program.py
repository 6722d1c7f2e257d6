"""Functions of linked libraries, each interpreted once, and what they do where their arguments point to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import NamedTuple

from ..decoding import Instruction, is_call, is_jump
from ..flow import COMPUTED, flow
from ..image import Image, Target
from .calling import call
from .effects import Effect, Summary
from .instructions import COMPARE, TOUCHES_NOTHING, interpret
from .operands import RAX, RSP, Memory, Step, step
from .state import LOST, WORD, State
from .tables import cases
from .transfer import EXPOSED, Transfer
from .values import OTHER, Value, join, shifted

_LARGEST = 3000  # instructions of one function
_DEEPEST = 6  # calls
_WIDEST = (1000, 250)  # blocks of one function that is asked for, and of one that is called
_EACH = 4000  # blocks of code that are looked at for one function


class _Graph(NamedTuple):
    """The code of one function: blocks of instructions, and where each goes on."""

    steps: Mapping[int, Step]
    blocks: Mapping[int, Sequence[int]]
    successors: Mapping[int, Sequence[int]]
    calls: Mapping[int, Target]
    jumps: frozenset[int]  # what ends in another library's function
    starts: Sequence[int]  # of the blocks, those before others first, as far as there are no loops
    order: Mapping[int, int]  # the place of each among them
    complete: bool


class Program:
    """The code of a library, and of those that it is linked with.

    Parameters
    ----------
    images : sequence of Image
        The libraries in the order in which names are looked up.
    budget : int
        How many blocks of code are looked at in all, each as often as it takes; behind them nothing is known of what is
        asked for the first time.
    """

    def __init__(self, images: Sequence[Image], budget: int = 200_000) -> None:
        self._images = images
        self._budget = budget
        self._left = 0
        self._spared: dict[tuple[int, int], frozenset[int] | None] = {}
        self._graphs: dict[tuple[int, int], _Graph | None] = {}
        self._summaries: dict[tuple[int, int], dict[frozenset[int], Summary | None]] = {}

    def summary(self, name: str, traced: frozenset[int]) -> Summary | None:
        """What the function of a name does with arguments; None where no library has it, or it is too much to read.

        Parameters
        ----------
        traced : frozenset of int
            The arguments of interest: 0 to 5 are the registers that carry integers and addresses, in their order, from
            6 on come the words of the stack.
        """
        place = self._defined(name)
        if place is None:
            return None
        self._left = min(_EACH, self._budget)
        self._budget -= self._left
        found = self._summary(*place, traced, 0)
        self._budget += max(self._left, 0)
        return found

    def _defined(self, name: str) -> tuple[int, int] | None:
        for number, image in enumerate(self._images):
            if (extent := image.exported.get(name)) is not None:
                return number, extent.address
        return None

    def _summary(self, image: int, entry: int, traced: frozenset[int], depth: int) -> Summary | None:
        known = self._summaries.setdefault((image, entry), {})
        # Whoever traces more says the same of what is asked.
        wider = next((other for other in known if traced <= other), None)
        if wider is not None:
            return known[wider]
        if (
            depth > _DEEPEST
            or (graph := self._graph(image, entry)) is None
            or len(graph.blocks) > _WIDEST[depth > 0]
        ):
            return None
        every = traced.union(*known)
        known[every] = None  # what calls itself is not followed
        known[every] = self._interpreted(image, graph, entry, every, depth)
        return known[every]

    def _interpreted(
        self, image: int, graph: _Graph, entry: int, traced: frozenset[int], depth: int
    ) -> Summary | None:
        for thorough in (False, True):
            found = _Function(self, image, graph, traced, depth, thorough).run(entry)
            if found is None or not any(EXPOSED in effect.leaks for effect in found.effects.values()):
                break
        return found

    def spend(self) -> bool:
        """Whether one more block may be looked at."""
        self._left -= 1
        return self._left >= 0

    def called(self, image: int, target: Target) -> tuple[int, int] | None:
        """Where the code of what is called lies."""
        if target.address is not None:
            return image, target.address
        return self._defined(target.name) if target.name else None

    def spared(self, place: tuple[int, int], depth: int = 0) -> frozenset[int] | None:
        """The registers that a function's code leaves alone, and that of all it calls; None where nobody knows.

        A compiler that sees both functions may rely on it, whatever the convention says (GCC's ``-fipa-ra``).
        """
        if place not in self._spared:
            if depth > _DEEPEST:
                return None
            self._spared[place] = None  # of what calls itself nobody knows
            graph = self._graph(*place)
            self._spared[place] = self._left_alone(place[0], graph, depth) if graph is not None else None
        return self._spared[place]

    def _left_alone(self, image: int, graph: _Graph, depth: int) -> frozenset[int] | None:
        if not graph.complete:
            return None
        found = frozenset(LOST).difference(*(step.written for step in graph.steps.values()))
        for target in graph.calls.values():
            if not found:
                break
            if target.address is None:
                return frozenset()
            inner = self.spared((image, target.address), depth + 1)
            if inner is None:
                return None
            found &= inner
        return found

    def ask(self, place: tuple[int, int], depth: int, traced: frozenset[int]) -> Summary | None:
        return self._summary(*place, traced, depth)

    def _graph(self, image: int, entry: int) -> _Graph | None:
        key = (image, entry)
        if key not in self._graphs:
            self._graphs[key] = None
            self._graphs[key] = _read(self._images[image], entry) if self._left > 0 else None
        return self._graphs[key]


def _read(image: Image, entry: int) -> _Graph | None:
    """The code that may run from an entry on, with what stands in the tables of switches."""
    instructions: dict[int, Instruction] = {}
    successors: dict[int, tuple[int, ...]] = {}
    calls: dict[int, Target] = {}
    asked: set[int] = set()
    unknown: set[int] = set()
    complete, open_ = True, [entry]
    while open_:
        at = open_.pop()
        if at in successors:
            continue
        found = flow(image, at, most=_LARGEST)
        if len(found.instructions) >= _LARGEST or len(instructions) >= _LARGEST:
            return None
        instructions |= found.instructions
        for address, after in found.successors.items():
            successors.setdefault(address, after)
        calls |= found.calls
        for address, problem in found.problems.items():
            if address in asked:
                continue
            asked.add(address)
            listed = cases(image, instructions, address) if problem == COMPUTED else None
            if listed is None:
                complete = False
                unknown.add(address)
            else:
                successors[address] = tuple(listed)
                open_ += listed
    jumps = frozenset(a for a in calls if a in instructions and not is_call(instructions[a]))
    for address in unknown:  # a jump to a function by its address: nobody knows which
        if address in instructions and is_jump(instructions[address]):
            calls[address] = Target()
            jumps |= {address}
    steps = {address: step(i) for address, i in instructions.items()}
    blocks = _blocks(entry, successors)
    ends = frozenset(a for a in steps if steps[a].name.startswith(("ret", "iret", "syscall", "int")))
    for start, block in blocks.items():
        kept = [a for a in block[:-1] if a in calls or a in ends or a not in steps or _matters(steps[a])]
        blocks[start] = [*kept, block[-1]]
    starts = _ordered(entry, blocks, successors)
    order = {start: n for n, start in enumerate(starts)}
    return _Graph(steps, blocks, successors, calls, jumps, starts, order, complete)


def _blocks(entry: int, successors: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    comes = dict.fromkeys(successors, 0)
    for after in successors.values():
        for address in after:
            comes[address] = comes.get(address, 0) + 1
    starts = {entry} | {a for a, n in comes.items() if n != 1}
    starts |= {a for after in successors.values() if len(after) != 1 for a in after}
    blocks = {}
    for start in starts:
        block = [start]
        while len(after := successors.get(block[-1], ())) == 1 and after[0] not in starts:
            block.append(after[0])
        blocks[start] = block
    return blocks


def _matters(found: Step) -> bool:
    """Whether an instruction may change what is known."""
    if found.name in COMPARE | TOUCHES_NOTHING and not any(isinstance(op, Memory) for op in found.operands):
        return False
    memory = any(isinstance(op, Memory) for op in found.operands)
    return memory or bool(found.written or found.read) or found.name[:4] in ("stos", "movs", "mask", "vmas")


def _ordered(
    entry: int, blocks: Mapping[int, Sequence[int]], successors: Mapping[int, Sequence[int]]
) -> list[int]:
    """The blocks in reverse postorder: a state is joined from all that comes before it, and then looked at once."""
    found: list[int] = []
    seen = {entry}
    open_ = [(entry, iter(successors.get(blocks[entry][-1], ())))]
    while open_:
        start, after = open_[-1]
        target = next((t for t in after if t not in seen), None)
        if target is None:
            found.append(start)
            open_.pop()
        else:
            seen.add(target)
            open_.append((target, iter(successors.get(blocks[target][-1], ()))))
    return found[::-1]


class _Function:
    """One function with some of its arguments traced."""

    def __init__(
        self, program: Program, image: int, graph: _Graph, traced: frozenset[int], depth: int, thorough: bool
    ) -> None:
        self._program, self._image, self._graph, self._depth = program, image, graph, depth
        self._traced = traced
        self._transfer = Transfer(traced, thorough)
        self._result: Value = frozenset()
        self._written: dict[int, int] | None = None
        self._complete = graph.complete

    def run(self, entry: int) -> Summary | None:
        before = {entry: State(self._traced)}
        order, open_, waiting = self._graph.order, [self._graph.order[entry]], {entry}
        while open_:
            start = self._graph.starts[heappop(open_)]
            waiting.discard(start)
            if not self._program.spend():
                return None
            after = self._run(start, before[start].copy())
            for target, state in after:
                if target not in before:
                    before[target] = state if len(after) == 1 else state.copy()
                elif not before[target].joins(state):
                    continue
                if target not in waiting:
                    waiting.add(target)
                    heappush(open_, order[target])
        self._transfer.noting = True
        self._result, self._written = frozenset(), None
        for start, state in before.items():
            list(self._run(start, state.copy()))
        effects: dict[int, Effect] = self._transfer.effects
        returns = self._written is not None
        return Summary(effects, self._result or OTHER, self._written or {}, returns, self._complete)

    def _run(self, start: int, state: State) -> list[tuple[int, State]]:
        """Interpret one block; the states in which it goes on, and where."""
        graph = self._graph
        for address in graph.blocks.get(start, (start,)):
            if (instruction := graph.steps.get(address)) is None:
                return []  # no instruction: the graph is not complete
            if address in graph.jumps:
                self._ends(address, state.copy())
                if not graph.successors.get(address):
                    return []
            elif address in graph.calls:
                behind, written = address + instruction.size, state.written.copy()
                returns = self._calls(address, state)
                # Where an exception goes on, what the function writes before it returns may not be there.
                pads = [a for a in graph.successors.get(address, ()) if a != behind]
                caught = state.copy() if pads else state
                caught.written = written if pads else caught.written
                if pads or not returns:
                    on = [(behind, state)] if returns and behind in graph.successors.get(address, ()) else []
                    return [*on, *((pad, caught) for pad in pads)]
            elif instruction.name.startswith(("ret", "iret")):
                self._returns(state)
            elif not instruction.name.startswith("j"):
                interpret(self._transfer, instruction, state)
            last = address
        return [(target, state) for target in graph.successors.get(last, ())]

    def _calls(self, address: int, state: State) -> bool:
        target = self._graph.calls[address]
        for operand in self._graph.steps[address].operands:
            self._transfer.leaks(self._transfer.value(operand, state), "it is called", state)
        place = self._program.called(self._image, target)
        ask = partial(self._program.ask, place, self._depth + 1) if place is not None else None
        spared: frozenset[int] | None = frozenset()
        if place is not None and target.address is not None:
            spared = self._program.spared(place)
        return call(self._transfer, state, target.name, ask, spared)

    def _ends(self, address: int, state: State) -> None:
        """A jump to a function: the stack is as it was when this one began."""
        # What is called finds the return address on top, and its arguments behind it, as after a call.
        state.registers[RSP] = shifted(state.registers[RSP], WORD)
        if self._calls(address, state):
            self._returns(state)

    def _returns(self, state: State) -> None:
        self._result = join(self._result, state.registers[RAX])
        if self._written is None:
            self._written = dict(state.written)
        else:
            for index, bits in state.written.items():
                self._written[index] &= bits
