"""Constructs of our own: the same statements in plain Python and in @njit, and the same results."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import own_constructs as own
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full


CASES = [
    pytest.param(i, target, id=f"{row.name}-{target}")
    for i, row in enumerate(own.ROWS)
    for target in (own.PYTHON, own.NJIT)
]


@pytest.fixture(scope="module")
def lib() -> Any:
    """One library for plain Python and for @njit."""
    with pytest.warns(sb.BindWarning):
        return sb.compile(
            own.source(own.NJIT), target="numba", name="own", std="c++20", arg_intent=own.intents(own.NJIT)
        )


@pytest.fixture(scope="module")
def scope() -> dict[str, Any]:
    plain = lambda x: 2 * x  # noqa: E731
    return {"np": np, "twice": numba.cfunc("int32(int32)")(plain), "plain": plain}


def error(name: str) -> Any:
    return getattr(sb, name.removeprefix("sb."), None) or getattr(builtins, name)


@pytest.mark.parametrize(("index", "target"), CASES)
def test_a_row(lib: Any, scope: dict[str, Any], index: int, target: str) -> None:
    row = own.ROWS[index]
    expected = row.result(target)
    out = np.zeros(8)
    kind, _, words = expected.partition(": ") if isinstance(expected, str) else ("", "", "")
    if kind == "skipped":
        assert words in own.skipped(lib, index)
        return
    use = own.function(getattr(lib, f"r{index}"), row, scope)
    run = numba.njit(use) if target == own.NJIT else use
    if kind == "refused":
        with pytest.raises(numba.core.errors.NumbaError) as refusal:
            run(out)
        assert words in str(refusal.value)
    elif kind == "raises":
        name, _, text = words.partition(": ")
        with pytest.raises(error(name)) as raised:
            run(out)
        assert text in str(raised.value)
        assert not isinstance(raised.value, numba.core.errors.NumbaError)
    else:
        run(out)
        assert out[: len(expected)].tolist() == expected


def test_every_row_says_what_each_target_does() -> None:
    assert len(own.ROWS) >= 100
    assert len({row.name for row in own.ROWS}) == len(own.ROWS)
    for row in own.ROWS:
        assert set(row.said) <= set(own.TARGETS)
