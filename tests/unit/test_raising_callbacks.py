"""What a callable raises goes through C++ as an exception, whatever its type; where none may pass, C++ gets a value."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tables import each
from tests.unit.raising_callbacks import SIGNATURES, forms

pytestmark = pytest.mark.full  # a program of its own, which builds some two hundred functions

ROWS = [(signature, form, outcome) for signature in SIGNATURES for form, _, _, outcome in forms(signature)]
ZEROS = {"numbers": "0", "reals": "0", "text": "null", "struct": "0 0", "large": "0 0", "reference": "0"}
# What C++ did with a callable that raised at once, by an exception or without.
ALONE = {
    "sorted": {"count": 1, "steps": 0, "ends": 1},
    "sorted_by": {"count": 1, "steps": 0, "ends": 1},
    "sorted_by_c": {"steps": 1, "ends": 1},
    "until": {"count": 1, "steps": 0},
}
REASONS = {
    "a noexcept type": "the type of the function is noexcept",
    "a noexcept typedef": "the type of the function is noexcept",
    "noexcept": "the call went to a noexcept function",
    "noexcept, a pointer": "the call went to a noexcept function",
    "a C function": "the call went to a noexcept function or to one of C's",
    "a thread": "this thread runs no call",
    "a thread, a pointer": "this thread runs no call",
    "a thread that waits": "this thread runs no call",
}


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], list[Any]]:
    """What the program saw, by signature and form; a process that an exception ends has seen no more."""
    program = Path(__file__).with_name("raising_callbacks.py")
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(signature, form): rest for signature, form, *rest in rows}


@each("signature, form, outcome", ROWS)
def test_what_becomes_of_an_exception(
    found: dict[tuple[str, str], list[Any]], signature: str, form: str, outcome: str
) -> None:
    plain, chosen, unraised = found[signature, form]
    for seen in (plain, chosen):
        assert seen["outcome"] == "KeyError"
        assert (seen["count"], seen["steps"]) == ((1, 0) if outcome == "thrown" else (3, 3))
        assert seen["ends"] >= (0 if form == "a C function between" else 1)  # what C++ had is ended
        assert len(seen["notes"]) == (0 if outcome == "thrown" else 1)
        assert all(REASONS.get(form, "in between is noexcept or one of C's") in n for n in seen["notes"])
    if outcome == "value" and form != "a C function between":
        assert plain["shown"] == ZEROS.get(signature, "")
        assert chosen["shown"] == SIGNATURES[signature][4]
    assert not unraised


@each("name, expected", ALONE.items())
def test_what_becomes_of_algorithms(
    found: dict[tuple[str, str], list[Any]], name: str, expected: dict[str, int]
) -> None:
    seen = found["alone", name][0]
    assert seen["outcome"] == "KeyError"
    assert {key: seen[key] for key in expected} == expected
