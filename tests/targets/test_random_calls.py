"""A seeded sample of random calls on each target: all are as g++ has them, or refused in words.

``python -m tests.targets.judge.random_calls`` makes 2,000 calls on each target.
"""

from __future__ import annotations

import shutil

import pytest
from tests.targets.judge.random_calls import Tally, of_program
from tests.targets.judge.random_programs import Program
from tests.targets.judge.stacks import missing
from tests.targets.judge.table import NAMES

SEED = 20261130
pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")


_NO_STRUCTS = ("makes no object", "has no attribute 'dtype'")


def made(target: str, functions: int, calls: int) -> Tally:
    if reason := missing(target):
        pytest.skip(reason)
    tallies = {target: Tally()}
    of_program(Program(SEED, functions), [target], calls, tallies)
    assert tallies[target].wrong == []
    return tallies[target]


@pytest.mark.full
def test_a_sample_of_python():
    assert made("Python", 8, 6).right == 48


@pytest.mark.full
@pytest.mark.parametrize("target", NAMES)
def test_a_sample_of_a_target(target):
    found = made(target, 8, 4)
    assert found.calls >= 8
    # HIP makes no object and no array of a struct with a vector, whose class there is one with constructors.
    lacks = sum(n for words, n in found.reasons.items() if any(w in words for w in _NO_STRUCTS))
    assert found.right > (found.calls - lacks) // 2


def test_a_wrong_call_is_counted():
    tally = Tally()
    for outcome in (
        ["took", "right", ""],
        ["took", "wrong", "other"],
        ["died", "signal 11"],
        ["refused", "no"],
    ):
        tally.put("here", outcome, ["took", "right", ""])
    assert (tally.right, tally.differs, len(tally.wrong)) == (1, 1, 2)
