"""A machine for PTX: runs one thread of a kernel, so that kernels are tested by their numbers without a GPU.

Threads that wait for each other are run by block.py.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Generator
from typing import Any

import ml_dtypes
import numpy as np

_FLOATS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
_ENTRY = re.compile(r"\.entry\s+\S+\s*\((.*?)\)", re.DOTALL)
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?")
_DATA = re.compile(
    r"\.(?:global|const|local|shared)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?\s*(?:=\s*(.+?))?;",
    re.DOTALL,
)  # fmt: skip
_MOST = 100_000  # instructions
_NAN = 0x7FFF  # what every NaN becomes as a 16-bit float (PTX ISA, "cvt")


class Trap(Exception):
    """The kernel stopped itself."""


def _width(kind: str) -> int:
    """Bits."""
    return int(re.sub(r"\D", "", kind)) if kind != "pred" else 1


def parameters(ptx: str) -> list[tuple[int, int]]:
    """Size and alignment of each of a kernel's parameters, in bytes."""
    found = _ENTRY.search(ptx)
    assert found is not None, "no kernel"
    rows = []
    for align, kind, _, count in _PARAMETER.findall(found[1]):
        size = _width(kind) // 8
        rows.append((size * int(count or 1), int(align or size)))
    return rows


def _body(ptx: str, start: int) -> str:
    """What stands between a kernel's braces; assembly may have its own inside."""
    depth, begin = 0, ptx.index("{", start)
    for place in range(begin, len(ptx)):
        depth += {"{": 1, "}": -1}.get(ptx[place], 0)
        if depth == 0:
            return ptx[begin + 1 : place]
    raise ValueError("the kernel has no end")


