"""Proves of a shim that it ends soon and waits for nothing: then the GIL may stay while it runs.

Proven is, for all ways through the code, landing pads included: no instruction runs twice, each is one that ends by
itself, what is called is code of the same library that is proven the same way, or throws; and every address
that is read or written is one of the stack, of the library, or of what the shim's arguments point to, as a page fault
can wait for anyone. Calls are followed as if they were inlined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .allowed import BITS, CONTROL, EXCHANGING, FURTHER, READING, is_allowed
from .decoding import Instruction, is_call
from .flow import LONG, Flow, flow
from .image import Image, Target
from .places import PRESERVED, REGISTERS, Place, State, either, moved
from .throwing import MAKING, REPORT, THROW, ends, is_thrown, makes_text, throws

MOST = 4096  # instructions on any way
OUTSIDE = "it calls {name}, of another library"
_TEXT = 1024  # bytes of what an exception says
_WORD = 8  # bytes
_REGISTER, _NUMBER, _MEMORY = 1, 2, 3  # X86_OP_REG, X86_OP_IMM, X86_OP_MEM
_CHANGED = tuple({*REGISTERS.values()} - {*PRESERVED})


def prove(image: Image, symbol: str) -> Proof:
    """The proof for a shim.

    Raises
    ------
    Unproven
        With the reason, as a clause: ``it has a loop``.
    """
    extent = image.functions.get(symbol)
    if extent is None:
        raise Unproven("its code is not in the library")
    proof = Proof(image)
    proof.follow(extent.address, State({"rdi": ("args", 0), "rsp": ("stack", 0)}, {}), ())
    return proof


class Unproven(Exception):
    """Why there is no proof."""


class Proof:
    """What was followed of a shim.

    Attributes
    ----------
    instructions, calls : int
        At most so many run, calls included; so many functions of the library are called.
    reads : set of int
        The entries of its table of arguments whose memory it reads or writes.
    """

    def __init__(self, image: Image) -> None:
        self._image = image
        self._flows: dict[int, tuple[Flow, list[int]]] = {}
        self.instructions = self.calls = 0
        self.reads: set[int] = set()

    def follow(self, entry: int, state: State, callers: tuple[int, ...]) -> State | None:
        """What is known when a function has returned; None if it never does."""
        if entry in callers:
            raise Unproven("it calls itself")
        found, order = self._flow(entry)
        top, states, back = state.registers["rsp"], {entry: state}, None
        for address in order:
            if (before := states.get(address)) is None:
                continue  # behind what never returns
            self.instructions += 1
            if self.instructions > MOST:
                raise Unproven(LONG.format(most=MOST))
            instruction = found.instructions[address]
            after = self._after(found, instruction, before.copy(), (*callers, entry))
            leaves = _leaves(found, instruction)
            for next_, known in _ways(found, instruction, before, before if leaves else after):
                states[next_] = states[next_].joined(known) if next_ in states else known
            if after is None or (found.successors[address] and not leaves):
                continue
            if not leaves or after.registers.get("rsp") != moved(top, _WORD):
                raise Unproven("its stack is not followed")
            back = after.joined(back) if back else after
        return back

    def _flow(self, entry: int) -> tuple[Flow, list[int]]:
        if entry not in self._flows:
            found = flow(self._image, entry, most=MOST)
            for problem in found.problems.values():
                raise Unproven(problem)
            for instruction in found.instructions.values():
                if not is_allowed(instruction.mnemonic):
                    raise Unproven(f"it has the instruction {instruction.mnemonic}")
            self._flows[entry] = found, _ordered(found)
        return self._flows[entry]

    def _after(
        self, found: Flow, instruction: Instruction, state: State, callers: tuple[int, ...]
    ) -> State | None:
        """What is known behind an instruction; None if what it calls never returns."""
        target = found.calls.get(instruction.address)
        if target is None:
            _Step(self._image, instruction, state, self.reads).run()
            return state
        called = is_call(instruction)
        if called:
            state.push(None)
        after = self._called(target, state, callers)
        if after is not None:
            after.pop()
        return after

    def _called(self, target: Target, state: State, callers: tuple[int, ...]) -> State | None:
        """What is known when a call has returned, its address still on the stack."""
        if target.name:
            return self._of_runtime(target.name, state)
        if target.address is None:
            raise Unproven("it calls a function by an address that it computes")
        self.calls += 1
        extent = self._image.function_at(target.address)
        if extent is not None and extent == self._image.functions.get(REPORT):
            state.forget(*_CHANGED)
            return state
        if state.registers.get("rsp") in (None, ("stack", None)):
            raise Unproven("its stack is not followed")
        after = self.follow(target.address, state, callers)
        if after is not None:
            after.registers["rsp"] = moved(after.registers["rsp"], -_WORD)
        return after

    def _of_runtime(self, name: str, state: State) -> State | None:
        first, second = state.registers.get("rdi"), state.registers.get("rsi")
        if name == THROW:
            if second is None or second[0] != "name" or not is_thrown(second[1]):
                raise Unproven("it throws what may be anything")
            return None
        if makes_text(name):
            text = self._image.text(second[1], _TEXT) if second and second[0] == "image" else None
            if text is None or first != ("heap", 0):
                raise Unproven(OUTSIDE.format(name=name))
        elif not throws(name):
            raise Unproven(OUTSIDE.format(name=name))
        if ends(name):
            return None
        state.forget(*_CHANGED)
        if name in MAKING:
            state.registers["rax"] = ("heap", 0)
        return state


class _Step:
    """One instruction that goes on behind itself, or returns: what it reads and writes, and what it leaves."""

    def __init__(self, image: Image, instruction: Instruction, state: State, reads: set[int]) -> None:
        self._image, self._instruction, self._state, self._reads = image, instruction, state, reads
        self._name: str = instruction.mnemonic.removeprefix("lock ")
        self._operands = list(instruction.operands)

    def run(self) -> None:
        if self._name.startswith("j"):
            return
        if self._name in CONTROL:
            self._control()
        elif self._name == "lea":
            self._set(0, self._address(self._operands[1].mem))
        elif self._name not in ("nop", "fnop"):
            self._plain()

    def _control(self) -> None:
        state, operands = self._state, self._operands
        if self._name == "ret":
            if operands:
                raise Unproven("its stack is not followed")
            state.pop()
        elif self._name == "leave":
            state.registers["rsp"] = state.registers.get("rbp")
            state.registers["rbp"] = state.pop()
        elif operands[0].size != _WORD:
            raise Unproven("its stack is not followed")
        elif self._name == "push":
            value = self._value(0)
            self._touch()
            state.push(value)
        else:
            value = state.pop()
            self._touch()
            self._set(0, value)
        if (state.registers.get("rsp") or ("", 0))[0] != "stack":
            raise Unproven("its stack is not followed")

    def _plain(self) -> None:
        name, state = self._name, self._state
        value = self._moved()
        self._touch()
        if name != "imul" or len(self._operands) == 1:
            state.forget(*FURTHER.get(name, ()))
        if name in READING:
            return
        if self._is_memory(0):
            place = self._place(self._operands[0].mem)
            state.store(place, self._operands[0].size, value)
        else:
            self._set(0, value)
        if name in EXCHANGING:
            self._set(1, None)

    def _moved(self) -> Place:
        """The place that a move or a sum of addresses gives."""
        operands, name = self._operands, self._name
        if name.startswith("cmov") and all(o.size == _WORD for o in operands):
            return either(self._value(0), self._value(1))
        if name not in ("mov", "add", "sub", "and") or any(o.size != _WORD for o in operands[:2]):
            return None
        if name == "mov":
            return self._value(1)
        if self._is_memory(0) or not self._is_number(1):
            return None
        place = self._value(0)
        if name == "and":
            return ("stack", None) if place and place[0] == "stack" else None
        return moved(place, operands[1].imm * (1 if name == "add" else -1))

    # --- operands

    def _is_memory(self, index: int) -> bool:
        return index < len(self._operands) and bool(self._operands[index].type == _MEMORY)

    def _is_number(self, index: int) -> bool:
        return bool(self._operands[index].type == _NUMBER)

    def _register(self, number: int) -> str:
        return str(self._instruction.reg_name(number) or "")

    def _value(self, index: int) -> Place:
        """What an operand of eight bytes is known to be."""
        operand = self._operands[index]
        if operand.type == _REGISTER:
            return self._state.registers.get(self._register(operand.reg))
        if operand.type != _MEMORY:
            return None
        place = self._place(operand.mem)
        if place[0] == "args":
            return ("slot", frozenset({place[1] // _WORD})) if place[1] % _WORD == 0 else None
        if place[0] == "image":
            target = self._image.slot(place[1])
            return (
                ("name", target.name)
                if target.name
                else ("image", target.address)
                if target.address
                else None
            )
        return self._state.load(place)

    def _set(self, index: int, value: Place) -> None:
        """Note what a register has got; a part of one is no address."""
        if index >= len(self._operands) or self._operands[index].type != _REGISTER:
            return
        name = self._register(self._operands[index].reg)
        whole = REGISTERS.get(name)
        if whole is None and not name.startswith(("xmm", "ymm", "zmm", "st")):
            raise Unproven(f"it changes the register {name}")
        if whole is not None:
            self._state.registers[whole] = value if name == whole else None
        if whole == "rsp" and (value is None or value[0] != "stack"):
            raise Unproven("its stack is not followed")

    # --- memory

    def _address(self, memory: Any) -> Place:
        """The place that an operand in memory names."""
        base = self._register(memory.base)
        if memory.index or memory.segment:
            return None
        if base == "rip":
            return ("image", self._instruction.address + self._instruction.size + memory.disp)
        return moved(self._state.registers.get(base), memory.disp) if REGISTERS.get(base) == base else None

    def _place(self, memory: Any) -> tuple[str, Any]:
        place = self._address(memory)
        if memory.segment:
            raise Unproven("it uses what each thread has of its own")
        if place is None or place[0] == "name":
            raise Unproven("it reads or writes memory at an address that it computes, or was given")
        if place[0] == "image" and self._image.section_at(place[1]) is None:
            raise Unproven("it reads memory that is not in the library")
        return place

    def _touch(self) -> None:
        """Note which memory the instruction uses."""
        write = self._name in EXCHANGING or (self._is_memory(0) and self._name not in READING | {"push"})
        inside = [o for o in self._operands if o.type == _MEMORY]
        if len(inside) > 1 or (inside and self._name in BITS | {"bt"}):
            raise Unproven(f"it has the instruction {self._name} in memory")
        for operand in inside:
            kind, at = self._place(operand.mem)
            if kind == "slot":
                self._reads |= at
            elif kind == "args" and write:
                raise Unproven("it writes to the table of its arguments")
            elif kind == "stack" and write:
                self._state.store((kind, at), operand.size)


def _ways(
    found: Flow, instruction: Instruction, before: State, after: State | None
) -> Iterator[tuple[int, State]]:
    """What may run next, and what is known there; a landing pad may stand right behind its call."""
    pad, behind = found.pads.get(instruction.address), instruction.address + instruction.size
    for next_ in found.successors[instruction.address]:
        if next_ == pad:
            yield next_, before.caught()
        if after is not None and (next_ != pad or next_ == behind):
            yield next_, after


def _leaves(found: Flow, instruction: Instruction) -> bool:
    """Whether a function ends with an instruction, or may: it returns, or jumps to another library."""
    jumps = instruction.address in found.calls and not is_call(instruction)
    return jumps or instruction.mnemonic == "ret"


def _ordered(found: Flow) -> list[int]:
    """The instructions, each before those that may run after it.

    Raises
    ------
    Unproven
        If there is no such order.
    """
    order, begun = list[int](), set[int]()
    done = set[int]()
    stack = [(found.entry, iter(found.successors[found.entry]))]
    begun.add(found.entry)
    while stack:
        address, rest = stack[-1]
        next_ = next(rest, None)
        if next_ is None:
            stack.pop()
            done.add(address)
            order.append(address)
        elif next_ not in begun:
            begun.add(next_)
            stack.append((next_, iter(found.successors[next_])))
        elif next_ not in done:
            raise Unproven("it has a loop")
    return order[::-1]
