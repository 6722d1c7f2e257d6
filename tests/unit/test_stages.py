"""A compile goes through the stages in their order, but for the returns that ARCHITECTURE.md lists with reasons."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
import stages

PAGE = Path(__file__).parents[2] / "ARCHITECTURE.md"
_STEP = re.compile(r"  (\w+) → (\w+)")


def steps(text: str) -> dict[str, list[stages.Step]]:
    found: dict[str, list[stages.Step]] = {}
    for line in text.splitlines():
        if match := _STEP.fullmatch(line):
            found[name].append((match[1], match[2]))  # noqa: F821
        elif line:
            name = line
            found[name] = []
    return found


@pytest.mark.full
def test_the_trace_is_the_committed_one() -> None:
    assert steps(stages.both()) == steps(stages.COMMITTED.read_text())


def test_the_page_lists_every_return() -> None:
    listed = set(re.findall(r"^- `(\w+) → (\w+)`: ", PAGE.read_text(), re.MULTILINE))
    traces = steps(stages.COMMITTED.read_text())
    assert set(traces) == {"cold", "warm"}
    happened = {name: stages.returns(trace) for name, trace in traces.items()}
    assert {step for steps_back in happened.values() for step in steps_back} == listed
    assert max(map(len, happened.values())) <= 12
