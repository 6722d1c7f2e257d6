"""The instructions of atomics: LLVM's for CPUs; for GPUs PTX's own, which alone say their scope and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from llvmlite import ir

from ...frozen import frozen
from .site import Call
from .waiting import call_waiting


class AtomicCode(Protocol):
    """Writes operations on the bits at a place, which are an integer; ``order`` is C++'s word."""

    def load(self, order: str) -> Any:
        """What is there."""

    def store(self, value: Any, order: str) -> None:
        """Put something there."""

    def swap(self, expected: Any, desired: Any, order: str) -> Any:
        """What was there, in place of which ``desired`` is now, if it was ``expected``."""

    def change(self, name: str, sort: str, value: Any, order: str) -> Any:
        """What was there, changed by an operation; None where no instruction does it."""

    def wait(self, old: Any, order: str) -> None:
        """Go on once something other than ``old`` is there."""

    def notify(self, name: str) -> None:
        """Wake those that wait."""


# --- CPUs

_ORDERS = {
    "relaxed": "monotonic", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "seq_cst": "seq_cst",
}  # fmt: skip
_FAILING = {"acq_rel": "acquire", "release": "monotonic"}
_SIGNED = {"add": "add", "sub": "sub", "max": "max", "min": "min"}
_UNSIGNED = {"add": "add", "sub": "sub", "max": "umax", "min": "umin"}
_BITS = {"exch": "xchg", "and_": "and", "or_": "or", "xor": "xor"}


@frozen(slots=False)
class OnCpu:
    """LLVM's.

    Attributes
    ----------
    place : address of an integer
    size : int
        Bytes.
    """

    call: Call
    place: Any
    size: int

    def load(self, order: str) -> Any:
        return self.call.builder.load_atomic(self.place, _ORDERS[order], self.size)

    def store(self, value: Any, order: str) -> None:
        self.call.builder.store_atomic(value, self.place, _ORDERS[order], self.size)

    def swap(self, expected: Any, desired: Any, order: str) -> Any:
        known = _ORDERS[order]
        pair = self.call.builder.cmpxchg(self.place, expected, desired, known, _FAILING.get(known, known))
        return self.call.builder.extract_value(pair, 0)

    def change(self, name: str, sort: str, value: Any, order: str) -> Any:
        known = _BITS.get(name) or {"int": _SIGNED, "uint": _UNSIGNED}.get(sort, {}).get(name)
        if known is None:
            return None
        return self.call.builder.atomic_rmw(known, self.place, value, _ORDERS[order])

    def wait(self, old: Any, order: str) -> None:
        call_waiting(self.call, "wait", self.size, self.place, [old], order)

    def notify(self, name: str) -> None:
        call_waiting(self.call, name, self.size, self.place, [], "relaxed")


# --- GPUs (PTX ISA 8, "Parallel Synchronization and Communication Instructions"; compute capability 7.0 and newer)

_SCOPES = {"thread": "cta", "block": "cta", "device": "gpu", "system": "sys"}
# Of one that is sequentially consistent the fence before it says so, as in libcu++.
_FENCED = {"seq_cst": "acquire"}
_POLL = 64  # nanoseconds


@frozen(slots=False)
class OnGpu:
    """PTX's; the attributes are those of :class:`OnCpu`, and the scope."""

    call: Call
    place: Any
    size: int
    scope: str

    @property
    def _register(self) -> str:
        return "r" if self.size == 4 else "l"

    def _fence(self, order: str) -> None:
        if order == "seq_cst":
            self._asm(f"fence.sc.{_SCOPES[self.scope]};", ir.VoidType(), "", ())

    def _asm(self, text: str, result: ir.Type, constraint: str, values: Sequence[Any]) -> Any:
        form = ir.FunctionType(result, [v.type for v in values])
        clobbers = ",".join(filter(None, [constraint, "~{memory}"]))
        return self.call.builder.call(ir.InlineAsm(form, text, clobbers, side_effect=True), values)

    def _atomic(self, text: str, order: str, values: Sequence[Any]) -> Any:
        self._fence(order)
        sem, register = _FENCED.get(order, order), self._register
        given = ", ".join(f"${i + 2}" for i in range(len(values)))
        address = self.call.builder.ptrtoint(self.place, ir.IntType(64))
        return self._asm(
            f"atom.{sem}.{_SCOPES[self.scope]}.{text} $0, [$1], {given};", self.place.type.pointee,
            ",".join([f"={register}", "l", *([register] * len(values))]), [address, *values],
        )  # fmt: skip

    def load(self, order: str) -> Any:
        self._fence(order)
        address = self.call.builder.ptrtoint(self.place, ir.IntType(64))
        text = f"ld.{_FENCED.get(order, order)}.{_SCOPES[self.scope]}.b{8 * self.size} $0, [$1];"
        return self._asm(text, self.place.type.pointee, f"={self._register},l", [address])

    def store(self, value: Any, order: str) -> None:
        self._fence(order)
        address = self.call.builder.ptrtoint(self.place, ir.IntType(64))
        sem = "relaxed" if order == "seq_cst" else order
        text = f"st.{sem}.{_SCOPES[self.scope]}.b{8 * self.size} [$0], $1;"
        self._asm(text, ir.VoidType(), f"l,{self._register}", [address, value])

    def swap(self, expected: Any, desired: Any, order: str) -> Any:
        return self._atomic(f"cas.b{8 * self.size}", order, [expected, desired])

    def change(self, name: str, sort: str, value: Any, order: str) -> Any:
        bits, builder = 8 * self.size, self.call.builder
        if name in _BITS:
            return self._atomic(f"{name.rstrip('_')}.b{bits}", order, [value])
        if sort == "float":
            if name not in ("add", "sub"):
                return None
            if name == "sub":  # the sign
                value = builder.xor(value, value.type(1 << (bits - 1)))
            return self._atomic_float(bits, order, value)
        if name in ("add", "sub"):
            return self._atomic(f"add.u{bits}", order, [builder.neg(value) if name == "sub" else value])
        return self._atomic(f"{name}.{'s' if sort == 'int' else 'u'}{bits}", order, [value])

    def _atomic_float(self, bits: int, order: str, value: Any) -> Any:
        self._fence(order)
        builder, register = self.call.builder, "f" if bits == 32 else "d"
        form = ir.FloatType() if bits == 32 else ir.DoubleType()
        address = builder.ptrtoint(self.place, ir.IntType(64))
        text = f"atom.{_FENCED.get(order, order)}.{_SCOPES[self.scope]}.add.f{bits} $0, [$1], $2;"
        found = self._asm(text, form, f"={register},l,{register}", [address, builder.bitcast(value, form)])
        return builder.bitcast(found, value.type)

    def wait(self, old: Any, order: str) -> None:
        builder = self.call.builder
        look, rest, done = (builder.append_basic_block(name) for name in ("look", "rest", "done"))
        builder.branch(look)
        builder.position_at_end(look)
        same = builder.icmp_unsigned("==", self.load(order), old)
        builder.cbranch(same, rest, done)
        builder.position_at_end(rest)
        self._asm(f"nanosleep.u32 {_POLL};", ir.VoidType(), "", ())
        builder.branch(look)
        builder.position_at_end(done)

    def notify(self, name: str) -> None:
        """Nobody sleeps who could be woken: those that wait look again by themselves, as libcu++'s do."""


def atomic_code(call: Call, place: Any, size: int, scope: str) -> AtomicCode:
    """What writes operations on the bits at a place, for the compiler at hand."""
    return OnGpu(call, place, size, scope) if call.compiler.cuda else OnCpu(call, place, size)
