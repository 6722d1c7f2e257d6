"""What a call makes of a state: by what is known of the function, or by nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .effects import Effect, Summary
from .libc import KNOWN, Known
from .operands import RAX
from .state import COUNT, LOST, PASSING, WORD, State
from .transfer import EXPOSED, Transfer, join_all
from .values import (
    ARGUMENT,
    OTHER,
    STACK,
    Value,
    arguments,
    blurred,
    constant,
    join,
    on_stack,
    plain,
    shifted,
)

# Asks for what a function does with the arguments of these numbers; None: nobody knows.
Ask = Callable[[frozenset[int]], Summary | None]


def call(
    transfer: Transfer, state: State, name: str, ask: Ask | None, spared: frozenset[int] | None = frozenset()
) -> bool:
    """Let a call change a state; whether the function may return.

    Parameters
    ----------
    name : str
        Of another library's function; empty for one of whose code is asked, and for one that is computed.
    spared : frozenset of int or None
        Registers that the function leaves alone though it need not; None: nobody knows which.
    """
    if ask is None and (known := KNOWN.get(name)) is not None:
        result = _by_table(transfer, state, known)
        returns = known.returns
    else:
        result, returns = _by_code(transfer, state, ask)
    for number in LOST:
        after = result if number == RAX else OTHER
        if spared is None:
            after = join(state.registers[number], after)
        if spared is None or number not in spared:
            state.registers[number] = after
    return returns


def passed(state: State, index: int) -> Value:
    """An argument of the call that is about to happen."""
    if index < len(PASSING):
        return state.registers[PASSING[index]]
    top = state.top()
    return OTHER if top is None else state.load(top + WORD * (index - len(PASSING)), WORD)


def _by_table(transfer: Transfer, state: State, known: Known) -> Value:
    values = [passed(state, index) for index in range(known.words)]
    followed = set()
    for what, writes in ((known.fills, True), (known.reads, False)):
        for at, length in what:
            transfer.block(values[at], constant(values[length]) or 0, state, writes=writes)
            followed.add(at)
    for at, size in known.stores:
        _store(transfer, state, values[at], size)
        followed.add(at)
    for index, value in enumerate(values):
        if index not in followed:
            transfer_arguments(transfer, value, state)
    if any(map(on_stack, values)):
        state.store(None, 0, OTHER, False)
    if known.gives >= 0:
        return join(values[known.gives] if known.fills else blurred(values[known.gives]), OTHER)
    left = [blurred(value) for value in values if on_stack(value)]
    return join(join_all(left), OTHER) if left else OTHER


def _store(transfer: Transfer, state: State, at: Value, size: int) -> None:
    for atom in at:
        if atom.kind == ARGUMENT:
            transfer.writes(atom.which, atom.offset, size, len(at) == 1, state)
        elif atom.kind == STACK:
            state.store(atom.offset, size, OTHER, False)


def transfer_arguments(transfer: Transfer, value: Value, state: State) -> None:
    """An address goes to a function that keeps none, and of which it is not known what it does there."""
    if transfer.noting:
        for atom in arguments(value):
            transfer.effects[atom.which].leaks.add("a function of the C library gets it")


def _by_code(transfer: Transfer, state: State, ask: Ask | None) -> tuple[Value, bool]:
    values = [passed(state, index) for index in range(COUNT)]
    given = frozenset(index for index, value in enumerate(values) if not plain(value))
    if not given:
        return OTHER, True
    # What becomes of the stack's own places is asked where it matters.
    asked = given if transfer.thorough else frozenset(i for i in given if arguments(values[i]))
    summary = ask(asked) if ask is not None and asked else None
    for index in given - asked:
        transfer.leaks(values[index], EXPOSED, state)
    traced = asked
    if not traced:
        return join(join_all([blurred(values[i]) for i in given]), OTHER), True
    if summary is None or not summary.complete:
        for index in sorted(traced):
            if summary is not None:  # what is read for sure is, whatever else happens
                _note(transfer, values[index], summary.effects[index], False, state)
            transfer.leaks(values[index], "a function gets it that is not followed", state)
        if state.shown:
            transfer.exposed(state, EXPOSED)
        return join(join_all([blurred(values[i]) for i in traced]), OTHER), True
    # A number that says what to do may keep the function from what it does otherwise.
    told = any(constant(value) is not None for value in values[: len(PASSING)])
    for index in traced:
        effect = summary.effects[index]
        _note(transfer, values[index], effect, not told, state)
        for how in effect.leaks:
            transfer.leaks(values[index], how, state)
    for index in traced:
        _written(state, values[index], summary.written.get(index, 0))
    return _result(summary, values), summary.returns


def _note(transfer: Transfer, value: Value, effect: Effect, sure: bool, state: State) -> None:
    alone = len(value) == 1
    for atom in value:
        for access in effect.reads:
            at = _beyond(atom.offset, access.offset)
            if atom.kind == ARGUMENT:
                transfer.reads(atom.which, at, access.size, sure and alone and access.sure, state)
            elif atom.kind == STACK and not plain(state.load(at, access.size or WORD)):
                transfer.exposed(state, "a function reads it on the stack")
        for access in effect.writes:
            at = _beyond(atom.offset, access.offset)
            if atom.kind == ARGUMENT:
                # Not sure that it is on every way: what surely is, is said apart.
                transfer.may_write(atom.which, at, access.size, sure and alone and access.sure, state)
            elif atom.kind == STACK:
                state.store(at, access.size, OTHER, False)


def _beyond(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _written(state: State, value: Value, bits: int) -> None:
    if len(value) != 1 or not bits:
        return
    (atom,) = value
    if atom.kind == ARGUMENT and atom.offset is not None and atom.offset >= 0:
        state.written[atom.which] |= bits << atom.offset


def _result(summary: Summary, values: Iterable[Value]) -> Value:
    given = list(values)
    parts = [shifted(given[a.which], a.offset) for a in summary.result if a.kind == ARGUMENT]
    rest = frozenset(a for a in summary.result if a.kind not in (ARGUMENT, STACK))
    return join(join_all(parts), rest or OTHER) if parts else rest or OTHER