class Machine:
    """One thread with its memory: addresses are places in one array of bytes.

    Parameters
    ----------
    ptx : str
        With one kernel, which calls nothing.
    arguments : sequence of bytes
        As they lie in the kernel's parameters; see :meth:`place` for arrays.
    """

    def __init__(self, ptx: str, size: int = 1 << 16) -> None:
        found = _ENTRY.search(ptx)
        assert found is not None, "no kernel"
        self.memory = bytearray(size)
        self._next = 256
        self.names: dict[str, int] = {}
        self.lengths: dict[str, int] = {}  # of the unit's variables, in bytes
        for align, kind, name, count, given in _DATA.findall(ptx):
            length = _width(kind) // 8
            data = bytearray(length * int(count or 1))
            for i, item in enumerate(given.strip("{} \n").split(",") if given and "@" not in given else ()):
                data[i * length : (i + 1) * length] = _constant(item.strip(), kind).to_bytes(length, "little")
            self.names[name] = self.place(bytes(data), int(align or length))
            self.lengths[name] = len(data)
        self._formal = [name for _, _, name, _ in _PARAMETER.findall(found[1])]
        self.registers: dict[str, int] = {}
        self.special: dict[str, int] = {}  # which thread this is, %tid.x and its kin, and of how many
        self.code: list[str] = []
        self.labels: dict[str, int] = {}
        for line in re.split(r"[;\n]", re.sub(r"//[^\n]*", "", _body(ptx, found.end()))):
            text = " ".join(line.split())
            if text.startswith("{") or text == "}":  # a block of assembly
                text = text.lstrip("{} ")
            if text.endswith(":"):
                self.labels[text[:-1]] = len(self.code)
            elif text and text not in "{}" and not text.startswith("."):
                self.code.append(text)

    def place(self, data: bytes, align: int = 16) -> int:
        """Put bytes into memory; their address."""
        address = -(-self._next // align) * align
        self.memory[address : address + len(data)] = data
        self._next = address + len(data) + 16
        return address

    def run(self, *arguments: bytes) -> None:
        """Run the kernel with arguments as they lie in its parameters: a thread that is alone in its block."""
        self.give(*arguments)
        for asked in self.steps():
            assert asked == ("bar",), f"nobody answers {asked}"

    def give(self, *arguments: bytes) -> None:
        """Put arguments where the kernel finds them."""
        assert len(arguments) == len(self._formal), (len(arguments), self._formal)
        self.names.update((n, self.place(a)) for n, a in zip(self._formal, arguments, strict=True))

    def steps(self) -> Generator[tuple[Any, ...], Any, None]:
        """Run one thread; gives what it waits for: a barrier, or a shuffle, which is sent what it read and whether."""
        at = steps = 0
        while at < len(self.code):
            steps += 1
            assert steps < _MOST, "the kernel does not end"
            text = self.code[at]
            at += 1
            guard = re.match(r"@(!?)(%\w+) (.+)", text)
            if guard:
                if bool(self.registers[guard[2]]) == bool(guard[1]):
                    continue
                text = guard[3]
            word, _, rest = text.partition(" ")
            name, *marks = word.split(".")
            if name in ("ret", "exit"):
                return
            if name == "trap":
                raise Trap
            if name == "bra":
                at = self.labels[rest.strip()]
                continue
            if name in ("fence", "membar"):
                continue  # of one thread there is nothing to order
            operands = [o.strip() for o in re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*", rest) if o.strip()]
            if name in ("bar", "barrier"):
                yield ("bar",)
                continue
            if name == "shfl":
                mode = marks[1] if marks[0] == "sync" else marks[0]
                given = [self.read(o, "b32") for o in operands[1:4]]
                bits, told = yield ("shfl", at, mode, *given)
                target, _, predicate = operands[0].partition("|")
                self.write(target, bits, "b32")
                if predicate:
                    self.registers[predicate] = told
                continue
            self._step(name, marks, operands)

    # --- operands

    def read(self, operand: str, kind: str) -> int:
        """The bits of a register, a constant or a symbol."""
        if operand.startswith("{"):
            parts = [p.strip() for p in operand.strip("{}").split(",")]
            size = _width(kind) // len(parts)
            return sum(self.read(p, f"b{size}") << (i * size) for i, p in enumerate(parts))
        if operand in self.registers:
            return self.registers[operand] & ((1 << _width(kind)) - 1)
        if operand in self.names:
            return self.names[operand]
        if operand in self.special:
            return self.special[operand]
        if operand.startswith("%"):
            return 1 if operand.startswith(("%ntid", "%nctaid")) else 0
        return _constant(operand, kind)

    def value(self, operand: str, kind: str) -> Any:
        """The same as a number of a type."""
        return decode(self.read(operand, kind), kind)

    def write(self, operand: str, bits: int, kind: str) -> None:
        """Set a register, or the parts of one."""
        if operand.startswith("{"):
            parts = [p.strip() for p in operand.strip("{}").split(",")]
            size = _width(kind) // len(parts)
            for i, part in enumerate(parts):
                self.registers[part] = bits >> (i * size) & ((1 << size) - 1)
        elif operand != "_":
            self.registers[operand] = bits & ((1 << _width(kind)) - 1)

    def _address(self, operand: str) -> int:
        base, sign, offset = re.fullmatch(r"\[([^+\-\]]+)([+\-]*)(\d*)\]", operand).groups()  # type: ignore[union-attr]
        start = self.names[base] if base in self.names else self.read(base, "u64")
        found = start + (-1 if "-" in sign else 1) * int(offset or 0)
        assert 0 <= found < len(self.memory), f"{operand}: no memory is at {found:#x}"
        return found

    # --- instructions

    def _step(self, name: str, marks: list[str], operands: list[str]) -> None:
        kind = marks[-1] if marks else ""
        if name in ("ld", "ldu"):
            self._load(marks, operands, kind)
        elif name == "st":
            self._store(marks, operands, kind)
        elif name in ("atom", "red"):
            self._atomic(name, marks, operands, kind)
        elif name in ("mov", "cvta"):
            self.write(operands[0], self.read(operands[1], kind), kind)
        elif name == "cvt":
            self._convert(marks, operands)
        elif name == "setp":
            self._compare(marks, operands, kind)
        elif name == "set":
            a, b = (self.value(o, kind) for o in operands[1:3])
            yes = 1.0 if marks[-2] in _FLOATS else -1
            self.write(operands[0], encode(yes if _compared(marks[0], a, b) else 0, marks[-2]), marks[-2])
        elif name == "selp":
            chosen = operands[1] if self.registers[operands[3]] else operands[2]
            self.write(operands[0], self.read(chosen, kind), kind)
        elif name in _WIDE and "wide" in marks:
            wide = f"{kind[0]}{2 * _width(kind)}"
            a, b = (self.value(o, kind) for o in operands[1:3])
            more = self.value(operands[3], wide) if name == "mad" else 0
            self.write(operands[0], encode(a * b + more, wide), wide)
        elif name in _OPERATIONS:
            kinds = [kind] * 4
            if name in ("shl", "shr"):
                kinds[1] = "u32"
            elif name in ("bfe", "bfi"):
                kinds = [kind, "u32", "u32"] if name == "bfe" else [kind, kind, "u32", "u32"]
            given = [self.value(o, k) for o, k in zip(operands[1:], kinds, strict=False)]
            with np.errstate(all="ignore"):
                found = _OPERATIONS[name](kind, marks, *given)
            self.write(operands[0], encode(found, kind), kind)
        else:
            raise NotImplementedError(f"{name}.{'.'.join(marks)} {operands}")

    def _load(self, marks: list[str], operands: list[str], kind: str) -> None:
        address, size = self._address(operands[1]), _width(kind) // 8
        targets = operands[0].strip("{}").split(",")
        for i, target in enumerate(targets):
            place = address + i * size
            bits = int.from_bytes(self.memory[place : place + size], "little")
            if kind[0] == "s":
                bits = decode(bits, kind) & ((1 << 64) - 1)
            self.registers[target.strip()] = bits

    def _store(self, marks: list[str], operands: list[str], kind: str) -> None:
        address, size = self._address(operands[0]), _width(kind) // 8
        for i, source in enumerate(operands[1].strip("{}").split(",")):
            place = address + i * size
            self.memory[place : place + size] = self.read(source.strip(), kind).to_bytes(size, "little")

    def _atomic(self, name: str, marks: list[str], operands: list[str], kind: str) -> None:
        if name == "red":
            operands = ["_", *operands]
        address, size = self._address(operands[1]), _width(kind) // 8
        before = decode(int.from_bytes(self.memory[address : address + size], "little"), kind)
        given = [self.value(o, kind) for o in operands[2:]]
        (how,) = (m for m in marks if m in (*_ATOMICS, "exch", "cas"))
        if how == "cas":
            after = given[1] if before == given[0] else before
        else:
            after = given[0] if how == "exch" else _OPERATIONS[how](kind, marks, before, given[0])
        self.memory[address : address + size] = encode(after, kind).to_bytes(size, "little")
        self.write(operands[0], encode(before, kind), kind)

    def _convert(self, marks: list[str], operands: list[str]) -> None:
        to, source = marks[-2:]
        value = self.value(operands[1], source)
        if to in ("f16", "bf16") and source in _FLOATS and math.isnan(float(value)):
            self.registers[operands[0]] = _NAN
            return
        if to in _FLOATS:
            with np.errstate(all="ignore"):
                value = _FLOATS[to](value)
            if "rzi" in marks:
                value = _FLOATS[to](math.trunc(float(value)))
        elif source in _FLOATS:
            number = float(value)
            low, high = _limits(to)
            if math.isnan(number):
                value = 0
            elif math.isinf(number):
                value = high if number > 0 else low
            else:
                value = {"rni": round, "rmi": math.floor, "rpi": math.ceil}.get(marks[0], math.trunc)(number)
                value = min(max(value, low), high)
        # A register may be wider than what it is converted to: the value fills it.
        bits = encode(value, to)
        self.registers[operands[0]] = decode(bits, to) & ((1 << 64) - 1) if to[0] == "s" else bits

    def _compare(self, marks: list[str], operands: list[str], kind: str) -> None:
        a, b = (self.value(o, kind) for o in operands[1:3])
        answer = _compared(marks[0], a, b)
        if len(operands) > 3 and len(marks) > 2 and marks[1] in ("and", "or", "xor"):
            other = bool(self.registers[operands[3]])
            answer = {"and": answer and other, "or": answer or other, "xor": answer != other}[marks[1]]
        self.registers[operands[0].partition("|")[0]] = int(answer)


def _compared(how: str, a: Any, b: Any) -> bool:
    unordered = a != a or b != b
    if how == "num":
        return not unordered
    if how == "nan":
        return bool(unordered)
    if len(how) == 3 and how.endswith("u"):
        return bool(unordered) or _compared(how[:2], a, b)
    plain = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(how, how)
    if unordered:
        return False
    return bool({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[plain])


def _limits(kind: str) -> tuple[int, int]:
    bits = _width(kind)
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)


def _constant(text: str, kind: str) -> int:
    if text.startswith(("0f", "0d")):
        return int(text[2:], 16)
    if text in ("true", "false"):
        return int(text == "true")
    return int(text.rstrip("U"), 0) & ((1 << _width(kind)) - 1)


def decode(bits: int, kind: str) -> Any:
    """A number from its bits."""
    if kind in _FLOATS:
        return np.frombuffer(bits.to_bytes(_width(kind) // 8, "little"), _FLOATS[kind])[0]
    width = _width(kind)
    bits &= (1 << width) - 1
    return bits - (1 << width) if kind[0] == "s" and bits >> (width - 1) else bits


def encode(value: Any, kind: str) -> int:
    """The bits of a number."""
    if kind in _FLOATS:
        return int.from_bytes(np.array(value, _FLOATS[kind]).tobytes(), "little")
    return int(value) & ((1 << _width(kind)) - 1)


# --- arithmetic: (type, marks, operands)


def _divide(kind: str, marks: list[str], a: Any, b: Any) -> Any:
    if kind in _FLOATS:
        return a / b
    return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _multiply(kind: str, marks: list[str], a: Any, b: Any) -> Any:
    return a * b >> _width(kind) if "hi" in marks else a * b


def _fused(kind: str, marks: list[str], a: Any, b: Any, c: Any) -> Any:
    if kind not in _FLOATS:
        return _multiply(kind, marks, a, b) + c
    from fractions import Fraction

    if not all(map(math.isfinite, map(float, (a, b, c)))):
        return a * b + c
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return _FLOATS[kind](float(exact))  # twice rounded for small formats: exact for the tests' numbers


def _least(better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda kind, marks, a, b: b if a != a else a if b != b else better(a, b)


def _right(kind: str, marks: list[str], a: int, count: int) -> int:
    return a >> min(count, _width(kind))


def _field(kind: str, marks: list[str], a: int, start: int, length: int) -> int:
    found = (a & ((1 << _width(kind)) - 1)) >> start & ((1 << length) - 1)
    return found - (1 << length) if kind[0] == "s" and length and found >> (length - 1) else found


def _insert(kind: str, marks: list[str], a: int, b: int, start: int, length: int) -> int:
    ones = ((1 << length) - 1) << start
    return (b & ~ones) | (a << start & ones)


def _shuffle(kind: str, marks: list[str], a: int, b: int, choice: int) -> int:
    pool = (a | b << 32).to_bytes(8, "little")
    return sum(pool[choice >> (4 * i) & 7] << (8 * i) for i in range(4))


_ATOMICS = ("add", "min", "max", "and", "or", "xor")
_WIDE = frozenset({"mul", "mad"})
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda k, m, a, b: a + b, "sub": lambda k, m, a, b: a - b, "mul": _multiply, "div": _divide,
    "rem": lambda k, m, a, b: a - b * _divide(k, m, a, b), "mad": _fused, "fma": _fused,
    "neg": lambda k, m, a: -a, "abs": lambda k, m, a: abs(a), "not": lambda k, m, a: a ^ 1 if k == "pred" else ~a,
    "and": lambda k, m, a, b: a & b, "or": lambda k, m, a, b: a | b, "xor": lambda k, m, a, b: a ^ b,
    "shl": lambda k, m, a, n: a << n if n < _width(k) else 0, "shr": _right,
    "min": _least(min), "max": _least(max), "sqrt": lambda k, m, a: np.sqrt(a), "rcp": lambda k, m, a: 1 / a,
    "bfe": _field, "bfi": _insert, "prmt": _shuffle, "popc": lambda k, m, a: a.bit_count(),
    "copysign": lambda k, m, a, b: np.copysign(b, a), "clz": lambda k, m, a: _width(k) - int(a).bit_length(),
}  # fmt: skip


def doubles(ptx: str, *rest: bytes, count: int = 4) -> list[float]:
    """What a kernel leaves in a Numba array of ``count`` float64, its first parameters, after it ran."""
    machine = Machine(ptx)
    data = machine.place(bytes(8 * count))
    machine.run(*array(data, (count,), 8), *rest)
    return list(struct.unpack(f"<{count}d", machine.memory[data : data + 8 * count]))


def array(address: int, shape: tuple[int, ...], size: int) -> list[bytes]:
    """A C-contiguous array as Numba's kernels take it: a parameter for each member."""
    strides, step = [], size
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return [n.to_bytes(8, "little") for n in (0, 0, step // size, size, address, *shape, *strides)]
