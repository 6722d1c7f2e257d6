"""Constructs of our own in kernels: compiled and linked without a GPU, and run by the machine beside this file."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import numpy as np
import own_constructs as own
import ptx
import pytest
from tests.tables import warns_at_first

import machine
import samebytes as sb

pytest.importorskip("numba", reason="Numba is not installed")
pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
import numba
from numba.cuda.cudadrv import driver

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
]


# Rows whose own statements Numba compiles otherwise for GPUs, and why; each must fail as long as that is so.
OPEN = {
    "T (*a)[4]": "numba-cuda, not samebytes: its reshape() stays a call in kernels, and no row may leave one; "
    "the parameter itself, given an array of two dimensions, is in test_kernel_parameters.py",
}
CASES = [
    pytest.param(
        i,
        id=row.name,
        marks=[pytest.mark.xfail(reason=OPEN[row.name], strict=True)] if row.name in OPEN else [],
    )
    for i, row in enumerate(own.ROWS)
]


_TOGETHER = 10  # rows in one kernel: linking takes most of the time


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(
            own.source(own.CUDA), target="numba_cuda", name="own_device", std="c++20",
            arg_intent=own.intents(own.CUDA),
        )  # fmt: skip


@pytest.fixture(scope="module")
def scope() -> dict[str, Any]:
    return {"np": np, "twice": numba.cfunc("int32(int32)")(lambda x: 2 * x)}


class _Own(ast.NodeTransformer):
    """Gives each row of a kernel names of its own."""

    def __init__(self, index: int, shared: frozenset[str]) -> None:
        self.index, self.shared = index, shared

    def visit_Name(self, node: ast.Name) -> ast.Name:
        known = node.id in self.shared or hasattr(builtins, node.id)
        return node if known else ast.Name(f"{node.id}_{self.index}", node.ctx)


def _together(lib: Any, scope: dict[str, Any], indices: list[int]) -> dict[int, list[float]]:
    """The results of several rows, from one kernel; none where one of them does not compile."""
    lines, names = [], dict(scope)
    for place, index in enumerate(indices):
        names[f"f_{index}"] = getattr(lib, f"r{index}")
        text = ast.unparse(_Own(index, frozenset(scope)).visit(ast.parse(own.ROWS[index].statements)))
        lines += [f"out_{index} = out[{8 * place}:{8 * place + 8}]", *text.split("\n")]
    exec("def use(out):\n" + "\n".join(f"    {line}" for line in lines), names)
    try:
        text = ptx.linked(names["use"], numba.types.float64[::1])
        found = machine.doubles(text, count=8 * len(indices))
    except Exception:
        return {}
    if ptx.calls(text):
        return {}
    return {index: found[8 * place : 8 * place + 8] for place, index in enumerate(indices)}


class Results:
    """What rows leave in `out`, as far as whole kernels of them compile; each kernel is made on first use."""

    def __init__(self, lib: Any, scope: dict[str, Any]) -> None:
        self.lib, self.scope = lib, scope
        rows = enumerate(own.ROWS)
        self.listed = [i for i, r in rows if isinstance(r.result(own.CUDA), list) and r.name not in OPEN]
        self.found: dict[int, dict[int, list[float]]] = {}

    def of(self, index: int) -> list[float] | None:
        if index not in self.listed:
            return None
        start = self.listed.index(index) // _TOGETHER * _TOGETHER
        if start not in self.found:
            chosen = self.listed[start : start + _TOGETHER]
            self.found[start] = _together(self.lib, self.scope, chosen)
        return self.found[start].get(index)


@pytest.fixture(scope="module")
def results(lib: Any, scope: dict[str, Any]) -> Results:
    return Results(lib, scope)


@pytest.mark.parametrize("index", CASES)
def test_a_row(lib: Any, scope: dict[str, Any], results: Results, index: int) -> None:
    row = own.ROWS[index]
    expected = row.result(own.CUDA)
    together = results.of(index)
    if together is not None:
        assert together[: len(expected)] == expected
        return
    kind, _, words = expected.partition(": ") if isinstance(expected, str) else ("", "", "")
    if kind == "rejected":
        with pytest.raises(sb.Error) as refusal:
            _alone(row)
        assert words in str(refusal.value)
        return
    if kind == "skipped":
        assert words in own.skipped(lib, index)
        return
    use = own.function(getattr(lib, f"r{index}"), row, scope)
    if kind == "refused":
        with pytest.raises(Exception, match=r"Failed in cuda mode|No implementation") as refused:
            ptx.linked(use, numba.types.float64[::1])
        assert words in str(refused.value)
        return
    text = ptx.linked(use, numba.types.float64[::1])
    assert ptx.calls(text) == []
    if kind == "code":
        assert words in text
    elif kind == "raises":
        with pytest.raises(machine.Trap):
            machine.doubles(text, count=8)
    else:
        assert machine.doubles(text, count=8)[: len(expected)] == expected


def _alone(row: Any) -> Any:
    # The headers take most of the time: only what needs them gets them.
    head = (
        own.HEADS[own.CUDA]
        if any(w in row.cxx for w in ("STD", "HALF", "BF16"))
        else "#define D __device__\n"
    )
    text = f"{head}namespace row {{\n{row.cxx}\n}}\n"
    return sb.compile(text, target="numba_cuda", name="rejected", std="c++20")
