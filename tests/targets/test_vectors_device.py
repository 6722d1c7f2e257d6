"""All 56 vectors in kernels of numba-cuda: made, read, changed, computed with, run by the machine that runs PTX."""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
import ptx
import pytest
from tests.tables import each

import machine
import samebytes as sb
from samebytes.types import SCALARS
from samebytes.types.vector import ELEMENTS

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
from numba import from_dtype, types
from numba.cuda.core import entrypoints
from numba.cuda.cudadrv import driver

from samebytes.compiled.compiler import numba_compiler
from samebytes.compiled.installing import prepare

pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
]


@pytest.fixture(scope="module", autouse=True)
def compiler() -> Any:
    """numba-cuda, which has loaded its extensions."""
    entrypoints.init_all()
    found = numba_compiler("numba_cuda")
    prepare(found)
    return found


def stored(statements: list[str], count: int) -> list[float]:
    """What a kernel leaves in ``o``, an array of doubles."""
    scope: dict[str, Any] = {"sb": sb, "np": np}
    body = "\n".join(f"    {line}" for line in statements)
    exec(f"def kernel(o):\n{body}\n", scope)
    return machine.doubles(str(ptx.linked(scope["kernel"], types.float64[::1])), count=count)


# Each gives numbers; n is the size. Python's answer is the oracle.
INTERFACE = (
    "v.size", "len(v)", "v[0]", "v[{n} - 1]", "v.replace(x=2).x", "total(v)", "tuple(v)[{n} - 1]", "(v == v) + 0",
    "(v != v) + 0", "(v + v).x", "(v * 3)[{n} - 1]", "(2 - v).x", "v.x + v.x", "v.{last} * 3",
)  # fmt: skip


@pytest.mark.requirement("V.1")
@pytest.mark.requirement("V.3")
@pytest.mark.requirement("V.9")
@pytest.mark.requirement("V.10")
@pytest.mark.parametrize("name", ELEMENTS)
def test_every_vector(name: str) -> None:
    statements, expected = [], []
    for n in (1, 2, 3, 4):
        parts = ", ".join("1234"[:n])
        statements.append(f"v = sb.{name}x{n}({parts})")
        scope: dict[str, Any] = {"v": getattr(sb, f"{name}x{n}")(*range(1, n + 1)), "total": sum}
        for text in INTERFACE:
            text = text.format(n=n, last="xyzw"[n - 1])
            expected.append(float(eval(text, scope)))
            if text.startswith("total"):
                statements += ["s = 0.0", "for e in v: s += float(e)"]
                text = "s"
            statements.append(f"o[{len(expected) - 1}] = float({text})")
        names = ", ".join("abcd"[:n])
        statements += [f"{names}, = v", f"o[{len(expected)}] = float({'abcd'[n - 1]})"]
        expected.append(float(n))
    assert stored(statements, len(expected)) == expected


PAIRS = [(one, other) for one in ELEMENTS for other in ELEMENTS]


@each(("one", "other"), PAIRS)
def test_formats_of_results(one: str, other: str) -> None:
    """Types alone, which are quick: the vector that the host gives, or none."""
    typing = numba_compiler("numba_cuda").typing
    left, right = getattr(sb, f"{one}x2"), getattr(sb, f"{other}x2")
    kinds = sb.numba_type(left, "cuda"), sb.numba_type(right, "cuda")
    try:
        expected = sb.numba_type(type(left(1, 1) + right(1, 1)), "cuda")
    except TypeError:
        with pytest.raises(Exception, match="no result is defined"):
            typing.resolve_function_type(operator.add, kinds, {})
        return
    assert typing.resolve_function_type(operator.add, kinds, {}).return_type == expected


@pytest.mark.parametrize("one", ELEMENTS)
def test_numbers_of_results(one: str) -> None:
    """Random operands of all formats beside one."""
    chance = random.Random(one)
    statements, expected = [], []
    for other in ELEMENTS:
        values = [[chance.choice(_pool(name)) for _ in range(2)] for name in (one, other)]
        try:
            found = getattr(sb, f"{one}x2")(*values[0]) * getattr(sb, f"{other}x2")(*values[1])
        except TypeError:
            continue
        texts = [f"sb.{n}x2({', '.join(map(repr, v))})" for n, v in zip((one, other), values, strict=True)]
        statements.append(f"v = {texts[0]} * {texts[1]}")
        for part, number in zip("xy", found, strict=True):
            statements.append(f"o[{len(expected)}] = float(v.{part})")
            expected.append(float(number))
    assert np.array_equal(stored(statements, len(expected)), expected, equal_nan=True)


def _pool(name: str) -> list[Any]:
    if SCALARS[name].kind == "float":
        return [0.5, -2.0, 3.0, 12.0]
    limits = np.iinfo(SCALARS[name].numpy)
    return [int(limits.max), int(limits.min), 1, 3]


@sb.struct
class Counter:
    count: sb.Atomic(int)
    least: sb.int16


def test_fields_of_elements() -> None:
    """An atomic member of an array's element is one; a number that a field cannot hold stops the kernel."""
    record = types.Array(from_dtype(Counter.dtype), 1, "C")

    def kernel(c: Any, o: Any) -> None:
        o[0] = c[1].count.add(5)
        c[1].least = o.size

    text = str(ptx.linked(kernel, record, types.float64[::1]))
    assert "atom.acquire.sys.add.u32" in text
    for count, stops in ((3, False), (70_000, True)):
        run = machine.Machine(text)
        counters, out = run.place(bytes(16)), run.place(bytes(8))
        arguments = (*machine.array(counters, (2,), 8), *machine.array(out, (count,), 8))
        if stops:
            with pytest.raises(machine.Trap):
                run.run(*arguments)
            continue
        run.run(*arguments)
        assert np.frombuffer(run.memory, Counter.dtype, 2, counters).tolist() == [(0, 0), (5, 3)]

    def race(c: Any, o: Any) -> None:
        c[1].count += 1

    with pytest.raises(Exception, match="is a place that threads share, and no number"):
        ptx.linked(race, record, types.float64[::1])
