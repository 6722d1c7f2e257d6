"""The 51 constructs of the comparison, called in @njit and in kernels, with the right results."""

from __future__ import annotations

from typing import Any

import constructs
import numpy as np
import ptx
import pytest

import machine
import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full


CASES = [
    pytest.param(i, target, id=f"{row[0]}-{target}")
    for i, row in enumerate(constructs.ROWS)
    for target in row[4]
]
_libraries: dict[str, Any] = {}


def library(target: str) -> Any:
    if target == constructs.DEVICE:
        pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
        from numba.cuda.cudadrv import driver

        if not driver._have_nvjitlink():
            pytest.skip("nvJitLink is not installed (nvidia-nvjitlink)")
    if target not in _libraries:
        with pytest.warns(sb.BindWarning):
            _libraries[target] = sb.compile(
                constructs.source(target),
                target=target,
                name="constructs",
                arg_intent=constructs.intents(target),
            )
    return _libraries[target]


def function(lib: Any, index: int, statements: str) -> Any:
    body = "\n".join(f"    {line}" for line in statements.split("\n"))
    scope: dict[str, Any] = {"f": getattr(lib, f"r{index}"), "np": np}
    exec(f"def use(out):\n{body}\n", scope)
    return scope["use"]


def run(target: str, use: Any, count: int) -> list[float]:
    if target == constructs.DEVICE:
        text = ptx.linked(use, numba.types.float64[::1])
        assert ptx.calls(text) == []
        return list(machine.doubles(text))[:count]
    out = np.zeros(4)
    numba.njit(use)(out)
    return out[:count].tolist()


@pytest.mark.parametrize(("index", "target"), CASES)
def test_a_construct(index: int, target: str) -> None:
    _, _, statements, expected, _ = constructs.ROWS[index]
    lib = library(target)
    if isinstance(expected, list):
        assert run(target, function(lib, index, statements), len(expected)) == expected
        return
    kind, _, words = expected.partition(": ")
    if kind == "skipped":
        reasons = [s.reason for s in lib.__skipped__ if s.name.startswith(f"r{index}::{statements}")]
        assert reasons
        assert words in reasons[0]
    elif kind == "refused":
        with pytest.raises(Exception, match=words):
            run(target, function(lib, index, statements), 1)
    else:
        text = ptx.linked(function(lib, index, statements), numba.types.float64[::1])
        assert ptx.calls(text) == []
        assert words in text
