"""What single instructions make of a state, calls apart; of those without a rule, what their operands tell."""

from __future__ import annotations

from collections.abc import Callable

from .operands import RBP, RCX, RDI, RSI, RSP, Memory, Number, Register, Step, Vector
from .state import WORD, State
from .transfer import Transfer, added, join_all
from .values import ARGUMENT, OTHER, STACK, Value, blurred, constant, join, number, plain, shifted, stack

# Where these name memory first, they write there and do not read (Capstone says so of some only).
_MOVES = """movss movsd movaps movapd movups movupd movdqa movdqu movlps movlpd movhps movhpd movd movq movnti movntps
movntpd movntdq movbe"""
_STORES = frozenset(f"{prefix}{name}" for name in _MOVES.split() for prefix in ("", "v")) | frozenset(
    ("mov", "movabs", "fst", "fstp", "fist", "fistp", "fisttp")
)
# Those that read there first.
_CHANGE = """add sub adc sbb and or xor inc dec neg not shl sal shr sar rol ror rcl rcr bts btr btc xadd xchg
cmpxchg"""
_CHANGES = frozenset(_CHANGE.split())
# Those that only read there.
_ASK = """cmp test bt fld fild fadd fsub fsubr fmul fdiv fdivr fcom fcomp ucomiss ucomisd push"""
_ASKS = frozenset(_ASK.split())
_NOTHING = """nop endbr64 prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw pause"""
TOUCHES_NOTHING = frozenset(_NOTHING.split())
COMPARE = frozenset({"cmp", "test", "bt"})
_SIZES = {"b": 1, "w": 2, "d": 4, "q": 8}


def interpret(transfer: Transfer, step: Step, state: State) -> None:
    """Let one instruction change a state."""
    rule = _RULES.get(step.name)
    if rule is not None and rule(transfer, step, state):
        return
    if step.name.startswith("cmov"):
        _moves_perhaps(transfer, step, state)
    elif step.name[:4] in ("stos", "movs") and step.name[4:] in _SIZES and not _is_vector(step):
        _strings(transfer, step, state)
    elif step.name not in TOUCHES_NOTHING:
        _anything(transfer, step, state)


def _moves_perhaps(transfer: Transfer, step: Step, state: State) -> None:
    to, source = step.operands
    value = transfer.value(source, state)
    if isinstance(to, Register) and to.size == WORD:
        state.registers[to.number] = join(state.registers[to.number], value)
    else:
        transfer.put(to, OTHER, state)


def _strings(transfer: Transfer, step: Step, state: State) -> None:
    """``stos`` and ``movs``: to rdi, from rsi, rcx times where they are repeated."""
    width = _SIZES[step.name[4:]]
    repeated = bool(step.prefix)
    times = constant(state.registers[RCX]) if repeated else 1
    size = width * times if times is not None else 0
    if step.name.startswith("movs"):
        transfer.block(state.registers[RSI], size, state, writes=False)
        state.registers[RSI] = shifted(state.registers[RSI], size or None)
    transfer.block(state.registers[RDI], size, state, writes=True)
    state.registers[RDI] = shifted(state.registers[RDI], size or None)
    if repeated:
        state.registers[RCX] = number(0)


def _anything(transfer: Transfer, step: Step, state: State) -> None:
    """An instruction of which only its operands are known."""
    operands = step.operands
    for n, operand in enumerate(operands):
        if isinstance(operand, Memory):
            at = transfer.address(operand, state)
            if n == 0 and step.name in _CHANGES and not _is_whole(step):
                transfer.load(at, operand.size, state)
                transfer.store(at, operand.size, OTHER, state)
            elif n == 0 and (step.name in _STORES or step.name.startswith("set") or _is_whole(step)):
                transfer.store(at, operand.size, OTHER, state)
            else:
                sure = n > 0 or step.name in _ASKS
                _reads_anyhow(transfer, step, at, operand.size, state, sure)
    values = [state.registers[n] for n in step.read]
    traced = [value for value in values if not plain(value)]
    if step.name in COMPARE:
        return
    written = step.written
    first = operands[0] if operands else None
    if traced and (not written or isinstance(first, Vector | Memory)):
        for value in traced:
            transfer.leaks(value, "it goes to another register", state)
    left = join_all([blurred(value) for value in traced]) if traced else OTHER
    for n in written:
        if n != RSP:
            state.registers[n] = left
        else:
            state.registers[n] = stack(None)


