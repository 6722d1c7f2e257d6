"""A seeded sample of the judge's cells: each is as ``cells.tsv`` says, and the page is what the command writes of it.

``python -m tests.targets.judge --write`` judges all cells and writes the table and the page.
"""

from __future__ import annotations

import random
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest
from tests.tables import each
from tests.targets.judge import cells, table
from tests.targets.judge.arguments import ARGUMENTS
from tests.targets.judge.cells import DIES, WRONG, judged, outcomes, verdict
from tests.targets.judge.kinds import KINDS
from tests.targets.judge.oracle import asked
from tests.targets.judge.reasons import REASONS
from tests.targets.judge.stacks import missing

EXPECTED = table.read()
SEED = 20261130
pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")


SAMPLE = random.Random(SEED).sample([*KINDS], 12)
QUICK = SAMPLE[:4]
# What only an installed Numba makes; where there is none, no target is given it.
OF_NUMBA = (
    frozenset() if find_spec("numba") else frozenset({"C function of Numba", "C function of another type"})
)
GIVEN = [argument for argument in ARGUMENTS if argument not in OF_NUMBA]


@cache
def python_outcomes(kinds: tuple[str, ...]) -> dict[tuple[str, str], Any]:
    return outcomes("Python", kinds, [(kind, argument) for kind in kinds for argument in GIVEN])


def check(target: str, kinds: list[str]) -> None:
    wanted = [(kind, argument) for kind in kinds for argument in GIVEN]
    found = judged(target, kinds, wanted, python_outcomes(tuple(kinds)))
    assert (
        table.differences(EXPECTED.verdicts, target, ((cell, said) for cell, (said, _) in found.items()))
        == []
    )


@pytest.mark.full
@pytest.mark.parametrize("target", ["Python", "package"])
def test_a_sample_of_plain_calls(target):
    check(target, QUICK)


@pytest.mark.full
@pytest.mark.parametrize("target", [name for name in table.NAMES if name not in ("Python", "package")])
def test_a_sample_of_a_target(target):
    if reason := missing(target):
        pytest.skip(reason)
    check(target, SAMPLE)


def test_the_wrong_cells_are_listed():
    found = {
        (target, *cell): said
        for target, said_of in EXPECTED.verdicts.items()
        for cell, said in said_of.items()
        if said in (WRONG, DIES)
    }
    assert {key: verdict for key, (verdict, _) in EXPECTED.wrong.items()} == found


def test_every_difference_has_a_reason():
    used = {
        said.partition(": ")[2]
        for found in EXPECTED.verdicts.values()
        for said in found.values()
        if ": " in said
    }
    assert used == {*REASONS}


def test_the_page_shows_the_table():
    assert table.DOCS.read_text() == table.page(EXPECTED)


def test_there_is_enough():
    assert len(KINDS) >= 60
    assert len(ARGUMENTS) >= 60


# --- the judge itself

TOOK, OTHER, REFUSED = (
    ["took", [5, [0.0]], ["a5"]],
    ["took", [6, [0.0]], ["a5"]],
    ["refused", "TypeError: no"],
)
VERDICTS = (
    # Python's outcome, the target's, g++'s answer, the verdict
    (TOOK, TOOK, None, "same"),
    (TOOK, OTHER, None, "WRONG"),
    (TOOK, ["took", [5, [1.0]], ["a5"]], None, "WRONG"),
    (TOOK, ["took", [5, [0.0]], ["01"]], None, "WRONG"),
    (TOOK, ["took", [5, [0.0]], [""]], None, "same"),  # a copy of an object, of which nothing is seen
    (REFUSED, REFUSED, None, "refused"),
    (REFUSED, TOOK, None, "WRONG"),
    (TOOK, REFUSED, None, "differs: ?"),
    (TOOK, ["died", "signal 11"], None, "DIES"),
    (REFUSED, ["died", "signal 11"], None, "DIES"),
    (TOOK, ["absent", "no such kind"], None, ""),
    (TOOK, TOOK, (5, ""), "same"),
    (TOOK, TOOK, (6, ""), "WRONG"),
)


@each(("python", "outcome", "answer", "expected"), VERDICTS)
def test_a_verdict(python, outcome, answer, expected):
    assert verdict("CUDA kernel", ("i32", "1"), python, outcome, answer) == expected


DYING = """
import json, os, sys
for cell in json.load(sys.stdin)["cells"]:
    print(json.dumps(cell), flush=True)
    if cell[1] == "dies":
        os.abort()
    print(json.dumps(["took", [1, []], []]), flush=True)
"""


def test_what_ends_a_process_is_named_and_the_others_are_judged(monkeypatch):
    monkeypatch.setattr(cells, "COMMAND", (sys.executable, "-c", DYING))
    found = outcomes("Python", ["k"], [("k", "a"), ("k", "dies"), ("k", "b"), ("k", "dies")])
    assert found == {
        ("k", "a"): ["took", [1, []], []],
        ("k", "dies"): ["died", "signal 6"],
        ("k", "b"): ["took", [1, []], []],
    }


@pytest.mark.full
def test_gcc_sees_a_wrong_byte():
    """The answers are C++'s own: of a number, of a struct and of an array."""
    found = asked(
        [("i32", "1"), ("f32", "0.1"), ("cref_R", "struct"), ("p_f64", "array"), ("inout_array3", "array")]
    )
    assert len({digest for digest, _ in found.values()}) == len(found) == 5
    digest, memory = found["p_f64", "array"]
    assert bytes.fromhex(memory) == b"\1" * 32
    assert digest != found["inout_array3", "array"][0]
