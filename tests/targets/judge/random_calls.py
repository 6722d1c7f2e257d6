# ruff: noqa: E501  (a row of a table, or of C++, is a line)
"""The command: random programs, whose calls are compared with g++'s on each target.

``python -m tests.targets.judge.random_calls [--seed N] [--calls 2000] [--target NAME]…`` prints for each target how many
calls it took as g++ has them, refused, and took otherwise. A call that a target lacks the function of is not counted.
"""

from __future__ import annotations

import argparse
import pickle
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .cells import Cell, outcomes
from .random_programs import FUNCTIONS, Program
from .random_targets import lacks
from .stacks import missing
from .table import NAMES

COMMAND = (sys.executable, "-m", "tests.targets.judge.random_targets")
CALLS = 60  # of each function of a program


@dataclass
class Tally:
    """Of a target.

    Attributes
    ----------
    right, differs, both, more : int
        Calls as g++ has them; those that the target refuses and Python takes; that both refuse; that Python refuses.
    wrong : list of str
        What is wrong or ends the process.
    reasons, absent : Counter
        What the target says of those that it refuses; why it has a function not.
    """

    right: int = 0
    differs: int = 0
    both: int = 0
    more: int = 0
    wrong: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    absent: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)  # where a reason came first

    @property
    def calls(self) -> int:
        return self.right + self.differs + self.both + len(self.wrong)

    def put(self, place: str, outcome: Any, python: Any) -> None:
        kind, *words = outcome
        if kind == "refused":
            if python[0] == "refused":
                self.both += 1
            else:
                self.differs += 1
            reason = ("" if python[0] == "took" else "Python, too: ") + shortened(words[0])
            self.reasons[reason] += 1
            self.first.setdefault(reason, place)
        elif kind == "took" and words[0] == "right":
            self.right += 1
            self.more += python[0] == "refused"
        else:
            self.wrong.append(f"{place}: {'DIES' if kind == 'died' else 'WRONG'}: {words[-1]}")


def shortened(words: str) -> str:
    """What an error says without the names of functions, parameters and values."""
    words = re.sub(r"Failed in nopython mode pipeline.*?\)", "", words)
    words = re.sub(r"(parameter \w+) \(.*?\): ", r"\1: ", words)
    found = re.sub(r"\bk\d+\(\)|'?\ba\d+(?:_n)?\b'?|\bS\d+\b|\bE\d+\b|\d+", "#", words)
    return re.sub(r"got .*\(([\w.]+)\)", r"got (\1)", found)[:160]


def of_program(program: Program, targets: list[str], calls: int, tallies: dict[str, Tally]) -> None:
    """Make the calls of a program on targets."""
    every = [(i, n) for i in range(len(program.functions)) for n in range(calls)]
    with tempfile.TemporaryDirectory() as home:
        masks, answers = program.asked(every, Path(home))
        place = Path(home) / "answers"
        place.write_bytes(pickle.dumps((masks, answers)))
        about = [str(program.seed), str(program.count), str(place)]
        cells: list[Cell] = [(str(i), str(n)) for i, n in every]
        python: dict[Cell, Any] = {}
        for target in dict.fromkeys(("Python", *targets)):
            without = lacks(target, program)
            asked = [cell for cell in cells if f"k{cell[0]}" not in without]
            found = outcomes(target, about, asked, COMMAND)
            python = python or found
            if target not in targets:
                continue
            tally = tallies[target]
            tally.absent.update(without.values())
            for cell, outcome in found.items():
                if outcome[0] == "absent":
                    tally.absent[shortened(outcome[1])] += cell[1] == "0"
                else:
                    where = f"seed {program.seed}, k{cell[0]}, call {cell[1]}"
                    tally.put(where, outcome, python.get(cell, ["refused"]))


def programs(seed: int) -> Iterator[Program]:
    """One after the other."""
    while True:
        yield Program(seed, FUNCTIONS)
        seed += 1


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--target", action="append", choices=NAMES, help="all, if none is named")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--calls", type=int, default=2000, help="of each target, at least")
    given = asked.parse_args()
    for target in given.target or NAMES:
        if reason := missing(target):
            print(f"{target}: not asked: {reason}")
            continue
        started, tallies = time.perf_counter(), {target: Tally()}
        of = programs(given.seed)
        while tallies[target].calls < given.calls:
            rest = given.calls - tallies[target].calls
            of_program(next(of), [target], min(CALLS, -(-rest // FUNCTIONS)), tallies)
        _print(target, tallies[target], time.perf_counter() - started)


def _print(target: str, tally: Tally, seconds: float) -> None:
    print(
        f"{target}: {tally.calls} calls: {tally.right} as g++ has them ({tally.more} of these Python refuses), "
        f"{tally.differs} differ, {tally.both} refused as by Python, {len(tally.wrong)} wrong ({seconds:.0f} s)"
    )
    for name, counter in (("refused", tally.reasons), ("absent", tally.absent)):
        for words, n in counter.most_common(25):
            at = f" ({tally.first[words]})" if words in tally.first else ""
            print(f"  {name} {n}: {words}{at}")
    print(*(f"  {line}" for line in tally.wrong[:40]), sep="\n", end="\n" * bool(tally.wrong), flush=True)


if __name__ == "__main__":
    main()