def _reads_anyhow(transfer: Transfer, step: Step, at: Value, size: int, state: State, sure: bool) -> None:
    found = transfer.load(at, size, state, sure)
    if not plain(found) and step.name not in COMPARE:
        transfer.leaks(found, "it goes to another register", state)
    if not sure:
        # Where memory stands first, the instruction may write there, in a way that no table has.
        for atom in at:
            if atom.kind == ARGUMENT:
                transfer.leaks(at, "what an instruction does there is not known", state)
            elif atom.kind == STACK:
                state.store(atom.offset, size, OTHER, False)


def _is_vector(step: Step) -> bool:
    """Whether ``movsd`` moves a real number: the instruction for strings has the same name."""
    return any(isinstance(op, Vector) for op in step.operands)


def _is_whole(step: Step) -> bool:
    """Whether what is written does not depend on what was there: ``and [p], 0``, ``or [p], -1``."""
    wanted = {"and": 0, "or": -1}.get(step.name)
    last = step.operands[-1] if step.operands else None
    if wanted is None or not isinstance(last, Number) or not isinstance(step.operands[0], Memory):
        return False
    bits = (1 << 8 * step.operands[0].size) - 1
    return last.value & bits == wanted & bits and step.prefix != "lock"


Rule = Callable[[Transfer, Step, State], bool]


def _moves(transfer: Transfer, step: Step, state: State) -> bool:
    to, source = step.operands
    if isinstance(to, Vector) or isinstance(source, Vector):
        return False
    transfer.put(to, transfer.value(source, state), state)
    return True


def _address(transfer: Transfer, step: Step, state: State) -> bool:
    to, source = step.operands
    assert isinstance(source, Memory)
    transfer.put(to, transfer.address(source, state), state)
    return True


def _pushes(transfer: Transfer, step: Step, state: State) -> bool:
    value = transfer.value(step.operands[0], state)
    state.registers[RSP] = shifted(state.registers[RSP], -WORD)
    transfer.store(state.registers[RSP], WORD, value, state)
    return True


def _pops(transfer: Transfer, step: Step, state: State) -> bool:
    value = transfer.load(state.registers[RSP], WORD, state)
    state.registers[RSP] = shifted(state.registers[RSP], WORD)
    transfer.put(step.operands[0], value, state)
    return True


def _leaves(transfer: Transfer, step: Step, state: State) -> bool:
    state.registers[RSP] = state.registers[RBP]
    state.registers[RBP] = transfer.load(state.registers[RSP], WORD, state)
    state.registers[RSP] = shifted(state.registers[RSP], WORD)
    return True


def _adds(transfer: Transfer, step: Step, state: State) -> bool:
    to = step.operands[0]
    if not isinstance(to, Register) or to.size != WORD:
        return False
    before = state.registers[to.number]
    if step.name in ("inc", "dec"):
        state.registers[to.number] = shifted(before, 1 if step.name == "inc" else -1)
        return True
    value = transfer.value(step.operands[1], state)
    if step.name == "add":
        state.registers[to.number] = added(before, value, 1)
        return True
    if step.operands[1] == to:
        state.registers[to.number] = number(0)
        return True
    known = constant(value)
    # The difference of two addresses is no address; what is left of one by a number nobody knows is.
    state.registers[to.number] = shifted(before, -known if known is not None else None)
    return True


def _clears(transfer: Transfer, step: Step, state: State) -> bool:
    to = step.operands[0]
    if not isinstance(to, Register) or step.operands[1] != to or to.size < 4:
        return False
    state.registers[to.number] = number(0)
    return True


def _aligns(transfer: Transfer, step: Step, state: State) -> bool:
    """``and rsp, -32``: at some address the stack begins, and code is right at any that the convention allows."""
    to, mask = step.operands
    top = state.top()
    if not isinstance(to, Register) or to.number != RSP or not isinstance(mask, Number) or top is None:
        return False
    state.registers[RSP] = stack(((top + WORD) & mask.value) - WORD)
    return True


def _exchanges(transfer: Transfer, step: Step, state: State) -> bool:
    one, other = step.operands
    if not isinstance(one, Register) or not isinstance(other, Register):
        if isinstance(one, Memory) and isinstance(other, Register):
            at = transfer.address(one, state)
            value = transfer.value(other, state)
            transfer.put(other, transfer.load(at, one.size, state), state)
            transfer.store(at, one.size, value, state)
            return True
        return False
    first, second = transfer.value(one, state), transfer.value(other, state)
    transfer.put(one, second, state)
    transfer.put(other, first, state)
    return True


_RULES: dict[str, Rule] = {
    "mov": _moves, "movabs": _moves, "lea": _address, "push": _pushes, "pop": _pops, "leave": _leaves,
    "add": _adds, "sub": _adds, "inc": _adds, "dec": _adds, "xor": _clears, "and": _aligns, "xchg": _exchanges,
}  # fmt: skip
